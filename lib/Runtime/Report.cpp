//===- Report.cpp - Comparisons as text -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Runtime.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::pypto::runtime;

bool Report::agrees() const {
  return llvm::all_of(calls,
                      [](const CallReport &call) { return call.agrees; });
}

static void print(llvm::raw_ostream &os, StringRef what,
                  const Problem &problem) {
  os << "  " << what << ": " << problem.location << ": " << problem.message
     << '\n';
  if (!problem.rule.empty())
    os << "    rule: " << problem.rule << '\n';
}

/// Events of one function and kind are counted, but for those with a reason.
static void print(llvm::raw_ostream &os, ArrayRef<Event> events) {
  for (size_t i = 0; i != events.size();) {
    size_t end = i + 1;
    while (end != events.size() && events[end].kind == events[i].kind &&
           events[end].function == events[i].function &&
           events[end].reason == events[i].reason &&
           (events[i].reason.empty() ||
            events[end].location == events[i].location))
      ++end;
    os << "  @" << events[i].function << ' ' << stringify(events[i].kind);
    if (end - i > 1)
      os << ' ' << end - i << " times";
    if (!events[i].reason.empty())
      os << " at " << events[i].location << ": " << events[i].reason;
    os << '\n';
    i = end;
  }
}

static void print(llvm::raw_ostream &os, const BufferDifference &difference) {
  os << "  first difference: %" << difference.param;
  if (!difference.index.empty()) {
    os << '[';
    llvm::interleaveComma(difference.index, os);
    os << ']';
  }
  os << " is " << difference.replayed << ", eager gives " << difference.eager
     << '\n';
}

static void print(llvm::raw_ostream &os, const Culprit &culprit) {
  os << "  because task " << culprit.task << ", '" << culprit.kernel << "' at "
     << culprit.location << ", got " << culprit.operand << " wrong\n";
  os << "    eager:    " << culprit.eager << '\n';
  os << "    replayed: " << culprit.replayed << '\n';
  if (!culprit.operandLocation.empty())
    os << "    the operand is made at " << culprit.operandLocation << '\n';
  if (!culprit.source.empty())
    os << "    node " << culprit.node << " takes it from " << culprit.source
       << '\n';
  if (!culprit.rule.empty())
    os << "    rule: " << culprit.rule << '\n';
}

static void print(llvm::raw_ostream &os, const Race &race) {
  os << "  because nothing orders '" << race.first << "' at "
     << race.firstLocation << " before '" << race.second << "' at "
     << race.secondLocation << "\n    both touch " << race.window
     << "\n    rule: " << race.rule << '\n';
}

void Report::print(llvm::raw_ostream &os) const {
  for (auto [number, call] : llvm::enumerate(calls)) {
    os << "call " << number << ": "
       << (call.agrees                               ? "agrees"
           : call.eagerProblem || call.replayProblem ? "fails"
                                                     : "differs")
       << " (" << call.numTasks << " tasks, " << call.numReplays
       << " replays)\n";
    ::print(os, call.events);
    if (call.eagerProblem)
      ::print(os, "the program fails", *call.eagerProblem);
    if (call.replayProblem)
      ::print(os, "the replay fails", *call.replayProblem);
    if (call.difference)
      ::print(os, *call.difference);
    if (call.culprit && call.agrees)
      os << "  the results agree, but an operand does not:\n";
    if (call.culprit)
      ::print(os, *call.culprit);
    if (call.race)
      ::print(os, *call.race);
  }
}
