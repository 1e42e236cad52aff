//===- FunctionEmitter.h - C++ of one function ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalars of emitted code are unsigned integers (`bool` for i1) that hold the
// bit pattern of the value, zero-extended; operations convert to what they
// compute with. So every type is passed to a task in the same way, and a slot,
// which is a 64-bit pattern itself, can be passed on as it is.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TARGET_ORCHESTRATION_FUNCTIONEMITTER_H
#define PYPTO_TARGET_ORCHESTRATION_FUNCTIONEMITTER_H

#include "Analysis/IdentityLineage.h"
#include "Analysis/ReplayInvariance.h"
#include "Diagnostics/Diagnostics.h"
#include "Liveness.h"
#include "Names.h"
#include "Program.h"
#include "Support.h"
#include "Writer.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::pypto::orchestration {

//===----------------------------------------------------------------------===//
// Types and constants
//===----------------------------------------------------------------------===//

/// The bits of a scalar type; `index` has 64. Nothing when the type has no
/// translation.
std::optional<unsigned> getScalarWidth(Type type);
/// The C++ type that holds a scalar of this width.
StringRef getStorageType(unsigned width);
/// The bits of the storage type.
unsigned getStorageWidth(unsigned width);
/// The enumerator of an element type, such as `DataType::FLOAT32`.
StringRef getDataType(Type elementType);
/// The bit pattern of a scalar constant, if it has a translation.
std::optional<uint64_t> getConstantBits(Attribute value);
/// `expr` converted to an integer type; a literal is left to the compiler,
/// which sees that it fits.
std::string convertTo(StringRef type, const std::string &expr);
/// A bit pattern as a literal of that width.
std::string getLiteral(uint64_t bits, unsigned width);

//===----------------------------------------------------------------------===//
// FunctionEmitter
//===----------------------------------------------------------------------===//

/// Emits the C++ of one graph or host function.
class FunctionEmitter {
public:
  FunctionEmitter(Program &program, Support &support, graph::FuncOp func);

  /// The definition. Errors are reported; `failed` says whether there were any.
  std::string emit();
  /// The head of the definition, without the body.
  std::string getPrototype();
  bool failed() const { return hasFailed; }

private:
  //===--------------------------------------------------------------------===//
  // Functions and control flow (FunctionEmitter.cpp, Control.cpp)
  //===--------------------------------------------------------------------===//

  void checkEntry();
  void bindSlots(StringRef args, StringRef tensorPrefix);
  void emitHelperHead();
  void emitReturn(graph::ReturnOp op);
  /// The operations of a block but the terminator, and what `end` emits, in a
  /// scope of names.
  void emitBlock(Block &block, llvm::function_ref<void()> end);
  void emitOp(Operation *op);
  void emitFor(scf::ForOp loop);
  std::string getForHead(scf::ForOp loop, StringRef iterations);
  /// Whether a plain comparison with the upper bound ends the loop right.
  bool isPlainFor(scf::ForOp loop);
  void emitWhile(scf::WhileOp loop);
  std::string getTripCount(scf::ForOp loop);
  std::string getWishForCarried(Value init);
  void emitIf(scf::IfOp branch);
  bool hasLiveCode(Operation *parent, Block &block);
  void emitScope(graph::ScopeOp scope);
  void reportAutoScope(Location loc, const Twine &what);
  void emitSwitch(scf::IndexSwitchOp branch);
  /// A region that runs once, in a block that begins with `head`.
  void emitOnce(Operation *op, StringRef head);
  /// Declares a variable for each live result and makes it the result's
  /// expression.
  void declareResults(ValueRange results, StringRef wish);
  /// Assigns to variables, all at once, those of `targets` that are live.
  void assign(ValueRange targets, ValueRange values);
  void declareVariable(Value value, StringRef wish, StringRef init);

  //===--------------------------------------------------------------------===//
  // Scalars (Scalars.cpp, ScalarOps.cpp)
  //===--------------------------------------------------------------------===//

  /// Emits a computation of scalars; false when it has no translation.
  bool emitScalarOp(Operation *op);
  std::optional<std::string> getScalarExpr(Operation *op);
  std::optional<std::string> getIntegerExpr(Operation *op);
  std::optional<std::string> getComparisonExpr(Operation *op);
  std::optional<std::string> getFloatExpr(Operation *op);
  std::optional<std::string> getMathExpr(Operation *op);
  std::optional<std::string> getConversionExpr(Operation *op);
  std::string getSigned(Value value);
  std::string getWideSigned(Value value);
  std::string getWide(Value value);
  std::string getFloat(Value value);
  std::string fromFloat(const std::string &expr, Type type);
  std::string fromInteger(const std::string &expr, Type type);
  std::string getSelect(StringRef condition, Value a, Value b, Type type);

  //===--------------------------------------------------------------------===//
  // Tensors and arrays (Tensors.cpp)
  //===--------------------------------------------------------------------===//

