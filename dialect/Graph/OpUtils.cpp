//===- OpUtils.cpp - Shared by the op implementations ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph/OpUtils.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pypto::graph;

int64_t pypto::graph::detail::countDynamic(ArrayRef<int64_t> integers) {
  return llvm::count_if(integers, ShapedType::isDynamic);
}

LogicalResult
pypto::graph::detail::verifyIndexList(Operation *op, StringRef what,
                                      int64_t rank, ArrayRef<int64_t> integers,
                                      ValueRange values, int64_t minimum) {
  if (static_cast<int64_t>(integers.size()) != rank)
    return op->emitOpError("expects ")
           << rank << " " << what << ", got " << integers.size();
  if (countDynamic(integers) != static_cast<int64_t>(values.size()))
    return op->emitOpError("has ")
           << values.size() << " operands for " << countDynamic(integers)
           << " dynamic " << what;
  for (int64_t integer : integers)
    if (!ShapedType::isDynamic(integer) && integer < minimum)
      return op->emitOpError("has ")
             << (minimum > 0 ? "non-positive " : "negative ") << what << " "
             << integer;
  return success();
}

LogicalResult pypto::graph::detail::verifyTile(Operation *op,
                                               GraphTensorType tensor,
                                               RankedTensorType tile,
                                               ArrayRef<int64_t> offsets,
                                               ValueRange values) {
  if (failed(verifyIndexList(op, "offsets", tensor.getRank(), offsets, values,
                             /*minimum=*/0)))
    return failure();
  if (tile.getRank() != tensor.getRank())
    return op->emitOpError("tile has rank ")
           << tile.getRank() << ", the tensor has rank " << tensor.getRank();
  if (tile.getElementType() != tensor.getElementType() &&
      tile.getElementType() != tensor.getScalarType())
    return op->emitOpError("tile has element type ")
           << tile.getElementType() << ", the tensor has "
           << tensor.getElementType();
  return success();
}

SmallVector<OpFoldResult> pypto::graph::detail::getMixedList(
    MLIRContext *context, ArrayRef<int64_t> integers, ValueRange values) {
  Builder builder(context);
  SmallVector<OpFoldResult> list;
  list.reserve(integers.size());
  size_t next = 0;
  for (int64_t integer : integers) {
    if (!ShapedType::isDynamic(integer))
      list.push_back(builder.getIndexAttr(integer));
    else if (next < values.size())
      list.push_back(values[next++]);
    else
      list.push_back(OpFoldResult());
  }
  return list;
}

void pypto::graph::detail::dispatchList(ArrayRef<OpFoldResult> list,
                                        SmallVectorImpl<Value> &values,
                                        SmallVectorImpl<int64_t> &integers) {
  dispatchIndexOpFoldResults(list, values, integers);
}

std::optional<int64_t>
pypto::graph::detail::countElements(ArrayRef<int64_t> shape) {
  // Sizes in bytes must be representable too, with elements of 8 bytes.
  constexpr int64_t limit = std::numeric_limits<int64_t>::max() / 8;
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (ShapedType::isDynamic(extent))
      continue;
    if (extent <= 0 || extent > limit / count)
      return std::nullopt;
    count *= extent;
  }
  return count;
}

GraphTensorType pypto::graph::detail::getTensorIfValid(ArrayRef<int64_t> shape,
                                                       Type elementType) {
  return countElements(shape) ? GraphTensorType::get(shape, elementType)
                              : GraphTensorType();
}

bool pypto::graph::detail::foldConstants(SmallVectorImpl<OpFoldResult> &list,
                                         int64_t minimum) {
  bool changed = false;
  for (OpFoldResult &entry : list) {
    auto value = dyn_cast<Value>(entry);
    if (!value)
      continue;
    std::optional<int64_t> constant = getConstantIntValue(value);
    if (!constant || *constant < minimum)
      continue;
    entry = Builder(value.getContext()).getIndexAttr(*constant);
    changed = true;
  }
  return changed;
}

