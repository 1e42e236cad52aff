//===- LaunchSignatures.cpp - What launches are recognised by -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchSignatures.h"

#include "Analysis/ReplayInvariance.h"
#include "Diagnostics/Diagnostics.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::verify;

//===----------------------------------------------------------------------===//
// One tensor
//===----------------------------------------------------------------------===//

/// Strides of a tensor without gaps; those behind an unknown extent only.
static SmallVector<Quantity, 2> getContiguousStrides(ArrayRef<Quantity> shape) {
  SmallVector<Quantity, 2> strides(shape.size());
  std::optional<int64_t> stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i].constant = stride;
    stride = stride && shape[i].constant
                 ? llvm::checkedMul(*stride, *shape[i].constant)
                 : std::nullopt;
  }
  return strides;
}

/// A buffer of its own of the given shape.
static TensorSignature makeBuffer(Value buffer,
                                  SmallVector<Quantity, 2> shape) {
  TensorSignature tensor;
  tensor.buffer = buffer;
  tensor.strides = getContiguousStrides(shape);
  std::optional<int64_t> size = 1;
  for (const Quantity &extent : shape)
    size = size && extent.constant ? llvm::checkedMul(*size, *extent.constant)
                                   : std::nullopt;
  tensor.bufferSize.constant = size;
  tensor.shape = std::move(shape);
  return tensor;
}

/// A tensor of which only the rank is known.
static TensorSignature makeUnknown(Value tensor) {
  unsigned rank = cast<GraphTensorType>(tensor.getType()).getRank();
  TensorSignature unknown;
  unknown.shape.resize(rank);
  unknown.strides.resize(rank);
  return unknown;
}

/// Extents that the type of a value says.
static void refine(TensorSignature &tensor, Type type) {
  auto tensorType = cast<GraphTensorType>(type);
  for (auto [extent, known] :
       llvm::zip_equal(tensor.shape, tensorType.getShape()))
    if (!ShapedType::isDynamic(known))
      extent = {known, /*isVarying=*/false};
}

static SmallVector<Quantity, 2> getTypeShape(Type type) {
  SmallVector<Quantity, 2> shape;
  for (int64_t extent : cast<GraphTensorType>(type).getShape())
    shape.push_back(ShapedType::isDynamic(extent) ? Quantity{}
                                                  : Quantity{extent, false});
  return shape;
}

Quantity TensorSignatures::getQuantity(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return {constant, false};
  const AffineForm &form = forms.get(cast<Value>(value));
  if (form.isConstant())
    return {form.getConstant(), false};
  // Counted by a loop that runs more than once?
  auto counter = dyn_cast<BlockArgument>(form.getTerms().front().first);
  auto loop = counter ? dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp())
                      : scf::ForOp();
  bool isVarying = form.getTerms().size() == 1 && loop &&
                   loop.getInductionVar() == counter &&
                   getConstantTripCount(loop, identity).value_or(0) > 1;
  return {std::nullopt, isVarying};
}

TensorSignature TensorSignatures::computeWindow(TensorSignature tensor,
                                                Operation *window) {
  auto slice = dyn_cast<SliceOp>(window);
  SmallVector<OpFoldResult> sizes =
      slice ? slice.getMixedSizes() : cast<ViewOp>(window).getMixedSizes();
  tensor.shape = llvm::map_to_vector<2>(
      sizes, [&](OpFoldResult size) { return getQuantity(size); });
  if (!slice)
    tensor.strides = getContiguousStrides(tensor.shape);
  refine(tensor, window->getResult(0).getType());
  return tensor;
}

//===----------------------------------------------------------------------===//
// What loops carry
//===----------------------------------------------------------------------===//

/// More iterations than this are not gone through.
static constexpr uint64_t kMaxIterations = 64;

/// The windows that `value` is taken by of the value it then is, inner ones
/// last.
static SmallVector<Operation *> stripWindows(Value &value,
                                             const IdentityLineage &identity) {
  constexpr size_t kMaxWindows = 64;
  SmallVector<Operation *> windows;
  value = identity.getSource(value);
  while (isa_and_nonnull<SliceOp, ViewOp>(value.getDefiningOp()) &&
         windows.size() != kMaxWindows) {
    windows.push_back(value.getDefiningOp());
    value = identity.getSource(windows.back()->getOperand(0));
  }
  return windows;
}

