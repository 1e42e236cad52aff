//===- CallDirections.cpp - The property CallDirectionsResolved -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify/CallDirections.h"

#include "Diagnostics/Diagnostics.h"
#include "Transforms/Passes.h"
#include "ValueTrace.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_VERIFYCALLDIRECTIONS
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::verify;

namespace {
class DirectionChecker {
public:
  explicit DirectionChecker(SymbolTableCollection &symbolTable)
      : ties(symbolTable) {}

  LogicalResult run(ModuleOp module);

private:
  using WrapperLaunches = SmallVector<std::pair<LaunchOpInterface, FuncOp>, 2>;

  InFlightDiagnostic error(LaunchOpInterface launch, DiagnosticCode code,
                           FuncOp callee);
  void checkLaunch(LaunchOpInterface launch, FuncOp callee);
  void checkArgument(LaunchOpInterface launch, FuncOp callee, unsigned index);
  void checkWrapper(FuncOp wrapper,
                    ArrayRef<std::pair<LaunchOpInterface, FuncOp>> launches);

  /// The directions of the parameters of `callee`, read once.
  ArrayRef<ParamDirection> getParamDirections(FuncOp callee);

  TieTable ties;
  DenseMap<Operation *, SmallVector<ParamDirection, 4>> paramDirections;
  bool hasFailed = false;
};
} // namespace

/// Starts an error that names the launch, its callee and the function around.
InFlightDiagnostic DirectionChecker::error(LaunchOpInterface launch,
                                           DiagnosticCode code, FuncOp callee) {
  hasFailed = true;
  InFlightDiagnostic diag = emitCodedError(launch->getLoc(), code);
  diag << (isa<CallOp>(launch) ? "call" : "submit") << " of '@"
       << callee.getSymName() << "'";
  if (auto func = launch->getParentOfType<FuncOp>())
    diag << " in function '@" << func.getSymName() << "'";
  return diag;
}

ArrayRef<ParamDirection> DirectionChecker::getParamDirections(FuncOp callee) {
  auto [it, isNew] = paramDirections.try_emplace(callee);
  if (isNew)
    for (unsigned i = 0, e = callee.getNumArguments(); i != e; ++i)
      it->second.push_back(callee.getParamDirection(i));
  return it->second;
}

void DirectionChecker::checkArgument(LaunchOpInterface launch, FuncOp callee,
                                     unsigned index) {
  ArgDirection direction =
      cast<ArgDirectionAttr>(launch.getLaunchDirections()[index]).getValue();
  StringRef found = stringifyArgDirection(direction);
  bool isTensor = isa<GraphTensorType>(launch.getLaunchArgs()[index].getType());
  if (isTensor == (direction == ArgDirection::Scalar)) {
    error(launch, DiagnosticCode::WrongDirection, callee)
        << ": argument #" << index
        << (isTensor ? " is a tensor" : " is no tensor")
        << " but its direction is '" << found << "'";
    return;
  }
  ParamDirection formal = getParamDirections(callee)[index];
  if (isAllowedDirection(direction, formal))
    return;
  InFlightDiagnostic diag =
      error(launch, DiagnosticCode::WrongDirection, callee);
  diag << ": argument #" << index << " has direction '" << found
       << "', but parameter '%" << callee.getParamName(index) << "' is '"
       << stringifyParamDirection(formal) << "'";
  diag.attachNote(callee.getLoc()) << "it is declared here";
}

void DirectionChecker::checkLaunch(LaunchOpInterface launch, FuncOp callee) {
  unsigned numArgs = launch.getLaunchArgs().size();
  // Without arguments there is nothing to resolve.
  if (numArgs == 0)
    return;
  ArrayAttr directions = launch.getLaunchDirections();
  if (!directions || directions.empty()) {
    InFlightDiagnostic diag =
        error(launch, DiagnosticCode::MissingDirections, callee);
    diag << " has no directions for its " << numArgs << " arguments";
    diag.attachNote() << "run derive-call-directions first";
    return;
  }
  if (directions.size() != numArgs || numArgs > callee.getNumArguments()) {
    error(launch, DiagnosticCode::WrongDirection, callee)
        << " has " << directions.size() << " directions for " << numArgs
        << " arguments and " << callee.getNumArguments() << " parameters";
    return;
  }
  for (unsigned i = 0; i != numArgs; ++i)
    checkArgument(launch, callee, i);
}

