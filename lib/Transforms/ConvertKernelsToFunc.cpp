//===- ConvertKernelsToFunc.cpp - Kernels as functions on memrefs ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics/Diagnostics.h"
#include "Graph/Graph.h"
#include "Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_CONVERTKERNELSTOFUNC
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

namespace {
struct ConvertKernelsToFunc
    : pypto::impl::ConvertKernelsToFuncBase<ConvertKernelsToFunc> {
  using ConvertKernelsToFuncBase::ConvertKernelsToFuncBase;

  void runOnOperation() override;
};

/// Turns one kernel, which has been checked, into a function.
class KernelConversion {
public:
  KernelConversion(RewriterBase &rewriter, FuncOp kernel, bool strided)
      : rewriter(rewriter), kernel(kernel), strided(strided) {}

  void run();

private:
  Type convertType(Type type) const;
  void convertOp(Operation *op);
  void convertLoad(LoadOp op);
  void convertStore(StoreOp op);
  Value makeWindow(Location loc, Value tensor, RankedTensorType tile,
                   ArrayRef<int64_t> staticOffsets, ValueRange offsets);

  RewriterBase &rewriter;
  FuncOp kernel;
  bool strided;
  IRMapping mapping;
  /// Tensors by how often they are stored to, and those that are loaded.
  DenseMap<Value, unsigned> numStores;
  DenseSet<Value> loaded;
};
} // namespace

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static bool isKernel(FuncOp func) {
  return !func.isExternal() && func.isDeviceFunction() &&
         llvm::any_of(func.getBody().front(),
                      [](Operation &op) { return isa<LoadOp, StoreOp>(op); });
}

static LogicalResult refuse(Operation *op, const Twine &message) {
  InFlightDiagnostic diag =
      emitCodedError(op->getLoc(), DiagnosticCode::AscUnsupported) << message;
  diag.attachNote() << "a kernel is lowered with loads, stores and operations "
                       "on tensors and scalars";
  return diag;
}

static LogicalResult checkKernel(FuncOp kernel) {
  bool valid = true;
  auto isHandle = llvm::IsaPred<GraphTensorType, TaskIdType, ArrayType>;
  kernel.getBody().walk([&](Operation *op) {
    auto store = dyn_cast<StoreOp>(op);
    bool isMemory = isa<LoadOp, StoreOp, DimOp>(op);
    if (store && store.getAtomicAdd())
      valid &= succeeded(refuse(op, "'graph.store' with 'atomic_add' cannot be "
                                    "lowered"));
    else if (!isMemory && !isa<ReturnOp>(op) &&
             (llvm::any_of(op->getOperandTypes(), isHandle) ||
              llvm::any_of(op->getResultTypes(), isHandle)))
      valid &= succeeded(refuse(op, "'" + op->getName().getStringRef() +
                                        "' in a kernel cannot be lowered"));
    if (isMemory)
      for (Value operand : op->getOperands())
        if (isHandle(operand.getType()) && !isa<BlockArgument>(operand))
          valid = false; // Made by an operation that was reported.
  });
  for (auto [i, type] : llvm::enumerate(kernel.getResultTypes()))
    if (!kernel.getTiedParam(i))
      valid &= succeeded(refuse(
          kernel, "result #" + Twine(i) + " of kernel '@" +
                      kernel.getSymName() + "' is tied to no parameter"));
  for (Type type : kernel.getArgumentTypes())
    if (isa<TaskIdType, ArrayType>(type))
      valid &= succeeded(refuse(kernel, "kernel '@" + kernel.getSymName() +
                                            "' has a parameter that is neither "
                                            "a graph tensor nor a scalar"));
  return success(valid);
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

static Type getSignlessType(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? IntegerType::get(type.getContext(), integer.getWidth())
                 : type;
}

/// In memory an i1 takes a byte.
static Type getMemoryType(Type type) {
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 8)
                           : getSignlessType(type);
}