TensorSignature TensorSignatures::getIn(Value tensor, const Carried &carried) {
  Value value = tensor;
  SmallVector<Operation *> windows = stripWindows(value, identity);
  auto it = carried.find(value);
  if (it == carried.end())
    return get(tensor);
  TensorSignature signature = it->second;
  for (Operation *window : llvm::reverse(windows))
    signature = computeWindow(std::move(signature), window);
  return signature;
}

auto TensorSignatures::getFirst(scf::ForOp loop) -> Carried {
  Carried carried;
  for (auto [arg, init] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs()))
    if (isa<GraphTensorType>(arg.getType()))
      carried.try_emplace(arg, get(init));
  return carried;
}

auto TensorSignatures::getNext(scf::ForOp loop, const Carried &carried)
    -> Carried {
  Carried next;
  for (auto [arg, yielded] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    if (!isa<GraphTensorType>(arg.getType()))
      continue;
    TensorSignature signature = getIn(yielded, carried);
    // What is made in every iteration is another buffer in each.
    if (signature.buffer &&
        loop.getBodyRegion().isAncestor(signature.buffer.getParentRegion()))
      signature.buffer = Value();
    next.try_emplace(arg, std::move(signature));
  }
  return next;
}

/// What comes out of a loop that runs a few times.
std::optional<TensorSignature> TensorSignatures::computeResult(Value result) {
  auto loop = dyn_cast_or_null<scf::ForOp>(result.getDefiningOp());
  std::optional<uint64_t> count =
      loop ? getConstantTripCount(loop, identity) : std::nullopt;
  if (!count || *count > kMaxIterations)
    return std::nullopt;
  // All that is needed has been computed, but in code that is never reached.
  for (Value needed : getDependencies(result))
    if (!tensors.contains(needed))
      return std::nullopt;
  Carried carried = getFirst(loop);
  for (uint64_t i = 0; i != *count; ++i)
    carried = getNext(loop, carried);
  unsigned number = cast<OpResult>(result).getResultNumber();
  return carried.lookup(loop.getRegionIterArg(number));
}

/// What is the same for all that control flow may bring.
TensorSignature TensorSignatures::join(Value merge) {
  std::optional<TensorSignature> all;
  for (Value input : getEntering(merge)) {
    auto it = tensors.find(input);
    if (it == tensors.end())
      return makeUnknown(merge);
    const TensorSignature &tensor = *it->second;
    if (!all) {
      all = tensor;
      continue;
    }
    if (all->shape.size() != tensor.shape.size())
      return makeUnknown(merge);
    if (all->buffer != tensor.buffer)
      all->buffer = Value();
    auto meet = [](Quantity &known, const Quantity &other) {
      if (!(known == other))
        known = {};
    };
    meet(all->bufferSize, tensor.bufferSize);
    for (auto [known, other] : llvm::zip_equal(all->shape, tensor.shape))
      meet(known, other);
    for (auto [known, other] : llvm::zip_equal(all->strides, tensor.strides))
      meet(known, other);
  }
  return all ? *all : makeUnknown(merge);
}

TensorSignature TensorSignatures::compute(Value source) {
  Operation *op = source.getDefiningOp();
  if (isa_and_nonnull<SliceOp, ViewOp>(op)) {
    auto it = tensors.find(identity.getSource(op->getOperand(0)));
    // A window of itself, in code that is never reached.
    return it == tensors.end() ? makeUnknown(source)
                               : computeWindow(*it->second, op);
  }
  if (!identity.getInputs(source).empty())
    return computeResult(source).value_or(join(source));
  if (BlockArgument param = identity.getParameter(source)) {
    unsigned index = llvm::count_if(
        param.getOwner()->getArguments().take_front(param.getArgNumber()),
        [](Value other) { return isa<GraphTensorType>(other.getType()); });
    return params[index];
  }
  if (auto create = dyn_cast_or_null<CreateOp>(op)) {
    SmallVector<Quantity, 2> shape = getTypeShape(source.getType());
    unsigned next = 0;
    for (auto [i, extent] : llvm::enumerate(shape))
      if (cast<GraphTensorType>(source.getType()).isDynamicDim(i))
        extent = getQuantity(create.getDynamicSizes()[next++]);
    return makeBuffer(source, std::move(shape));
  }
  // Tasks make buffers, as far as their results are not tied. Functions of the
  // host may return windows of anything.
  LaunchOpInterface launch = op ? asLaunch(op) : LaunchOpInterface();
  FuncOp callee = launch ? ties.getCallee(launch) : FuncOp();
  if (isa_and_nonnull<FullOp>(op) || (callee && callee.isDeviceFunction()))
    return makeBuffer(source, getTypeShape(source.getType()));
  return makeUnknown(source);
}