LogicalResult pypto::graph::detail::verifyPredicate(
    Operation *op, Value gate, ValueRange indices,
    std::optional<ArrayRef<int64_t>> staticIndices,
    std::optional<Comparison> comparison, Value rhs) {
  if (!gate) {
    if (!indices.empty() || staticIndices || comparison || rhs)
      return op->emitOpError("has parts of a predicate but no gate");
    return success();
  }
  if (!staticIndices || !comparison || !rhs)
    return op->emitOpError("predicate needs indices, a comparison and a "
                           "right-hand side");
  auto type = cast<GraphTensorType>(gate.getType());
  if (failed(verifyIndexList(op, "predicate indices", type.getRank(),
                             *staticIndices, indices, 0)))
    return failure();
  for (auto [index, extent] : llvm::zip(*staticIndices, type.getShape()))
    if (!ShapedType::isDynamic(index) && !ShapedType::isDynamic(extent) &&
        index >= extent)
      return op->emitOpError("predicate index ")
             << index << " is out of the extent " << extent;
  if (rhs.getType() != type.getScalarType())
    return op->emitOpError("right-hand side of the predicate has type ")
           << rhs.getType() << ", the gate's elements are "
           << type.getScalarType();
  return success();
}

//===----------------------------------------------------------------------===//
// Index lists
//===----------------------------------------------------------------------===//

ParseResult pypto::graph::detail::parseIndexList(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
    DenseI64ArrayAttr &integers) {
  SmallVector<int64_t> list;
  auto parseEntry = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult value = parser.parseOptionalOperand(operand);
    if (value.has_value()) {
      list.push_back(ShapedType::kDynamic);
      values.push_back(operand);
      return *value;
    }
    SMLoc loc = parser.getCurrentLocation();
    int64_t integer;
    if (parser.parseInteger(integer))
      return failure();
    // The sentinel of a dynamic entry cannot be a literal.
    if (ShapedType::isDynamic(integer))
      return parser.emitError(loc, "integer literal out of range");
    list.push_back(integer);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return failure();
  integers = parser.getBuilder().getDenseI64ArrayAttr(list);
  return success();
}

void pypto::graph::detail::printIndexList(OpAsmPrinter &printer, Operation *,
                                          OperandRange values,
                                          ArrayRef<int64_t> integers) {
  size_t next = 0;
  printer << '[';
  llvm::interleaveComma(integers, printer, [&](int64_t integer) {
    if (!ShapedType::isDynamic(integer))
      printer << integer;
    else if (next < values.size())
      printer << values[next++];
    else
      printer << '?';
  });
  printer << ']';
}

//===----------------------------------------------------------------------===//
// Operands with directions
//===----------------------------------------------------------------------===//

/// Parses a direction if one comes next; null when none does.
static FailureOr<ArgDirectionAttr> parseOptionalDirection(OpAsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword)))
    return ArgDirectionAttr();
  if (std::optional<ArgDirection> direction = symbolizeArgDirection(keyword))
    return ArgDirectionAttr::get(parser.getContext(), *direction);
  return parser.emitError(loc, "unknown direction '")
         << keyword
         << "' (expected input, output, inout, output_existing, no_dep or "
            "scalar)";
}

ParseResult pypto::graph::detail::parseDirectedOperands(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
    ArrayAttr &directions) {
  SmallVector<Attribute> list;
  do {
    SMLoc loc = parser.getCurrentLocation();
    FailureOr<ArgDirectionAttr> direction = parseOptionalDirection(parser);
    if (failed(direction))
      return failure();
    if (*direction)
      list.push_back(*direction);
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (!parsed.has_value()) {
      // The list is empty when neither a direction nor an operand comes first.
      if (operands.empty() && list.empty())
        return success();
      return parser.emitError(parser.getCurrentLocation(), "expected operand");
    }
    if (failed(*parsed))
      return failure();
    operands.push_back(operand);
    if (!list.empty() && list.size() != operands.size())
      return parser.emitError(loc,
                              "directions stand on all operands or on none");
  } while (succeeded(parser.parseOptionalComma()));
  if (!list.empty())
    directions = parser.getBuilder().getArrayAttr(list);
  return success();
}

void pypto::graph::detail::printDirectedOperands(OpAsmPrinter &printer,
                                                 Operation *,
                                                 OperandRange operands,
                                                 ArrayAttr directions) {
  bool directed = directions && directions.size() == operands.size();
  llvm::interleaveComma(llvm::enumerate(operands), printer, [&](auto operand) {
    if (directed)
      if (auto direction =
              dyn_cast<ArgDirectionAttr>(directions[operand.index()]))
        printer << stringifyArgDirection(direction.getValue()) << ' ';
    printer << operand.value();
  });
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ParseResult pypto::graph::detail::parseLaunchType(OpAsmParser &parser,
                                                  SmallVectorImpl<Type> &args,
                                                  SmallVectorImpl<Type> &outs,
                                                  Type &task) {
  SMLoc loc = parser.getCurrentLocation();
  FunctionType type;
  if (parser.parseType(type))
    return failure();
  if (type.getNumResults() == 0 || !isa<TaskIdType>(type.getResults().back()))
    return parser.emitError(loc,
                            "the last result must be the '!graph.task_id'");
  llvm::append_range(args, type.getInputs());
  llvm::append_range(outs, type.getResults().drop_back());
  task = type.getResults().back();
  return success();
}

void pypto::graph::detail::printLaunchType(OpAsmPrinter &printer, Operation *,
                                           TypeRange args, TypeRange outs,
                                           Type task) {
  SmallVector<Type> results(outs.begin(), outs.end());
  results.push_back(task);
  printer.printFunctionalType(args, results);
}

ParseResult pypto::graph::detail::parseFillType(OpAsmParser &parser,
                                                Type &valueType,
                                                Type &resultType) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(resultType))
    return failure();
  auto tensor = dyn_cast<GraphTensorType>(resultType);
  if (!tensor)
    return parser.emitError(loc, "expected a '!graph.tensor'");
  valueType = tensor.getScalarType();
  return success();
}

