//===- GraphFunc.cpp - Functions of the graph dialect ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/IdentityLineage.h"
#include "Graph/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::pypto::graph;

//===----------------------------------------------------------------------===//
// FuncOp: accessors
//===----------------------------------------------------------------------===//

static const GraphDialect::Identifiers &getIdentifiers(FuncOp func) {
  return cast<GraphDialect>(func->getDialect())->getIdentifiers();
}

DictionaryAttr FuncOp::getParamAttrs(ParamDirection direction,
                                     StringAttr name) {
  MLIRContext *context = name.getContext();
  const GraphDialect::Identifiers &identifiers =
      context->getLoadedDialect<GraphDialect>()->getIdentifiers();
  return DictionaryAttr::get(
      context,
      {{identifiers.direction, ParamDirectionAttr::get(context, direction)},
       {identifiers.paramName, name}});
}

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                   FunctionKind kind, FunctionType type,
                   ArrayRef<ParamDirection> directions,
                   ArrayRef<StringRef> names,
                   ArrayRef<std::optional<unsigned>> ties) {
  MLIRContext *context = builder.getContext();
  state.addAttribute(SymbolTable::getSymbolAttrName(),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.addAttribute(getKindAttrName(state.name),
                     FunctionKindAttr::get(context, kind));
  SmallVector<Attribute> params, results;
  for (auto [direction, param] : llvm::zip_equal(directions, names))
    params.push_back(getParamAttrs(direction, builder.getStringAttr(param)));
  for (unsigned i = 0, e = type.getNumResults(); i != e; ++i) {
    NamedAttrList attrs;
    if (i < ties.size() && ties[i])
      attrs.set(GraphDialect::kTiedAttrName,
                builder.getStringAttr(names[*ties[i]]));
    results.push_back(attrs.getDictionary(context));
  }
  if (!params.empty())
    state.addAttribute(getArgAttrsAttrName(state.name),
                       builder.getArrayAttr(params));
  if (!results.empty())
    state.addAttribute(getResAttrsAttrName(state.name),
                       builder.getArrayAttr(results));
  state.addRegion();
}

ParamDirection FuncOp::getParamDirection(unsigned index) {
  return getArgAttrOfType<ParamDirectionAttr>(index,
                                              getIdentifiers(*this).direction)
      .getValue();
}

void FuncOp::setParamDirection(unsigned index, ParamDirection direction) {
  setArgAttr(index, GraphDialect::kDirectionAttrName,
             ParamDirectionAttr::get(getContext(), direction));
}

StringAttr FuncOp::getParamNameAttr(unsigned index) {
  return getArgAttrOfType<StringAttr>(index, getIdentifiers(*this).paramName);
}

std::optional<unsigned> FuncOp::getTiedParam(unsigned index) {
  auto tied =
      getResultAttrOfType<StringAttr>(index, getIdentifiers(*this).tied);
  if (!tied)
    return std::nullopt;
  for (unsigned i = 0, e = getNumArguments(); i != e; ++i)
    if (getParamNameAttr(i) == tied)
      return i;
  return std::nullopt;
}

void FuncOp::setTiedParam(unsigned index, unsigned param) {
  setResultAttr(index, GraphDialect::kTiedAttrName, getParamNameAttr(param));
  SmallVector<Type> results(getResultTypes());
  results[index] = getArgumentTypes()[param];
  setFunctionType(FunctionType::get(getContext(), getArgumentTypes(), results));
}

static bool runsOnHost(FunctionKind kind) {
  return kind == FunctionKind::Opaque || kind == FunctionKind::Orchestration ||
         kind == FunctionKind::Graph;
}

StringRef FuncOp::getLevelOrDefault() {
  return getLevel().value_or(runsOnHost(getKind()) ? "chip" : "");
}

StringRef FuncOp::getRoleOrDefault() {
  return getRole().value_or(runsOnHost(getKind()) ? "orchestrator" : "");
}

void FuncOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setNameFn) {
  if (region.empty())
    return;
  ArrayAttr attrs = getArgAttrsAttr();
  for (BlockArgument arg : region.getArguments()) {
    if (!attrs || arg.getArgNumber() >= attrs.size())
      return;
    auto dict = dyn_cast<DictionaryAttr>(attrs[arg.getArgNumber()]);
    auto name = dict ? dict.getAs<StringAttr>(GraphDialect::kParamNameAttrName)
                     : StringAttr();
    if (name && !name.empty())
      setNameFn(arg, name.getValue());
  }
}