/// Whether an argument with these origins may lie in the buffer of `param`.
static bool mayBeWindowOf(const ValueTrace::State &state, Value param) {
  return state.isUnknown ||
         llvm::any_of(state.origins, [&](const Origin &origin) {
           return origin.root == param;
         });
}

void DirectionChecker::checkWrapper(
    FuncOp wrapper, ArrayRef<std::pair<LaunchOpInterface, FuncOp>> launches) {
  // What each parameter has to be at least, and the launch that says so first.
  struct Need {
    ParamDirection direction = ParamDirection::In;
    LaunchOpInterface launch;
  };
  SmallVector<Need> needs(wrapper.getNumArguments());
  auto require = [&](BlockArgument param, ParamDirection direction,
                     LaunchOpInterface launch) {
    Need &need = needs[param.getArgNumber()];
    if (direction <= need.direction)
      return;
    need.direction = direction;
    need.launch = launch;
  };

  std::optional<ValueTrace> trace;
  Block &body = wrapper.getBody().front();
  for (auto [launch, callee] : launches)
    for (auto [i, arg] : llvm::enumerate(launch.getLaunchArgs())) {
      if (i >= callee.getNumArguments() ||
          !isa<GraphTensorType>(arg.getType()) ||
          callee.getParamDirection(i) == ParamDirection::In)
        continue;
      if (!trace)
        trace.emplace(wrapper, ties);
      auto param = dyn_cast<BlockArgument>(trace->getIdentity(arg));
      if (param && param.getOwner() == &body) {
        require(param, callee.getParamDirection(i), launch);
        continue;
      }
      // A window that is written makes the buffer a written one.
      ValueTrace::State state = trace->getState(arg);
      for (BlockArgument param : body.getArguments())
        if (isa<GraphTensorType>(param.getType()) &&
            mayBeWindowOf(state, param))
          require(param, callee.getParamDirection(i), launch);
    }

  for (auto [i, need] : llvm::enumerate(needs)) {
    ParamDirection declared = wrapper.getParamDirection(i);
    if (need.direction <= declared)
      continue;
    hasFailed = true;
    InFlightDiagnostic diag =
        emitCodedError(wrapper.getLoc(), DiagnosticCode::StaleWrapper);
    diag << "function '@" << wrapper.getSymName() << "' of kind '"
         << stringifyFunctionKind(wrapper.getKind())
         << "' declares parameter '%" << wrapper.getParamName(i) << "' '"
         << stringifyParamDirection(declared)
         << "', but what it launches makes it '"
         << stringifyParamDirection(need.direction) << "'";
    diag.attachNote(need.launch->getLoc())
        << "'" << need.launch.getLaunchCallee() << "' is passed it here";
    diag.attachNote() << "run derive-call-directions, or declare it '"
                      << stringifyParamDirection(need.direction) << "'";
  }
}

LogicalResult DirectionChecker::run(ModuleOp module) {
  // Wrappers with the device functions they launch, in order of the text.
  SmallVector<FuncOp> wrappers;
  DenseMap<Operation *, WrapperLaunches> inner;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa_and_nonnull<GraphDialect>(op->getDialect()))
      return;
    if (auto func = dyn_cast<FuncOp>(op)) {
      if ((func.getKind() == FunctionKind::Group ||
           func.getKind() == FunctionKind::Spmd) &&
          !func.isExternal())
        wrappers.push_back(func);
      return;
    }
    auto launch = dyn_cast<LaunchOpInterface>(op);
    FuncOp callee = launch ? ties.getCallee(launch) : FuncOp();
    if (!callee)
      return;
    checkLaunch(launch, callee);
    if (wrappers.empty() || !callee.isDeviceFunction())
      return;
    if (auto wrapper = op->getParentOfType<FuncOp>();
        wrapper == wrappers.back())
      inner[wrapper].push_back({launch, callee});
  });
  for (FuncOp wrapper : wrappers)
    checkWrapper(wrapper, inner[wrapper]);
  return failure(hasFailed);
}

LogicalResult
mlir::pypto::verifyCallDirections(ModuleOp module,
                                  SymbolTableCollection &symbolTable) {
  return DirectionChecker(symbolTable).run(module);
}

namespace {
struct VerifyCallDirections
    : pypto::impl::VerifyCallDirectionsBase<VerifyCallDirections> {
  void runOnOperation() override {
    SymbolTableCollection symbolTable;
    if (failed(verifyCallDirections(getOperation(), symbolTable)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
