//===- TestAnalyses.cpp - Passes that print what the analyses say ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each pass says what its analysis knows of the values that a test names, as
// remarks on the operations that define them. An operation names its results
// with the attribute `names` and the arguments of its blocks with `args`, each
// an array of strings.
//
//===----------------------------------------------------------------------===//

#include "Analysis/BufferLineage.h"
#include "Analysis/Hoistability.h"
#include "Analysis/IdentityLineage.h"
#include "Analysis/ReplayInvariance.h"
#include "Analysis/TopologyCount.h"
#include "Testing/TestPasses.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

namespace {
/// The names that a test gives to values, in the order of the text.
class ValueNames {
public:
  explicit ValueNames(FuncOp func) {
    for (BlockArgument param : func.getArguments())
      names[param] = func.getParamName(param.getArgNumber());
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      assign(op, "names", op->getResults());
      SmallVector<Value> arguments;
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::append_range(arguments, block.getArguments());
      assign(op, "args", arguments);
    });
  }

  StringRef getName(Value value) const {
    auto it = names.find(value);
    return it == names.end() ? "unnamed" : it->second;
  }

  /// The values of a function that a test named, and the operations that say
  /// so.
  ArrayRef<std::pair<Operation *, Value>> getNamed() const { return named; }

private:
  void assign(Operation *op, StringRef attribute, ValueRange values) {
    auto list = op->getAttrOfType<ArrayAttr>(attribute);
    if (!list)
      return;
    for (auto [value, name] : llvm::zip(values, list)) {
      auto text = dyn_cast<StringAttr>(name);
      if (!text)
        continue;
      names[value] = text.getValue();
      named.push_back({op, value});
    }
  }

  DenseMap<Value, StringRef> names;
  SmallVector<std::pair<Operation *, Value>> named;
};

/// A pass that says something of every named value of every function.
template <typename Derived>
struct TestAnalysisPass : public PassWrapper<Derived, OperationPass<ModuleOp>> {
  StringRef getArgument() const final { return Derived::kArgument; }
  StringRef getDescription() const final { return Derived::kDescription; }

  void runOnOperation() override {
    SymbolTableCollection symbolTable;
    this->getOperation()->walk([&](FuncOp func) {
      CalleeTies ties(symbolTable);
      ValueNames names(func);
      static_cast<Derived *>(this)->runOnFunction(func, ties, names);
    });
    this->markAllAnalysesPreserved();
  }

  void remark(const std::pair<Operation *, Value> &named,
              const ValueNames &names, const Twine &text) {
    named.first->emitRemark()
        << '\'' << names.getName(named.second) << "' " << text;
  }
};

struct TestIdentityLineagePass
    : public TestAnalysisPass<TestIdentityLineagePass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestIdentityLineagePass)
  static constexpr StringLiteral kArgument = "test-identity-lineage";
  static constexpr StringLiteral kDescription =
      "Say which value each named value is";

  void runOnFunction(FuncOp func, CalleeTies &ties, const ValueNames &names) {
    IdentityLineage identity(func, ties);
    for (auto &named : names.getNamed()) {
      Value source = identity.getSource(named.second);
      StringRef what =
          identity.getParameter(named.second) ? "is parameter " : "is ";
      if (source == named.second)
        remark(named, names, "is itself");
      else
        remark(named, names, what + "'" + names.getName(source) + "'");
    }
  }
};

