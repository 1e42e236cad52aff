//===- Runtime.h - A model of the record-and-replay runtime -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a module of the graph dialect on real buffers, in two ways: *eagerly*,
// where graph functions are ordinary functions, and by *record and replay*,
// where a graph function runs once while its tasks are recorded, and from then
// on only the descriptors of its boundary tensors and the values of its
// boundary scalars are looked at. Where the two differ, a value was frozen.
//
// The model knows the dialect and the rules of the runtime. It knows nothing of
// the passes and their analyses: it is there to judge what they decide.
//
//     std::unique_ptr<Program> program = Program::load(module);
//     program->bindKernel("k", [](const KernelCall &call, std::string &error) {
//       …
//     });
//     RunResult result = program->run("main", arguments, options);
//     Report report = program->compare("main", calls, options);
//     report.print(llvm::outs());
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_RUNTIME_RUNTIME_H
#define PYPTO_RUNTIME_RUNTIME_H

#include "Runtime/Element.h"
#include "Runtime/Tile.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::pypto::runtime {

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// A parameter of an entry, for whoever makes arguments for it.
struct ParamInfo {
  std::string name;
  bool isTensor;
  /// May be written: `out` or `inout`.
  bool isWritten;
  /// Of a tensor: extents (`ShapedType::kDynamic` where open) and elements.
  SmallVector<int64_t> shape;
  ElementType element;
  /// Of a scalar.
  ScalarKind kind;
};

/// A window of memory that belongs to the caller. Two arguments name the same
/// buffer exactly when `data` is the same; otherwise their bytes must not
/// overlap. Strides and the offset count elements. With symbolic data, `data`
/// may be null and names nothing but itself.
struct TensorArgument {
  char *data = nullptr;
  int64_t sizeInBytes = 0;
  int64_t startOffset = 0;
  SmallVector<int64_t> shape;
  /// Row-major when empty.
  SmallVector<int64_t> strides;
};

/// A tensor, or the bit pattern of a scalar masked to its width.
using Argument = std::variant<TensorArgument, uint64_t>;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// One tensor a kernel was given.
struct KernelTensor {
  /// First element of the window.
  char *data;
  ArrayRef<int64_t> shape;
  /// In elements.
  ArrayRef<int64_t> strides;
  ElementType type;
  /// False for an `in` parameter: the kernel must not write it.
  bool isWritten;
};

struct KernelCall {
  StringRef name;
  /// Tensors and scalars, each in the order of the parameters.
  ArrayRef<KernelTensor> tensors;
  ArrayRef<uint64_t> scalars;
  ArrayRef<ScalarKind> scalarKinds;
  int64_t blockCount;
};

/// A kernel from outside. Returns whether it succeeded; `error` becomes the
/// message of an error located on the launch.
using KernelFn =
    std::function<bool(const KernelCall &call, std::string &error)>;

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// In which order tasks run that do not depend on each other.
enum class Order : uint8_t {
  /// As they were launched.
  Program,
  /// The latest one that is ready.
  Reverse,
  /// Any one that is ready, by the seed.
  Random
};

struct RunOptions {
  Order order = Order::Program;
  uint64_t seed = 1;
  /// No bytes: buffers remember who wrote which window. Every kernel, with a
  /// body or not, is a hash of what it got. Extents may be of any size.
  bool symbolic = false;
  /// Keep recordings from one call of an entry to the next. The runtime does
  /// not: its cache lives for one run.
  bool keepRecordings = false;
  /// Order writers after earlier readers and writers, which the runtime leaves
  /// to the program.
  bool orderReaders = false;
  /// Record and replay, rather than run graph functions as functions. (Set by
  /// `compare` as needed.)
  bool replay = false;
  /// Keep every task for `compare`.
  bool keepTasks = false;
  /// Error after so many iterations and calls on the host.
  uint64_t maxSteps = uint64_t(1) << 32;
  /// Error when allocations take more bytes than this in all.
  int64_t maxBytes = int64_t(1) << 33;
};

