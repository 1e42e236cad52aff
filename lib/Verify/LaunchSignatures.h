//===- LaunchSignatures.h - What launches are recognised by -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recording is replayed by launches of the same signature alone: the shapes,
// strides, buffer sizes and directions of the boundary tensors, and which of
// them are one buffer. A launch that differs runs as ordinary tasks, without a
// message. Private to lib/Verify.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_VERIFY_LAUNCHSIGNATURES_H
#define PYPTO_VERIFY_LAUNCHSIGNATURES_H

#include "Analysis/AffineForm.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::pypto::verify {

/// An extent, a stride or a number of elements.
struct Quantity {
  std::optional<int64_t> constant;
  /// Whether it certainly is not always the same where it is passed.
  bool isVarying = false;

  bool operator==(const Quantity &other) const {
    return constant == other.constant && isVarying == other.isVarying;
  }
  /// Whether the two are certainly not the same.
  bool differsFrom(const Quantity &other) const {
    return constant && other.constant && *constant != *other.constant;
  }
};

/// What is known of a tensor that a launch passes.
struct TensorSignature {
  /// What made the buffer; null when it may be one of several.
  Value buffer;
  Quantity bufferSize;
  SmallVector<Quantity, 2> shape, strides;

  bool operator==(const TensorSignature &other) const {
    return buffer == other.buffer && bufferSize == other.bufferSize &&
           shape == other.shape && strides == other.strides;
  }
};

/// The tensors a launch passes to the tensor parameters, in order.
using LaunchSignature = SmallVector<TensorSignature, 0>;

/// What is known of the tensors of one function of the host when it is called
/// with certain arguments.
class TensorSignatures {
public:
  /// `params` has the tensor parameters. What is not known of `forms`' function
  /// is not asked.
  TensorSignatures(const IdentityLineage &identity, AffineForms &forms,
                   CalleeTies &ties, LaunchSignature params)
      : identity(identity), forms(forms), ties(ties),
        params(std::move(params)) {}

  const LaunchSignature &getParams() const { return params; }
  const TensorSignature &get(Value tensor);

  /// What a loop carries in one of its iterations.
  using Carried = DenseMap<Value, TensorSignature>;
  Carried getFirst(scf::ForOp loop);
  Carried getNext(scf::ForOp loop, const Carried &carried);
  /// A tensor in such an iteration.
  TensorSignature getIn(Value tensor, const Carried &carried);

private:
  SmallVector<Value> getEntering(Value merge) const;
  SmallVector<Value> getDependencies(Value source) const;
  TensorSignature compute(Value source);
  TensorSignature computeWindow(TensorSignature source, Operation *window);
  std::optional<TensorSignature> computeResult(Value result);
  TensorSignature join(Value merge);
  Quantity getQuantity(OpFoldResult value);

  const IdentityLineage &identity;
  AffineForms &forms;
  CalleeTies &ties;
  LaunchSignature params;
  /// Few for most functions, and large.
  DenseMap<Value, std::unique_ptr<TensorSignature>> tensors;
};

/// Compares the launches of each graph function that a run from an entry
/// reaches.
class LaunchSignatures {
public:
  LaunchSignatures(CalleeTies &ties, IdentityLineages &lineages,
                   bool strictAliasing)
      : ties(ties), lineages(lineages), strictAliasing(strictAliasing) {}

  using Launches = ArrayRef<std::pair<graph::LaunchOpInterface, graph::FuncOp>>;

  /// Makes a function of the host known, with its launches of graphs and its
  /// calls of functions of the host.
  void addFunction(graph::FuncOp func, Launches launches);

  /// Warns of the launches that a run from `entry` reaches whose signature is
  /// certainly not that of the first launch of the function.
  void compareFrom(graph::FuncOp entry);

private:
  struct Function {
    graph::FuncOp func;
    Launches launches;
    const IdentityLineage *identity = nullptr;
    std::unique_ptr<AffineForms> forms;
    /// As its calls run it, told apart by what they pass.
    SmallVector<std::unique_ptr<TensorSignatures>, 1> contexts;
  };
  /// A launch of a graph, with the call of the function it stands in.
  struct Launch {
    graph::LaunchOpInterface op, call;
    LaunchSignature signature;
    /// Of the loop around it that carries tensors.
    unsigned iteration = 0;
  };

  /// Whether a launch in `caller` can differ from another one, or from itself.
  bool needsComparison(graph::LaunchOpInterface launch, graph::FuncOp callee,
                       const Function &caller, graph::FuncOp entry) const;
  TensorSignatures *enter(Function &function, LaunchSignature params);
  LaunchSignature getEntryParams(graph::FuncOp entry) const;
  SmallVector<LaunchSignature, 1>
  getArgumentsByIteration(graph::LaunchOpInterface launch, graph::FuncOp callee,
                          const Function &caller, TensorSignatures &tensors);
  void compare(const Launch &first, const Launch &other, graph::FuncOp graph);

  CalleeTies &ties;
  IdentityLineages &lineages;
  bool strictAliasing;
  llvm::MapVector<Operation *, Function> functions;
  /// How many launches each graph function has.
  DenseMap<Operation *, unsigned> numLaunches;
  llvm::DenseSet<Operation *> reported;
};

} // namespace mlir::pypto::verify

#endif // PYPTO_VERIFY_LAUNCHSIGNATURES_H