struct TestBufferLineagePass : public TestAnalysisPass<TestBufferLineagePass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestBufferLineagePass)
  static constexpr StringLiteral kArgument = "test-buffer-lineage";
  static constexpr StringLiteral kDescription =
      "Say which buffers each named tensor may lie in, and, for a function "
      "with "
      "the attribute `overlaps`, which named tensors may share an element";

  static std::string describe(const BufferLineage &buffers, Value tensor,
                              const ValueNames &names) {
    if (buffers.isUnknown(tensor))
      return "lies in unknown buffer";
    std::string text;
    llvm::raw_string_ostream os(text);
    os << (buffers.getUniqueRoot(tensor) ? "lies in " : "lies in one of ");
    llvm::interleaveComma(buffers.getRoots(tensor), os, [&](Value root) {
      os << '\'' << names.getName(root) << '\'';
    });
    if (std::optional<BufferWindow> window = buffers.getWindow(tensor)) {
      os << " at [";
      llvm::interleaveComma(window->offsets, os);
      os << "] [";
      llvm::interleaveComma(window->sizes, os);
      os << "]";
    } else if (buffers.getUniqueRoot(tensor)) {
      os << " somewhere";
    }
    return text;
  }

  void runOnFunction(FuncOp func, CalleeTies &ties, const ValueNames &names) {
    BufferLineage buffers(func, ties);
    ArrayRef<std::pair<Operation *, Value>> all = names.getNamed();
    for (auto &named : all)
      remark(named, names, describe(buffers, named.second, names));
    if (!func->hasAttr("overlaps"))
      return;
    for (size_t i = 0, e = all.size(); i != e; ++i)
      for (size_t j = i + 1; j != e; ++j)
        if (buffers.mayOverlap(all[i].second, all[j].second))
          func.emitRemark()
              << '\'' << names.getName(all[i].second) << "' may overlap '"
              << names.getName(all[j].second) << '\'';
  }
};

struct TestReplayInvariancePass
    : public TestAnalysisPass<TestReplayInvariancePass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestReplayInvariancePass)
  static constexpr StringLiteral kArgument = "test-replay-invariance";
  static constexpr StringLiteral kDescription =
      "Say whether each named value is the same on every replay";

  void runOnFunction(FuncOp func, CalleeTies &ties, const ValueNames &names) {
    IdentityLineage identity(func, ties);
    ReplayInvariance invariance(func, identity, ties);
    for (auto &named : names.getNamed()) {
      Value value = named.second;
      if (isScalarType(value.getType()))
        remark(named, names,
               invariance.isInvariant(value) ? "is invariant" : "varies");
      else
        remark(named, names,
               invariance.isChoiceInvariant(value) ? "is an invariant choice"
                                                   : "is a varying choice");
    }
  }
};

struct TestHoistabilityPass : public TestAnalysisPass<TestHoistabilityPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestHoistabilityPass)
  static constexpr StringLiteral kArgument = "test-hoistability";
  static constexpr StringLiteral kDescription =
      "Say whether a call site can compute each named scalar";

  void runOnFunction(FuncOp func, CalleeTies &ties, const ValueNames &names) {
    IdentityLineage identity(func, ties);
    Hoistability hoistability(func, identity);
    for (auto &named : names.getNamed()) {
      Value value = named.second;
      if (hoistability.isConstant(value))
        remark(named, names,
               hoistability.isHoistable(value) ? "is constant"
                                               : "is constant and stays");
      else
        remark(named, names,
               hoistability.isHoistable(value) ? "is hoistable" : "stays");
    }
  }
};

struct TestTopologyCountPass : public TestAnalysisPass<TestTopologyCountPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestTopologyCountPass)
  static constexpr StringLiteral kArgument = "test-topology-count";
  static constexpr StringLiteral kDescription =
      "Say how many nodes each function with a body records (without what has "
      "the attribute `ignored`), and the trip count of loops with `trips`";

  void runOnFunction(FuncOp func, CalleeTies &ties, const ValueNames &) {
    if (func.isExternal())
      return;
    auto isIgnored = [](Operation *op) { return op->hasAttr("ignored"); };
    IdentityLineage identity(func, ties);
    uint64_t nodes = countTopology(func, identity, isIgnored);
    func.emitRemark() << "records " << nodes << " nodes";
    // Constants by identity lineage aside, the answer is the same without it.
    if (uint64_t plain = countTopology(func, isIgnored); plain != nodes)
      func.emitRemark() << "records " << plain << " nodes without identity";
    func.walk<WalkOrder::PreOrder>([](scf::ForOp loop) {
      if (!loop->hasAttr("trips"))
        return;
      if (std::optional<uint64_t> tripCount = getConstantTripCount(loop))
        loop.emitRemark() << "runs " << *tripCount << " iterations";
      else
        loop.emitRemark("no constant trip count");
    });
  }
};
} // namespace

void mlir::pypto::registerTestAnalysisPasses() {
  PassRegistration<TestIdentityLineagePass>();
  PassRegistration<TestBufferLineagePass>();
  PassRegistration<TestReplayInvariancePass>();
  PassRegistration<TestHoistabilityPass>();
  PassRegistration<TestTopologyCountPass>();
}