//===----------------------------------------------------------------------===//
// FuncOp: text
//===----------------------------------------------------------------------===//

/// The parameter name a value name stands for. Numbers are no names: they are
/// reserved for values without one, so they get a prefix that survives
/// printing.
static std::string getParamNameFor(StringRef ssaName) {
  StringRef name = ssaName.drop_front();
  return llvm::isDigit(name.front()) ? ("_" + name).str() : name.str();
}

namespace {
/// The parts of a signature while it is parsed.
struct ParsedSignature {
  SmallVector<OpAsmParser::Argument> args;
  SmallVector<Type> argTypes, resultTypes;
  SmallVector<Attribute> argAttrs, resultAttrs;
  llvm::SmallSetVector<StringAttr, 8> paramNames;
  /// Parameters by the names of their values in the text.
  llvm::StringMap<unsigned> paramOf;
};
} // namespace

/// Refuses an attribute that the signature spells otherwise.
static ParseResult checkNotSpelled(OpAsmParser &parser, SMLoc loc,
                                   const NamedAttrList &attrs,
                                   ArrayRef<StringRef> names) {
  for (StringRef name : names)
    if (attrs.get(name))
      return parser.emitError(loc, "attribute '")
             << name << "' is part of the signature";
  return success();
}

static ParseResult parseParam(OpAsmParser &parser, ParsedSignature &sig) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseOptionalKeyword(&keyword))
    return parser.emitError(
        loc, "expected the direction of a parameter (in, out or inout)");
  std::optional<ParamDirection> direction = symbolizeParamDirection(keyword);
  if (!direction)
    return parser.emitError(loc, "unknown direction '")
           << keyword << "' (expected in, out or inout)";
  loc = parser.getCurrentLocation();
  OpAsmParser::Argument &arg = sig.args.emplace_back();
  if (parser.parseArgument(arg, /*allowType=*/true, /*allowAttrs=*/true) ||
      parser.parseOptionalLocationSpecifier(arg.sourceLoc))
    return failure();
  MLIRContext *context = parser.getContext();
  NamedAttrList attrs(arg.attrs);
  if (checkNotSpelled(parser, loc, attrs, {GraphDialect::kDirectionAttrName}))
    return failure();
  // The name is the value's, unless the printer had to give the value another.
  Attribute spelled = attrs.get(GraphDialect::kParamNameAttrName);
  if (spelled && !isa<StringAttr>(spelled))
    return parser.emitError(loc, "attribute 'graph.name' must be a string");
  auto name = spelled
                  ? cast<StringAttr>(spelled)
                  : StringAttr::get(context, getParamNameFor(arg.ssaName.name));
  if (!sig.paramNames.insert(name) ||
      !sig.paramOf.try_emplace(arg.ssaName.name, sig.argTypes.size()).second)
    return parser.emitError(loc, "duplicate parameter name '%")
           << name.getValue() << "'";
  sig.argTypes.push_back(arg.type);
  attrs.set(GraphDialect::kDirectionAttrName,
            ParamDirectionAttr::get(context, *direction));
  attrs.set(GraphDialect::kParamNameAttrName, name);
  sig.argAttrs.push_back(attrs.getDictionary(context));
  arg.attrs = {};
  return success();
}