/// What enters a merge and is none itself; nothing when that is too much.
SmallVector<Value> TensorSignatures::getEntering(Value merge) const {
  constexpr unsigned kMaxVisited = 64;
  SmallVector<Value> leaves, worklist = {merge};
  llvm::SmallDenseSet<Value> visited = {merge};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (value != merge && identity.getInputs(value).empty())
      leaves.push_back(value);
    for (Value input : llvm::reverse(identity.getInputs(value)))
      if (visited.insert(identity.getSource(input)).second)
        worklist.push_back(identity.getSource(input));
    if (visited.size() > kMaxVisited)
      return {};
  }
  return leaves;
}

/// The values whose signatures decide that of `source`: what it is a window of,
/// or what enters the merge and, when it comes out of a loop, what that starts
/// with and hands on.
SmallVector<Value> TensorSignatures::getDependencies(Value source) const {
  Operation *op = source.getDefiningOp();
  if (isa_and_nonnull<SliceOp, ViewOp>(op))
    return {identity.getSource(op->getOperand(0))};
  if (identity.getInputs(source).empty())
    return {};
  SmallVector<Value> dependencies = getEntering(source);
  if (auto loop = dyn_cast_or_null<scf::ForOp>(op)) {
    auto add = [&](Value value) {
      (void)stripWindows(value, identity);
      if (isa<GraphTensorType>(value.getType()) &&
          value.getParentBlock() != loop.getBody())
        dependencies.push_back(value);
    };
    llvm::for_each(loop.getInitArgs(), add);
    llvm::for_each(loop.getYieldedValues(), add);
  }
  return dependencies;
}

const TensorSignature &TensorSignatures::get(Value tensor) {
  Value wanted = identity.getSource(tensor);
  SmallVector<Value> stack = {wanted};
  llvm::SmallDenseSet<Value> started;
  while (!stack.empty()) {
    Value value = stack.back();
    if (!tensors.contains(value) && started.insert(value).second) {
      for (Value dependency : getDependencies(value))
        if (!tensors.contains(dependency))
          stack.push_back(dependency);
      continue;
    }
    stack.pop_back();
    if (tensors.contains(value))
      continue;
    auto signature = std::make_unique<TensorSignature>(compute(value));
    refine(*signature, value.getType());
    tensors.try_emplace(value, std::move(signature));
  }
  return *tensors.find(wanted)->second;
}

//===----------------------------------------------------------------------===//
// Two launches
//===----------------------------------------------------------------------===//

static std::string print(ArrayRef<Quantity> quantities) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      quantities, os,
      [&](const Quantity &quantity) {
        if (quantity.constant)
          os << *quantity.constant;
        else
          os << '?';
      },
      "x");
  return text;
}

static bool differ(ArrayRef<Quantity> a, ArrayRef<Quantity> b) {
  return llvm::any_of(llvm::zip(a, b), [](auto pair) {
    return std::get<0>(pair).differsFrom(std::get<1>(pair));
  });
}

/// Whether there are certainly no gaps, or certainly some.
static std::optional<bool> isContiguous(const TensorSignature &tensor) {
  SmallVector<Quantity, 2> strides = getContiguousStrides(tensor.shape);
  if (differ(strides, tensor.strides))
    return false;
  bool isKnown =
      llvm::all_of(llvm::concat<const Quantity>(strides, tensor.strides),
                   [](const Quantity &q) { return !!q.constant; });
  return isKnown ? std::optional(true) : std::nullopt;
}

/// How the runtime is told to order a launch after others, by an operand.
static std::string getDirection(LaunchOpInterface launch, unsigned operand) {
  if (ArrayAttr directions = launch.getLaunchDirections())
    return stringifyArgDirection(
               cast<ArgDirectionAttr>(directions[operand]).getValue())
        .str();
  return llvm::is_contained(launch.getLaunchNoDep(), operand) ? "no_dep" : "";
}