  void emitAllocations(ArrayRef<Operation *> batch);
  std::string emitCreateInfo(graph::GraphTensorType type, ValueRange sizes,
                             StringRef name, Location loc);
  void emitSlice(graph::SliceOp op);
  void emitView(graph::ViewOp op);
  void emitDim(graph::DimOp op);
  void emitRead(graph::ReadOp op);
  void emitArrayInsert(graph::ArrayInsertOp op);
  void emitArrayExtract(graph::ArrayExtractOp op);
  void emitSelect(Operation *op);
  /// An array of `uint32_t` extents or offsets; the name of it.
  std::string emitExtents(StringRef wish, ArrayRef<std::string> extents);
  std::string getIndex(OpFoldResult index);
  bool checkExtents(ArrayRef<int64_t> extents, StringRef what, Location loc);

  //===--------------------------------------------------------------------===//
  // Tasks (Tasks.cpp)
  //===--------------------------------------------------------------------===//

  void emitLaunch(graph::LaunchOpInterface launch);
  void emitTaskComment(Operation *op, StringRef what, unsigned number);
  void emitTask(graph::LaunchOpInterface launch, graph::FuncOp callee);
  void emitDummy(graph::TaskDummyOp op);
  void emitGraphLaunch(graph::LaunchOpInterface launch, graph::FuncOp callee);
  void emitHelperCall(graph::LaunchOpInterface launch, graph::FuncOp callee);
  /// Adds tensor operands, `params` in their order, by their directions.
  void emitTensorArgs(graph::LaunchOpInterface launch,
                      ArrayRef<unsigned> params, StringRef args);
  void emitScalarArgs(graph::LaunchOpInterface launch,
                      ArrayRef<unsigned> params, StringRef args,
                      StringRef prefix);
  /// The lvalue to pass for a scalar, by its address the slot itself when the
  /// value is one of a graph function.
  std::string getScalarLvalue(Operation *launch, unsigned index, Value value,
                              StringRef wish);
  void emitDependencies(OperandRange deps, StringRef args, StringRef number,
                        Location loc);
  void emitLaunchSpec(graph::LaunchOpInterface launch, graph::FuncOp callee,
                      StringRef args);
  void emitPredicate(graph::SubmitOp op, StringRef args, StringRef number);
  /// What the runtime allocates for a task: omitted parameters and untied
  /// results. Null where there is no such tensor.
  SmallVector<graph::GraphTensorType>
  getRuntimeOutputs(graph::LaunchOpInterface launch, graph::FuncOp callee);
  void bindOutputs(graph::LaunchOpInterface launch, graph::FuncOp callee,
                   StringRef outputs);
  bool checkTask(graph::LaunchOpInterface launch, size_t numTensors,
                 size_t numScalars);

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  /// Names handed out while it lives are those of an inner scope.
  class NameScope {
  public:
    explicit NameScope(FunctionEmitter &emitter)
        : emitter(emitter), outer(std::move(emitter.names)) {
      emitter.names = Names(&outer);
    }
    ~NameScope() { emitter.names = std::move(outer); }
    NameScope(const NameScope &) = delete;
    NameScope &operator=(const NameScope &) = delete;

  private:
    FunctionEmitter &emitter;
    Names outer;
  };

  /// The expression of a value: a name, or a literal for a constant scalar.
  std::string use(Value value);
  /// The slot a scalar is, by its name; empty when it is none.
  StringRef getSlot(Value value) const;
  std::string useResolved(Value value);
  /// A new name for `value`, which becomes its expression.
  std::string name(Value value, StringRef wish);
  /// A new name that is no value's.
  std::string getName(const Twine &wish) { return names.get(wish.str()); }
  /// `value` is what `expr` is.
  void bind(Value value, std::string expr) { exprs[value] = std::move(expr); }
  bool isLive(Value value) const { return liveness.isLive(value); }
  /// The C++ type of a variable; reports an error when there is none.
  std::string getVariableType(Type type, Location loc);

  InFlightDiagnostic error(Location loc, DiagnosticCode code) {
    hasFailed = true;
    return emitCodedError(loc, code);
  }
  void unsupported(Operation *op);
  /// The value that `value` is, traced back as far as what it is is visible
  /// wherever `value` is.
  Value resolve(Value value) const;

  Program &program;
  Support &support;
  graph::FuncOp func;
  CalleeTies &ties;
  /// Which value is another one, by whose name it goes.
  IdentityLineage identity;
  /// What `resolve` found out.
  mutable DenseMap<Value, Value> resolved;
  /// Of graph functions alone: what never varies.
  std::optional<ReplayInvariance> invariance;
  Liveness liveness;
  Writer out;
  Names names;
  DenseMap<Value, std::string> exprs;
  /// Scalars that are slots, by the name of the reference.
  DenseMap<Value, std::string> slots;
  /// Names of scalars that have an address of their own.
  llvm::StringSet<> ownScalars;
  /// Variables that hold an array and may be written.
  llvm::StringSet<> ownArrays;
  /// References to what the results of a host function are assigned to.
  SmallVector<std::string> results;
  unsigned numTasks = 0;
  bool inManualScope = false;
  bool hasFailed = false;
};

} // namespace mlir::pypto::orchestration

#endif // PYPTO_TARGET_ORCHESTRATION_FUNCTIONEMITTER_H