/// A tile of i1 from one of i8, and back.
static Value convertTruth(RewriterBase &rewriter, Location loc, Value tile,
                          Type element) {
  auto type = cast<RankedTensorType>(tile.getType());
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, type.getShape(), element);
  AffineMap map = rewriter.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto body = [&](OpBuilder &builder, Location bodyLoc, ValueRange args) {
    Value result;
    if (element.isInteger(1)) {
      Value zero = arith::ConstantOp::create(builder, bodyLoc,
                                             builder.getI8IntegerAttr(0));
      result = arith::CmpIOp::create(builder, bodyLoc, arith::CmpIPredicate::ne,
                                     args[0], zero);
    } else {
      result = arith::ExtUIOp::create(builder, bodyLoc, element, args[0]);
    }
    linalg::YieldOp::create(builder, bodyLoc, result);
  };
  return linalg::GenericOp::create(rewriter, loc, type.clone(element), tile,
                                   empty, ArrayRef<AffineMap>{map, map},
                                   iterators, body)
      .getResult(0);
}

Type KernelConversion::convertType(Type type) const {
  auto tensor = dyn_cast<GraphTensorType>(type);
  if (!tensor)
    return getSignlessType(type);
  MemRefLayoutAttrInterface layout;
  if (strided)
    layout = StridedLayoutAttr::get(
        type.getContext(), ShapedType::kDynamic,
        SmallVector<int64_t>(tensor.getRank(), ShapedType::kDynamic));
  return MemRefType::get(tensor.getShape(),
                         getMemoryType(tensor.getElementType()), layout);
}

void KernelConversion::run() {
  rewriter.setInsertionPoint(kernel);
  SmallVector<Type> types = llvm::map_to_vector(
      kernel.getArgumentTypes(), [&](Type type) { return convertType(type); });
  auto func =
      func::FuncOp::create(rewriter, kernel.getLoc(), kernel.getSymName(),
                           FunctionType::get(kernel.getContext(), types, {}));
  func->setAttr("llvm.emit_c_interface", rewriter.getUnitAttr());
  Block *body = func.addEntryBlock();
  mapping.map(kernel.getArguments(), body->getArguments());
  kernel.getBody().walk([&](StoreOp op) { ++numStores[op.getDest()]; });
  kernel.getBody().walk([&](LoadOp op) { loaded.insert(op.getSource()); });
  rewriter.setInsertionPointToStart(body);
  for (Operation &op : kernel.getBody().front())
    convertOp(&op);
  rewriter.eraseOp(kernel);
}

void KernelConversion::convertOp(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return convertLoad(load);
  if (auto store = dyn_cast<StoreOp>(op))
    return convertStore(store);
  if (auto dim = dyn_cast<DimOp>(op)) {
    Value extent = memref::DimOp::create(rewriter, op->getLoc(),
                                         mapping.lookup(dim.getSource()),
                                         mapping.lookup(dim.getAxis()));
    mapping.map(dim.getResult(), extent);
    return;
  }
  if (isa<ReturnOp>(op)) {
    func::ReturnOp::create(rewriter, op->getLoc());
    return;
  }
  rewriter.clone(*op, mapping);
}

