//===- Origins.h - Where tensors lie in their buffers -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Distances of tensors of one buffer are differences of offsets, affine in the
// scalars of the function and, at a launch, in those of its caller.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_GRAPHBOUNDARY_ORIGINS_H
#define PYPTO_TRANSFORMS_GRAPHBOUNDARY_ORIGINS_H

#include "Analysis/AffineForm.h"
#include "Transforms/GraphBoundary/Progression.h"

namespace mlir::pypto {

using Offsets = SmallVector<AffineForm, 2>;

/// Where a tensor lies.
struct Origin {
  /// The buffers it may be in.
  SmallVector<Value, 1> roots;
  /// What it is a window of: a buffer, or what control flow makes of several.
  Value anchor;
  /// The tensor along whose axes `offsets` count: the anchor, or a reshape of a
  /// window of it.
  Value frame;
  /// How far it is from the start of the frame, when known.
  std::optional<Offsets> offsets;
  /// How many elements of the anchor come before the frame, when known.
  std::optional<AffineForm> frameStart;

  /// A tensor that is no window.
  static Origin ofAnchor(Value anchor, SmallVector<Value, 1> roots);

  bool operator==(const Origin &other) const {
    return roots == other.roots && anchor == other.anchor &&
           frame == other.frame && offsets == other.offsets &&
           frameStart == other.frameStart;
  }

  bool isWindowOfRoot() const {
    return offsets && roots.size() == 1 && roots.front() == anchor;
  }
  /// How many elements of the anchor come before the tensor, as far as extents
  /// are static.
  std::optional<AffineForm> getPosition() const;
};

/// How far two tensors of one buffer are apart.
struct Distance {
  enum Kind {
    Constant, ///< the same on every execution
    NonZero,  ///< varies, but they never start at the same element
    Mixed, ///< on some executions they start at the same element, on some not
    Unknown,
  };
  Kind kind = Unknown;
  /// By axis, or in elements when the tensors count along different axes; empty
  /// when nothing is known.
  Offsets forms;
  bool isByAxis = true;

  bool isZero() const {
    return kind == Constant && llvm::all_of(forms, [](const AffineForm &form) {
             return form.isConstant() && form.getConstant() == 0;
           });
  }
  bool isNeverZero() const {
    return kind == NonZero || (kind == Constant && !isZero());
  }
};

/// How far `a` is from `b`; `launch` is where they are passed, null inside the
/// graph function.
Distance measure(const Origin &a, const Origin &b, Operation *launch);

/// What the forms are in the first iteration of the loops around `launch`.
Offsets atFirstIteration(ArrayRef<AffineForm> forms, Operation *launch);

/// Origins of the tensors of one function, by `AffineForms` of its scalars.
class Origins {
public:
  explicit Origins(const IdentityLineage &identity)
      : identity(identity), forms(identity) {}

  const Origin &get(Value tensor);
  /// The origins the tensor may have, each a window of one buffer; none when
  /// they are not known or too many.
  SmallVector<Origin, 2> getAlternatives(Value tensor);
  AffineForms &getForms() { return forms; }
  const IdentityLineage &getIdentity() const { return identity; }

private:
  std::optional<SmallVector<Value, 4>> getEntering(Value merge) const;
  SmallVector<Value, 4> getDependencies(Value source) const;
  Origin compute(Value source);
  std::optional<Origin> computeCommon(Value merge);

  const IdentityLineage &identity;
  AffineForms forms;
  /// Few for most functions, and large.
  DenseMap<Value, std::unique_ptr<Origin>> origins;
};

/// `Origins` of the functions that launch graphs, made when first asked for.
class HostOrigins {
public:
  explicit HostOrigins(IdentityLineages &lineages) : lineages(lineages) {}

  Origins &get(graph::FuncOp func) {
    std::unique_ptr<Origins> &entry = origins[func];
    if (!entry)
      entry = std::make_unique<Origins>(lineages.get(func));
    return *entry;
  }

private:
  IdentityLineages &lineages;
  DenseMap<Operation *, std::unique_ptr<Origins>> origins;
};

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_GRAPHBOUNDARY_ORIGINS_H