/// What certainly differs between what two launches pass for one parameter.
static std::string findDifference(const TensorSignature &here,
                                  const TensorSignature &there,
                                  StringRef name) {
  if (differ(here.shape, there.shape))
    return ("the extents of '%" + name + "' are " + print(here.shape) +
            " here and " + print(there.shape) + " there")
        .str();
  if (differ(here.strides, there.strides)) {
    std::optional<bool> isWhole = isContiguous(here);
    std::optional<bool> wasWhole = isContiguous(there);
    if (isWhole && wasWhole && *isWhole != *wasWhole)
      return ("'%" + name + "' is a contiguous tensor " +
              (*isWhole ? "here and a strided window there"
                        : "there and a strided window here"))
          .str();
    return ("the strides of '%" + name + "' are " + print(here.strides) +
            " here and " + print(there.strides) + " there")
        .str();
  }
  if (here.bufferSize.differsFrom(there.bufferSize))
    return ("'%" + name + "' lies in a buffer of " +
            Twine(*here.bufferSize.constant) + " elements here and of " +
            Twine(*there.bufferSize.constant) + " there")
        .str();
  return {};
}

/// Whether some extent or stride is certainly not the same at all executions of
/// the launch.
static std::string findVariation(const TensorSignature &tensor,
                                 StringRef name) {
  bool varies = llvm::any_of(
      tensor.shape, [](const Quantity &extent) { return extent.isVarying; });
  return varies ? ("an extent of '%" + name +
                   "' changes from one iteration to the next")
                      .str()
                : std::string();
}

/// The first tensor in the buffer of each, of those whose buffers are known.
static SmallVector<unsigned> getPartition(const LaunchSignature &signature,
                                          const LaunchSignature &other) {
  SmallVector<unsigned> partition;
  llvm::SmallDenseMap<Value, unsigned> first;
  for (auto [i, tensors] : llvm::enumerate(llvm::zip(signature, other))) {
    Value buffer = std::get<0>(tensors).buffer;
    bool isKnown = buffer && std::get<1>(tensors).buffer;
    partition.push_back(isKnown ? first.try_emplace(buffer, i).first->second
                                : i);
  }
  return partition;
}

namespace {
/// Names the tensor parameters of a graph function.
struct TensorParams {
  explicit TensorParams(FuncOp func) : func(func) {
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
      if (isa<GraphTensorType>(type))
        positions.push_back(i);
  }
  StringRef getName(unsigned tensor) {
    return func.getParamName(positions[tensor]);
  }
  FuncOp func;
  SmallVector<unsigned> positions;
};
} // namespace

static std::string findPartitionDifference(const LaunchSignature &here,
                                           const LaunchSignature &there,
                                           TensorParams &params) {
  SmallVector<unsigned> partition = getPartition(here, there);
  SmallVector<unsigned> other = getPartition(there, here);
  for (auto [i, first, second] : llvm::enumerate(partition, other)) {
    if (first == second)
      continue;
    unsigned shared = first != i ? first : second;
    return ("'%" + params.getName(shared) + "' and '%" + params.getName(i) +
            "' are windows of one buffer " +
            (first != i ? "here and not there" : "there and not here"))
        .str();
  }
  return {};
}

/// A difference of launches as one of iterations.
static std::string sayIterations(StringRef text) {
  std::string result;
  for (StringRef rest = text; !rest.empty();) {
    if (rest.consume_front(" here"))
      result += " in a later iteration";
    else if (rest.consume_front(" there"))
      result += " in the first one";
    else {
      result += rest.front();
      rest = rest.drop_front();
    }
  }
  return result;
}