/// The memref of a tile in a tensor. Offsets that are values are clamped.
Value KernelConversion::makeWindow(Location loc, Value tensor,
                                   RankedTensorType tile,
                                   ArrayRef<int64_t> staticOffsets,
                                   ValueRange offsets) {
  Value whole = mapping.lookup(tensor);
  auto type = cast<MemRefType>(whole.getType());
  bool isWhole = type.getShape() == tile.getShape() &&
                 llvm::all_of(staticOffsets, [](int64_t o) { return o == 0; });
  if (isWhole)
    return whole;
  SmallVector<OpFoldResult> starts;
  size_t next = 0;
  for (auto [axis, literal] : llvm::enumerate(staticOffsets)) {
    if (!ShapedType::isDynamic(literal)) {
      starts.push_back(rewriter.getIndexAttr(literal));
      continue;
    }
    Value start = mapping.lookup(offsets[next++]);
    Value extent = rewriter.createOrFold<memref::DimOp>(loc, whole, axis);
    Value length =
        arith::ConstantIndexOp::create(rewriter, loc, tile.getDimSize(axis));
    Value last = arith::SubIOp::create(rewriter, loc, extent, length);
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    start = arith::MinSIOp::create(rewriter, loc, start, last);
    start = arith::MaxSIOp::create(rewriter, loc, start, zero);
    starts.push_back(start);
  }
  return memref::SubViewOp::create(
      rewriter, loc, whole, starts,
      getAsIndexOpFoldResult(rewriter.getContext(), tile.getShape()),
      SmallVector<OpFoldResult>(tile.getRank(), rewriter.getIndexAttr(1)));
}

void KernelConversion::convertLoad(LoadOp op) {
  Location loc = op.getLoc();
  auto tile = cast<RankedTensorType>(op.getResult().getType());
  bool isTruth = tile.getElementType().isInteger(1);
  tile = tile.clone(getMemoryType(tile.getElementType()));
  Value window = makeWindow(loc, op.getSource(), tile, op.getStaticOffsets(),
                            op.getOffsets());
  if (numStores.contains(op.getSource())) {
    Value copy = memref::AllocOp::create(
        rewriter, loc, MemRefType::get(tile.getShape(), tile.getElementType()));
    memref::CopyOp::create(rewriter, loc, window, copy);
    window = copy;
  }
  Value value = bufferization::ToTensorOp::create(rewriter, loc, tile, window,
                                                  /*restrict=*/true);
  if (isTruth)
    value = convertTruth(rewriter, loc, value, rewriter.getI1Type());
  mapping.map(op.getResult(), value);
}

void KernelConversion::convertStore(StoreOp op) {
  Location loc = op.getLoc();
  Value value = mapping.lookup(op.getValue());
  if (getElementTypeOrSelf(value.getType()).isInteger(1))
    value = convertTruth(rewriter, loc, value, rewriter.getI8Type());
  Value window =
      makeWindow(loc, op.getDest(), cast<RankedTensorType>(value.getType()),
                 op.getStaticOffsets(), op.getOffsets());
  // What is stored once and never read may be computed right there. Else it
  // must not appear before its time.
  if (loaded.contains(op.getDest()) || numStores.lookup(op.getDest()) > 1) {
    auto tile = cast<RankedTensorType>(value.getType());
    Value buffer = bufferization::ToBufferOp::create(
        rewriter, loc, MemRefType::get(tile.getShape(), tile.getElementType()),
        value, /*read_only=*/true);
    memref::CopyOp::create(rewriter, loc, buffer, window);
    return;
  }
  auto store = bufferization::MaterializeInDestinationOp::create(
      rewriter, loc, /*result=*/Type(), value, window);
  store.setRestrict(true);
  store.setWritable(true);
}

void ConvertKernelsToFunc::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<FuncOp> kernels;
  bool valid = true;
  for (auto func : module.getOps<FuncOp>())
    if (isKernel(func)) {
      kernels.push_back(func);
      valid &= succeeded(checkKernel(func));
    }
  // One walk for all names, rather than one a name.
  DenseSet<StringAttr> names;
  for (FuncOp kernel : kernels)
    names.insert(kernel.getSymNameAttr());
  module.walk([&](LaunchOpInterface launch) {
    FlatSymbolRefAttr callee = launch.getLaunchCallee();
    if (callee && names.contains(callee.getAttr()))
      valid &= succeeded(refuse(launch, "kernel '@" + callee.getValue() +
                                            "' is still launched"));
  });
  if (!valid)
    return signalPassFailure();
  IRRewriter rewriter(&getContext());
  for (FuncOp kernel : kernels)
    KernelConversion(rewriter, kernel, strided).run();
}