static ParseResult parseResult(OpAsmParser &parser, ParsedSignature &sig) {
  NamedAttrList attrs;
  StringAttr name;
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult tied =
      parser.parseOptionalOperand(operand, /*allowResultNumber=*/false);
  if (tied.has_value()) {
    if (failed(*tied))
      return failure();
    auto it = sig.paramOf.find(operand.name);
    if (it == sig.paramOf.end())
      return parser.emitError(operand.location, "tied result '")
             << operand.name << "' is no parameter of the function";
    sig.resultTypes.push_back(sig.argTypes[it->second]);
    name = sig.paramNames[it->second];
  } else if (parser.parseType(sig.resultTypes.emplace_back())) {
    return failure();
  }
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(attrs) ||
      checkNotSpelled(parser, loc, attrs, {GraphDialect::kTiedAttrName}))
    return failure();
  if (name)
    attrs.set(GraphDialect::kTiedAttrName, name);
  sig.resultAttrs.push_back(attrs.getDictionary(parser.getContext()));
  return success();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  (void)mlir::impl::parseOptionalVisibilityKeyword(parser, state.attributes);

  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseOptionalKeyword(&keyword))
    return parser.emitError(loc, "expected the kind of the function");
  std::optional<FunctionKind> kind = symbolizeFunctionKind(keyword);
  if (!kind)
    return parser.emitError(loc, "unknown function kind '")
           << keyword
           << "' (expected opaque, orchestration, graph, incore, aic, aiv, "
              "group, spmd or inline)";
  state.addAttribute(getKindAttrName(state.name),
                     FunctionKindAttr::get(parser.getContext(), *kind));

  StringAttr symName;
  if (parser.parseSymbolName(symName, SymbolTable::getSymbolAttrName(),
                             state.attributes))
    return failure();

  ParsedSignature sig;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     [&] { return parseParam(parser, sig); }))
    return failure();
  if (succeeded(parser.parseOptionalArrow()) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     [&] { return parseResult(parser, sig); }))
    return failure();
  state.addAttribute(
      getFunctionTypeAttrName(state.name),
      TypeAttr::get(builder.getFunctionType(sig.argTypes, sig.resultTypes)));

  // The text may not say twice what the signature says.
  loc = parser.getCurrentLocation();
  NamedAttrList attrs;
  if (parser.parseOptionalAttrDictWithKeyword(attrs) ||
      checkNotSpelled(parser, loc, attrs,
                      {SymbolTable::getVisibilityAttrName(),
                       SymbolTable::getSymbolAttrName(),
                       getFunctionTypeAttrName(state.name).getValue(),
                       getKindAttrName(state.name).getValue(),
                       getArgAttrsAttrName(state.name).getValue(),
                       getResAttrsAttrName(state.name).getValue()}))
    return failure();
  state.attributes.append(attrs.getAttrs());
  if (!sig.argAttrs.empty())
    state.addAttribute(getArgAttrsAttrName(state.name),
                       builder.getArrayAttr(sig.argAttrs));
  if (!sig.resultAttrs.empty())
    state.addAttribute(getResAttrsAttrName(state.name),
                       builder.getArrayAttr(sig.resultAttrs));

  if (failed(verifyInherentAttrs(state.name, state.attributes, [&] {
        return parser.emitError(loc)
               << "'" << state.name.getStringRef() << "' op ";
      })))
    return failure();

  Region *body = state.addRegion();
  loc = parser.getCurrentLocation();
  OptionalParseResult hasBody = parser.parseOptionalRegion(*body, sig.args);
  if (!hasBody.has_value())
    return success();
  if (failed(*hasBody))
    return failure();
  if (body->empty())
    return parser.emitError(loc, "expected a non-empty function body");
  return success();
}

/// The attributes of a parameter or result beyond what the signature spells.
static SmallVector<NamedAttribute> getOtherAttrs(ArrayAttr list,
                                                 unsigned index) {
  SmallVector<NamedAttribute> others;
  if (!list || index >= list.size())
    return others;
  for (NamedAttribute attr : cast<DictionaryAttr>(list[index]))
    if (!llvm::is_contained({GraphDialect::kDirectionAttrName,
                             GraphDialect::kParamNameAttrName,
                             GraphDialect::kTiedAttrName},
                            attr.getName().getValue()))
      others.push_back(attr);
  return others;
}

/// The name, without the sigil, by which the printer knows a value.
static std::string getPrintedName(OpAsmPrinter &printer, Value value) {
  std::string name;
  llvm::raw_string_ostream os(name);
  printer.printOperand(value, os);
  return StringRef(name).drop_front().str();
}