void LaunchSignatures::compare(const Launch &first, const Launch &other,
                               FuncOp graph) {
  TensorParams params(graph);
  LaunchOpInterface here = other.op, there = first.op;
  bool isSelf = here == there && other.call == first.call;
  bool isVariation = isSelf && other.iteration == first.iteration;
  std::string difference;
  for (auto [i, position] : llvm::enumerate(params.positions)) {
    StringRef name = params.getName(i);
    if (isVariation) {
      if (isCertainlyReached(here))
        difference = findVariation(other.signature[i], name);
    } else {
      difference = findDifference(other.signature[i], first.signature[i], name);
      std::string direction = getDirection(here, position);
      std::string directionThere = getDirection(there, position);
      if (difference.empty() && direction != directionThere &&
          !here.getLaunchDirections() == !there.getLaunchDirections())
        difference = ("'%" + name + "' is passed " +
                      (direction.empty() ? "with" : "as " + direction) +
                      (direction.empty() ? " tracking" : "") + " here and " +
                      (directionThere.empty() ? "with tracking"
                                              : "as " + directionThere) +
                      " there")
                         .str();
    }
    if (!difference.empty())
      break;
  }
  if (difference.empty() && !isVariation)
    difference =
        findPartitionDifference(other.signature, first.signature, params);
  if (isSelf && !isVariation)
    difference = sayIterations(difference);
  if (difference.empty() || !reported.insert(here).second)
    return;
  InFlightDiagnostic diag =
      emitCodedWarning(here.getLoc(), DiagnosticCode::SignatureVaries);
  diag << "launch of graph function '@" << graph.getSymName();
  if (isSelf)
    diag << "' does not replay what it has recorded: " << difference;
  else
    diag << "' does not replay what another launch records: " << difference;
  if (!isSelf)
    diag.attachNote(there.getLoc()) << "the other launch is here";
  for (LaunchOpInterface call : {other.call, first.call})
    if (call && other.call != first.call)
      diag.attachNote(call.getLoc()) << "its function is called here";
  explain(
      diag,
      "the runtime runs a launch whose signature differs as ordinary tasks, "
      "without a message",
      "pass tensors of one shape and layout, or use two graph functions");
}

//===----------------------------------------------------------------------===//
// All launches from an entry
//===----------------------------------------------------------------------===//

void LaunchSignatures::addFunction(FuncOp func, Launches launches) {
  functions[func] = {func, launches, nullptr, nullptr, {}};
  for (auto [launch, callee] : launches)
    ++numLaunches[callee];
}

/// The innermost loop around the launch that carries tensors from which an
/// iteration may get others than the one before, or null.
static scf::ForOp getCarryingLoop(Operation *launch,
                                  const IdentityLineage &identity) {
  for (Operation *op = launch->getParentOp(); !isa<FuncOp>(op);
       op = op->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(op))
      if (llvm::any_of(loop.getRegionIterArgs(), [&](BlockArgument carried) {
            return isa<GraphTensorType>(carried.getType()) &&
                   identity.getSource(carried) == carried;
          }))
        return loop;
  return {};
}

bool LaunchSignatures::needsComparison(LaunchOpInterface launch, FuncOp callee,
                                       const Function &caller,
                                       FuncOp entry) const {
  if (!callee.isGraph() || caller.func != entry ||
      numLaunches.lookup(callee) > 1 ||
      getCarryingLoop(launch, lineages.get(caller.func)))
    return true;
  return llvm::any_of(callee.getArgumentTypes(), [](Type type) {
    auto tensor = dyn_cast<GraphTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  });
}

TensorSignatures *LaunchSignatures::enter(Function &function,
                                          LaunchSignature params) {
  if (!function.identity) {
    function.identity = &lineages.get(function.func);
    function.forms = std::make_unique<AffineForms>(*function.identity);
  }
  constexpr size_t kMaxContexts = 8;
  if (function.contexts.size() == kMaxContexts) {
    // Too many to tell apart: then nothing is known.
    params.clear();
    for (BlockArgument param : function.func.getArguments())
      if (isa<GraphTensorType>(param.getType()))
        params.push_back(makeUnknown(param));
  }
  for (std::unique_ptr<TensorSignatures> &context : function.contexts)
    if (context->getParams() == params)
      return context.get();
  return function.contexts
      .emplace_back(std::make_unique<TensorSignatures>(
          *function.identity, *function.forms, ties, std::move(params)))
      .get();
}

LaunchSignature LaunchSignatures::getEntryParams(FuncOp entry) const {
  LaunchSignature params;
  for (BlockArgument param : entry.getArguments())
    if (isa<GraphTensorType>(param.getType()))
      params.push_back(makeBuffer(strictAliasing ? Value() : Value(param),
                                  getTypeShape(param.getType())));
  return params;
}

