//===- Run.cpp - The state of one run -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Run.h"

#include "mlir/IR/Location.h"

using namespace mlir;
using namespace mlir::pypto::runtime;

Run::Run(Functions &functions, const KernelBindings &kernels,
         Recordings &recordings, const RunOptions &options)
    : functions(functions), kernels(kernels), recordings(recordings),
      options(options), memory(options.symbolic, options.maxBytes),
      engine(options, [this](Task &task) { return executeTask(*this, task); }) {
}

LogicalResult Run::fail(Operation *op, const Twine &message, StringRef rule) {
  if (result.problem)
    return failure();
  std::string text =
      ("'" + op->getName().getStringRef() + "' " + message).str();
  result.problem =
      Problem{text, formatLocation(op->getLoc()), rule.str(), op->getLoc()};
  return failure();
}

void Run::addEvent(Event::Kind kind, const pypto::runtime::Function &function,
                   Operation *op, std::string reason) {
  result.events.push_back(
      {kind, function.name, std::move(reason), formatLocation(op->getLoc())});
}

LogicalResult Run::countStep(Operation *op) {
  if (++numSteps <= options.maxSteps)
    return success();
  return fail(op, "runs for more than " + Twine(options.maxSteps) +
                      " iterations and calls");
}

std::string mlir::pypto::runtime::formatLocation(Location loc) {
  // The first place in a file that the location knows.
  std::string text;
  loc->walk([&](Location inner) {
    if (auto file = dyn_cast<FileLineColLoc>(inner)) {
      text = (file.getFilename().getValue() + ":" + Twine(file.getLine()) +
              ":" + Twine(file.getColumn()))
                 .str();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (!text.empty())
    return text;
  llvm::raw_string_ostream os(text);
  loc.print(os);
  return text;
}

StringRef mlir::pypto::runtime::stringify(Event::Kind kind) {
  switch (kind) {
  case Event::Kind::Recorded:
    return "recorded";
  case Event::Kind::Replayed:
    return "replayed";
  case Event::Kind::Fallback:
    return "ran as ordinary tasks";
  case Event::Kind::Dropped:
    return "dropped";
  }
  return "";
}