void FuncOp::print(OpAsmPrinter &printer) {
  if (StringAttr visibility = getSymVisibilityAttr())
    printer << ' ' << visibility.getValue();
  printer << ' ' << stringifyFunctionKind(getKind()) << ' ';
  printer.printSymbolName(getSymName());

  printer << '(';
  for (unsigned i = 0, e = getNumArguments(); i != e; ++i) {
    if (i != 0)
      printer << ", ";
    printer << stringifyParamDirection(getParamDirection(i)) << ' ';
    SmallVector<NamedAttribute> others = getOtherAttrs(getArgAttrsAttr(), i);
    if (isExternal()) {
      printer << '%' << getParamName(i) << ": " << getArgumentTypes()[i];
      printer.printOptionalAttrDict(others);
    } else {
      // The printer may know the value by another name, when it numbers values
      // throughout a module or a name around the function is the same.
      if (getPrintedName(printer, getArgument(i)) != getParamName(i))
        others.emplace_back(GraphDialect::kParamNameAttrName,
                            getParamNameAttr(i));
      printer.printRegionArgument(getArgument(i), others);
    }
  }
  printer << ')';

  if (unsigned numResults = getNumResults()) {
    printer << " -> (";
    for (unsigned i = 0; i != numResults; ++i) {
      if (i != 0)
        printer << ", ";
      std::optional<unsigned> tied = getTiedParam(i);
      if (!tied)
        printer << getResultTypes()[i];
      else if (isExternal())
        printer << '%' << getParamName(*tied);
      else
        printer << getArgument(*tied);
      printer.printOptionalAttrDict(getOtherAttrs(getResAttrsAttr(), i));
    }
    printer << ')';
  }

  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getSymNameAttrName(), getFunctionTypeAttrName(),
                            getKindAttrName(), getSymVisibilityAttrName(),
                            getArgAttrsAttrName(), getResAttrsAttrName()});
  if (!isExternal()) {
    printer << ' ';
    printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                        /*printBlockTerminators=*/true);
  }
}

//===----------------------------------------------------------------------===//
// FuncOp: verification
//===----------------------------------------------------------------------===//

/// Whether `name` is read back as the same name after `%`.
static bool isValidParamName(StringRef name) {
  auto isPunctuation = [](char c) { return StringRef("$._-").contains(c); };
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, [&](char c) {
           return llvm::isAlnum(c) || isPunctuation(c);
         });
}

static LogicalResult verifyParams(FuncOp func) {
  llvm::SmallDenseSet<StringAttr, 16> names;
  for (unsigned i = 0, e = func.getNumArguments(); i != e; ++i) {
    StringAttr name = func.getParamNameAttr(i);
    if (!name)
      return func.emitOpError("parameter #")
             << i << " has no name (attribute 'graph.name')";
    if (!isa<NoneType>(name.getType()))
      return func.emitOpError("parameter #")
             << i << " has the name " << name << ", which must have no type";
    if (!isValidParamName(name.getValue()))
      return func.emitOpError("parameter #")
             << i << " has an invalid name '" << name.getValue() << "'";
    if (!names.insert(name).second)
      return func.emitOpError("duplicate parameter name '%")
             << name.getValue() << "'";
    if (!func.getArgAttrOfType<ParamDirectionAttr>(
            i, getIdentifiers(func).direction))
      return func.emitOpError("parameter '%")
             << name.getValue() << "' has no direction (attribute 'graph.dir')";
  }
  return success();
}

static LogicalResult verifyTies(FuncOp func) {
  for (unsigned i = 0, e = func.getNumResults(); i != e; ++i) {
    auto tied =
        func.getResultAttrOfType<StringAttr>(i, GraphDialect::kTiedAttrName);
    if (!tied)
      continue;
    std::optional<unsigned> param = func.getTiedParam(i);
    if (!param)
      return func.emitOpError("result #")
             << i << " is tied to '%" << tied.getValue()
             << "', which is no parameter";
    if (func.getResultTypes()[i] != func.getArgumentTypes()[*param])
      return func.emitOpError("result #")
             << i << " has type " << func.getResultTypes()[i]
             << " but is tied to '%" << tied.getValue() << "' of type "
             << func.getArgumentTypes()[*param];
  }
  return success();
}

/// Whether `op` may not touch a graph tensor: an upstream op that does not know
/// it is a reference would read it as a value.
static bool isForeign(Operation *op) {
  return !isa_and_nonnull<GraphDialect, scf::SCFDialect>(op->getDialect()) &&
         !isa<arith::SelectOp>(op) &&
         !op->hasTrait<OpTrait::TakesTensorHandles>();
}