void pypto::graph::detail::printFillType(OpAsmPrinter &printer, Operation *,
                                         Type, Type resultType) {
  printer << resultType;
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

ParseResult pypto::graph::detail::parsePredicate(
    OpAsmParser &parser, std::optional<OpAsmParser::UnresolvedOperand> &gate,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices,
    DenseI64ArrayAttr &staticIndices, ComparisonAttr &comparison,
    std::optional<OpAsmParser::UnresolvedOperand> &rhs, Type &gateType,
    Type &rhsType) {
  OpAsmParser::UnresolvedOperand gateOperand, rhsOperand;
  StringRef keyword;
  if (parser.parseOperand(gateOperand) ||
      parseIndexList(parser, indices, staticIndices))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Comparison> kind = symbolizeComparison(keyword);
  if (!kind)
    return parser.emitError(loc, "unknown comparison '")
           << keyword << "' (expected eq, ne, lt, le, gt or ge)";
  if (parser.parseOperand(rhsOperand) || parser.parseColon())
    return failure();
  loc = parser.getCurrentLocation();
  if (parser.parseType(gateType))
    return failure();
  auto tensor = dyn_cast<GraphTensorType>(gateType);
  if (!tensor)
    return parser.emitError(loc, "expected a '!graph.tensor'");
  gate = gateOperand;
  rhs = rhsOperand;
  comparison = ComparisonAttr::get(parser.getContext(), *kind);
  rhsType = tensor.getScalarType();
  return success();
}

void pypto::graph::detail::printPredicate(OpAsmPrinter &printer, Operation *op,
                                          Value gate, OperandRange indices,
                                          DenseI64ArrayAttr staticIndices,
                                          ComparisonAttr comparison, Value rhs,
                                          Type gateType, Type) {
  printer << gate;
  printIndexList(printer, op, indices,
                 staticIndices ? staticIndices.asArrayRef()
                               : ArrayRef<int64_t>());
  if (comparison)
    printer << ' ' << stringifyComparison(comparison.getValue());
  printer << ' ' << rhs << " : " << gateType;
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

ParseResult pypto::graph::detail::parseScopeKind(OpAsmParser &parser,
                                                 ScopeKindAttr &kind) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseOptionalKeyword(&keyword))
    return parser.emitError(loc, "expected the kind of the scope");
  std::optional<ScopeKind> value = symbolizeScopeKind(keyword);
  if (!value)
    return parser.emitError(loc, "unknown scope kind '")
           << keyword
           << "' (expected graph, incore, cluster, spmd, manual or auto)";
  kind = ScopeKindAttr::get(parser.getContext(), *value);
  return success();
}

void pypto::graph::detail::printScopeKind(OpAsmPrinter &printer, Operation *,
                                          ScopeKindAttr kind) {
  printer << stringifyScopeKind(kind.getValue());
}

ParseResult pypto::graph::detail::parseScopeBody(OpAsmParser &parser,
                                                 Region &body) {
  if (parser.parseRegion(body))
    return failure();
  ScopeOp::ensureTerminator(
      body, parser.getBuilder(),
      parser.getEncodedSourceLoc(parser.getCurrentLocation()));
  return success();
}

void pypto::graph::detail::printScopeBody(OpAsmPrinter &printer, Operation *,
                                          Region &body) {
  // A terminator that yields nothing and says nothing is implied.
  bool printTerminator = true;
  if (!body.empty() && !body.front().empty()) {
    Operation &last = body.front().back();
    printTerminator = !isa<YieldOp>(last) || last.getNumOperands() != 0 ||
                      !last.getAttrDictionary().empty();
  }
  printer.printRegion(body, /*printEntryBlockArgs=*/false, printTerminator);
}
