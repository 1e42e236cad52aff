//===- NodeKinds.cpp - What a plan of types sees in a node ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Precision/NodeKinds.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::asc;

unsigned NodeKinds::classify(Operation *op) const {
  if (!isNode(op))
    return 0;
  unsigned kind = Node;
  if (isa<StoreOp>(op))
    kind |= Store;
  else if (isa<ScalarOp>(op))
    kind |= Scalar | Lifted;
  else if (isa<CastOp>(op))
    kind |= Cast;
  else if (!isa<LoadOp>(op))
    kind |= Computing | Lifted;
  if (isa<BroadcastOp, TransposeOp>(op))
    kind |= Move;
  if (isa<MatmulOp, ConcatOp, SplitOp>(op))
    kind |= Pinning;
  if (blacklist.contains(op->getName().stripDialect()))
    kind = (kind & ~Lifted) | Blacklisted;
  return kind;
}