/// Whether an operand, result or block argument of `op` is a graph tensor.
/// Every operation is asked, so this is written for the usual few values.
static bool touchesTensor(Operation *op) {
  auto isTensor = [](Value value) {
    return isa<GraphTensorType>(value.getType());
  };
  for (OpOperand &operand : op->getOpOperands())
    if (isTensor(operand.get()))
      return true;
  if (llvm::any_of(op->getOpResults(), isTensor))
    return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArguments(), isTensor))
        return true;
  return false;
}

static LogicalResult verifyTensorUsers(FuncOp func) {
  bool valid = true;
  func.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!touchesTensor(op) || !isForeign(op))
      return WalkResult::advance();
    op->emitError() << "'" << op->getName()
                    << "' op takes or makes a '!graph.tensor'; only graph, scf "
                       "and arith.select operations may";
    valid = false;
    // What is in its regions follows from it.
    return WalkResult::skip();
  });
  return success(valid);
}

/// Slots are the numbers of the tensor parameters (counted among the tensor
/// parameters alone) in slot order.
static LogicalResult verifySlots(FuncOp func) {
  auto slots =
      func->getAttrOfType<DenseI64ArrayAttr>(GraphDialect::kSlotsAttrName);
  if (!slots)
    return success();
  if (!func.isGraph())
    return func.emitOpError(
        "attribute 'graph.slots' belongs on a function of kind 'graph'");
  int64_t numTensors =
      llvm::count_if(func.getArgumentTypes(), llvm::IsaPred<GraphTensorType>);
  llvm::SmallBitVector seen(numTensors);
  for (int64_t slot : slots.asArrayRef())
    if (slot >= 0 && slot < numTensors)
      seen.set(slot);
  if (slots.size() == numTensors && seen.all())
    return success();
  return func.emitOpError(
             "attribute 'graph.slots' must be a permutation of the "
             "numbers of the ")
         << numTensors << " tensor parameters, got " << slots;
}

LogicalResult FuncOp::verify() {
  if (failed(verifyParams(*this)) || failed(verifyTies(*this)) ||
      failed(verifySlots(*this)))
    return failure();
  if (IntegerAttr coreNum = getCoreNumAttr()) {
    if (getKind() != FunctionKind::Spmd && getKind() != FunctionKind::Group)
      return emitOpError(
          "attribute 'core_num' belongs on a function of kind spmd or group");
    if (coreNum.getInt() <= 0)
      return emitOpError("attribute 'core_num' must be positive, got ")
             << coreNum.getInt();
  }
  // Before the nested operations are verified, so that none of theirs meets a
  // tensor it does not understand.
  return verifyTensorUsers(*this);
}

LogicalResult FuncOp::verifyRegions() {
  if (isExternal())
    return success();
  Operation &last = getBody().front().back();
  if (!isa<ReturnOp>(last))
    return emitOpError("body must end with 'graph.return', ends with '")
           << last.getName() << "'";
  return success();
}

//===----------------------------------------------------------------------===//
// ReturnOp
//===----------------------------------------------------------------------===//

LogicalResult ReturnOp::verify() {
  auto func = cast<FuncOp>((*this)->getParentOp());
  if (getNumOperands() != func.getNumResults())
    return emitOpError("returns ")
           << getNumOperands() << " values, but function '@"
           << func.getSymName() << "' has " << func.getNumResults()
           << " results";
  for (auto [i, operand, result] :
       llvm::enumerate(getOperandTypes(), func.getResultTypes()))
    if (operand != result)
      return emitOpError("operand #")
             << i << " has type " << operand << ", but the function returns "
             << result;
  return success();
}

LogicalResult ReturnOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto func = dyn_cast<FuncOp>((*this)->getParentOp());
  if (!func || func.isExternal())
    return success();
  CalleeTies ties(symbolTable);
  ReturnedParams params(func, ties);
  for (auto [i, operand] : llvm::enumerate(getOperands())) {
    std::optional<unsigned> tied = func.getTiedParam(i);
    if (!tied || operand == func.getArgument(*tied))
      continue;
    BlockArgument param = params.get(operand);
    if (param == func.getArgument(*tied))
      continue;
    InFlightDiagnostic diag = emitOpError("operand #")
                              << i << " is tied to parameter '%"
                              << func.getParamName(*tied)
                              << "' but is not that parameter";
    if (param)
      diag.attachNote() << "it is the parameter '%"
                        << func.getParamName(param.getArgNumber()) << "'";
    return diag;
  }
  return success();
}