/// What a launch passes, in terms of the function it stands in; in an iteration
/// of a loop around it when what that carries is given.
static LaunchSignature getArguments(
    LaunchOpInterface launch, FuncOp callee, TensorSignatures &tensors,
    const TensorSignatures::Carried &carried = TensorSignatures::Carried()) {
  LaunchSignature signature;
  for (auto [arg, type] :
       llvm::zip(launch.getLaunchArgs(), callee.getArgumentTypes()))
    if (isa<GraphTensorType>(type)) {
      TensorSignature &tensor =
          signature.emplace_back(tensors.getIn(arg, carried));
      refine(tensor, arg.getType());
      refine(tensor, type);
    }
  return signature;
}

/// What a launch passes in the first iterations of the loop around it that
/// carries tensors, when it certainly runs in each of them; else what it passes
/// in any.
SmallVector<LaunchSignature, 1>
LaunchSignatures::getArgumentsByIteration(LaunchOpInterface launch,
                                          FuncOp callee, const Function &caller,
                                          TensorSignatures &tensors) {
  constexpr uint64_t kMaxCompared = 8;
  scf::ForOp loop = getCarryingLoop(launch, *caller.identity);
  uint64_t count =
      loop && isCertainlyReached(launch, loop)
          ? getConstantTripCount(loop, *caller.identity).value_or(0)
          : 0;
  SmallVector<LaunchSignature, 1> iterations;
  TensorSignatures::Carried carried;
  for (uint64_t i = 0, e = std::min(count, kMaxCompared); i != e; ++i) {
    carried = i == 0 ? tensors.getFirst(loop) : tensors.getNext(loop, carried);
    iterations.push_back(getArguments(launch, callee, tensors, carried));
  }
  if (iterations.empty())
    iterations.push_back(getArguments(launch, callee, tensors));
  return iterations;
}

/// The same in terms of the callee: a buffer is named by the first parameter in
/// it.
static void renameBuffers(LaunchSignature &signature, FuncOp callee) {
  llvm::SmallDenseMap<Value, Value> names;
  size_t next = 0;
  for (BlockArgument param : callee.getArguments())
    if (isa<GraphTensorType>(param.getType()) && next < signature.size()) {
      Value &buffer = signature[next++].buffer;
      if (buffer)
        buffer = names.try_emplace(buffer, param).first->second;
    }
}

void LaunchSignatures::compareFrom(FuncOp entry) {
  /// A function while its launches are gone through.
  struct Frame {
    Function *function;
    TensorSignatures *context;
    LaunchOpInterface call;
    size_t next = 0;
  };
  llvm::SmallDenseMap<Operation *, Launch, 4> firstOf;
  llvm::DenseSet<TensorSignatures *> visited;
  SmallVector<Frame> stack;
  auto visit = [&](Function &function, LaunchSignature params,
                   LaunchOpInterface call) {
    if (llvm::none_of(function.launches, [&](auto &launch) {
          return needsComparison(launch.first, launch.second, function, entry);
        }))
      return;
    TensorSignatures *context = enter(function, std::move(params));
    if (visited.insert(context).second)
      stack.push_back({&function, context, call});
  };
  visit(functions.find(entry)->second, getEntryParams(entry),
        LaunchOpInterface());
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (frame.next == frame.function->launches.size()) {
      stack.pop_back();
      continue;
    }
    auto [op, callee] = frame.function->launches[frame.next++];
    // What is left out is reported elsewhere.
    if (!needsComparison(op, callee, *frame.function, entry) ||
        LaunchOpInterface(op).getLaunchArgs().size() <
            FuncOp(callee).getNumArguments())
      continue;
    if (!FuncOp(callee).isGraph()) {
      LaunchSignature signature = getArguments(op, callee, *frame.context);
      renameBuffers(signature, callee);
      visit(functions.find(callee)->second, std::move(signature), op);
      continue;
    }
    SmallVector<LaunchSignature, 1> iterations =
        getArgumentsByIteration(op, callee, *frame.function, *frame.context);
    for (auto [i, signature] : llvm::enumerate(iterations)) {
      Launch launch{op, frame.call, std::move(signature), unsigned(i)};
      auto [first, isNew] = firstOf.try_emplace(callee, launch);
      compare(first->second, launch, callee);
    }
  }
}