/// Something that went wrong, or a difference explained.
struct Problem {
  std::string message;
  /// `file:line:column` of the operation at fault.
  std::string location;
  /// The rule of the runtime behind it; empty for errors of the program.
  std::string rule;
  Location loc;
};

/// What a graph launch came to.
struct Event {
  enum class Kind : uint8_t {
    Recorded,
    Replayed,
    /// Ran as ordinary tasks.
    Fallback,
    /// Something was ignored.
    Dropped
  };
  Kind kind;
  std::string function;
  /// Why, for the last two kinds.
  std::string reason;
  std::string location;
};
StringRef stringify(Event::Kind kind);

struct RunResult {
  /// Set when the run could not be finished.
  std::optional<Problem> problem;
  std::vector<Event> events;
  /// Host operations executed, and tasks launched.
  uint64_t numOps = 0;
  uint64_t numTasks = 0;
  /// Results of the entry that are scalars, by position; others are 0.
  SmallVector<uint64_t> scalarResults;

  bool succeeded() const { return !problem; }
};

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// The first difference between what the two runs of a call left behind.
struct BufferDifference {
  /// Name of the entry's parameter.
  std::string param;
  SmallVector<int64_t> index;
  std::string eager, replayed;
};

/// The operand of a task that a replay bound otherwise than the program.
struct Culprit {
  std::string kernel;
  /// Of the launch, and of the operation that made the operand if there is one.
  std::string location, operandLocation;
  /// "argument #1 (%w)", "scalar …", "the block count".
  std::string operand;
  std::string eager, replayed;
  /// How the recording refers to the operand, and the rule that made it so.
  std::string source, rule;
  /// Number of the task among those of the call, and of the node.
  uint64_t task = 0;
  int node = -1;
};

/// Two tasks that nothing orders although one writes what the other touches:
/// then the result depends on the order also without recording.
struct Race {
  std::string first, second;
  std::string firstLocation, secondLocation;
  std::string window;
  /// Why the runtime does not order them.
  std::string rule;
};

struct CallReport {
  /// Same results, and neither run failed.
  bool agrees = false;
  std::optional<Problem> eagerProblem, replayProblem;
  std::vector<Event> events;
  std::optional<BufferDifference> difference;
  /// May be set although the results agree: the operand did not matter.
  std::optional<Culprit> culprit;
  /// Set when the results differ, the tasks were the same and the order was not
  /// that of the program.
  std::optional<Race> race;
  uint64_t numTasks = 0;
  int numReplays = 0;
};

struct Report {
  std::vector<CallReport> calls;

  bool agrees() const;
  void print(llvm::raw_ostream &os) const;
};

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

class Program {
public:
  /// Prepares a verified module, which must not change and must outlive this.
  static std::unique_ptr<Program> load(ModuleOp module);
  ~Program();

  /// Runs `function` for a kernel in place of its body.
  void bindKernel(StringRef name, KernelFn function);
  /// Interprets the operations of another dialect in kernel bodies. Before the
  /// first run only.
  void bindDialect(StringRef dialect, TileFunction function);

  /// The parameters of a function with a body; nothing when there is none of
  /// this name, or it has parameters no caller can pass.
  std::optional<std::vector<ParamInfo>> getParams(StringRef entry);

  /// Runs a function of kind `orchestration` or `opaque` (or any other on the
  /// host) on the caller's memory.
  RunResult run(StringRef entry, ArrayRef<Argument> arguments,
                const RunOptions &options = {});

  /// Runs the calls one after the other, each eagerly and by record and replay,
  /// on copies of the memory. What a `data` points to is copied when it is
  /// first seen; a later call with the same `data` finds what the eager run
  /// left there. The eager run always goes in program order.
  Report compare(StringRef entry, ArrayRef<std::vector<Argument>> calls,
                 const RunOptions &options = {});

  /// One JSON object a line for every recording of the last run by record and
  /// replay: the boundary, then a line a node.
  void dumpDefinitions(llvm::raw_ostream &os) const;

private:
  Program();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::pypto::runtime

#endif // PYPTO_RUNTIME_RUNTIME_H
