//===- Properties.cpp - What holds of a module between passes -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify/Properties.h"

#include "Analysis/ValueFlow.h"
#include "Diagnostics/Diagnostics.h"
#include "Transforms/Passes.h"
#include "ValueTrace.h"
#include "Verify/CallDirections.h"
#include "Verify/GraphBoundary.h"
#include "Verify/GraphOutlined.h"

#include "mlir/Pass/PassManager.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_CHECKPROPERTIES
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

namespace {
struct PropertyInfo {
  Property property;
  StringRef name, pass;
};
struct ContractEntry {
  StringRef pass;
  PassContract contract;
};
} // namespace

static const PropertyInfo propertyTable[kNumProperties] = {
    {Property::InlineFunctionsEliminated, "InlineFunctionsEliminated",
     "inline"},
    {Property::GraphOutlined, "GraphOutlined", "outline-graph-scopes"},
    {Property::SplitIncoreOrch, "SplitIncoreOrch", "outline-incore-scopes"},
    {Property::ReturnParamsExplicit, "ReturnParamsExplicit",
     "normalize-returns"},
    {Property::CallDirectionsResolved, "CallDirectionsResolved",
     "derive-call-directions"},
    {Property::GraphBoundaryLegalized, "GraphBoundaryLegalized",
     "legalize-graph-boundary"},
};

static const ContractEntry *findContract(StringRef pass) {
  using P = Property;
  const PropertySet all = PropertySet::all();
  // The shape of the program that the later passes read.
  const PropertySet outlined = {P::InlineFunctionsEliminated, P::GraphOutlined,
                                P::SplitIncoreOrch};
  static const ContractEntry table[] = {
      {"inline", {{}, {P::InlineFunctionsEliminated}, all}},
      {"inline-functions", {{}, {P::InlineFunctionsEliminated}, all}},
      // New functions and launches have no directions and results of their own.
      {"outline-graph-scopes",
       {{P::InlineFunctionsEliminated}, {P::GraphOutlined}, outlined}},
      {"outline-incore-scopes",
       {{P::InlineFunctionsEliminated, P::GraphOutlined},
        {P::SplitIncoreOrch},
        outlined}},
      {"normalize-returns", {{}, {P::ReturnParamsExplicit}, all}},
      {"derive-call-directions", {outlined, {P::CallDirectionsResolved}, all}},
      {"legalize-graph-boundary", {outlined, {P::GraphBoundaryLegalized}, all}},
      // The end of the pipeline, which is checked as one.
      {"legalize-graph-boundary+canonicalize-and-cse",
       {outlined, {P::GraphBoundaryLegalized}, all}},
      // Under another runtime the same function may not be legal.
      {"set-graph-runtime",
       {{},
        {},
        outlined |
            PropertySet{P::ReturnParamsExplicit, P::CallDirectionsResolved}}},
      {"verify-graph-outlined", {{}, {P::GraphOutlined}, all}},
      {"verify-call-directions", {{}, {P::CallDirectionsResolved}, all}},
      {"verify-graph-boundary", {{}, {P::GraphBoundaryLegalized}, all}},
  };
  const auto *it = llvm::find_if(
      table, [&](const ContractEntry &entry) { return entry.pass == pass; });
  return it == std::end(table) ? nullptr : it;
}

ArrayRef<Property> mlir::pypto::getAllProperties() {
  static const Property all[kNumProperties] = {
      Property::InlineFunctionsEliminated, Property::GraphOutlined,
      Property::SplitIncoreOrch,           Property::ReturnParamsExplicit,
      Property::CallDirectionsResolved,    Property::GraphBoundaryLegalized};
  return all;
}

StringRef mlir::pypto::getPropertyName(Property property) {
  return propertyTable[static_cast<unsigned>(property)].name;
}

StringRef mlir::pypto::getEstablishingPass(Property property) {
  return propertyTable[static_cast<unsigned>(property)].pass;
}

std::optional<Property> mlir::pypto::findProperty(StringRef name) {
  for (const PropertyInfo &info : propertyTable)
    if (info.name == name)
      return info.property;
  return std::nullopt;
}

PassContract mlir::pypto::getPassContract(StringRef pass) {
  if (const ContractEntry *entry = findContract(pass))
    return entry->contract;
  return {{}, {}, PropertySet::all()};
}

//===----------------------------------------------------------------------===//
// Properties that an operation alone can break
//===----------------------------------------------------------------------===//

/// The property that `op` breaks by being there. `callee` is the function it
/// launches, if any.
static std::optional<Property> getBrokenProperty(Operation *op, FuncOp callee) {
  if (callee)
    return callee.getKind() == FunctionKind::Inline
               ? std::optional(Property::InlineFunctionsEliminated)
               : std::nullopt;
  auto scope = dyn_cast<ScopeOp>(op);
  if (!scope)
    return std::nullopt;
  if (scope.getKind() == ScopeKind::Graph)
    return Property::GraphOutlined;
  if (scope.isDeviceScope())
    return Property::SplitIncoreOrch;
  return std::nullopt;
}

/// Says what is wrong with `op`, which breaks a property, and where.
static void describe(InFlightDiagnostic &diag, Operation *op, FuncOp callee) {
  auto scope = dyn_cast<ScopeOp>(op);
  if (callee)
    diag << "inline function '@" << callee.getSymName() << "' is called";
  else if (scope && scope.getKind() == ScopeKind::Graph)
    diag << "graph scope '" << scope.getName().value_or("") << "' is left";
  else if (scope)
    diag << "a scope of kind '" << stringifyScopeKind(scope.getKind())
         << "' is left";
  if (auto func = op->getParentOfType<FuncOp>())
    diag << " in function '@" << func.getSymName() << "'";
}

bool InlineRecursion::contains(FuncOp func) {
  // A call names a function of its own module.
  if (modules.insert(func->getParentOp()).second)
    addModule(func->getParentOp());
  return functions.contains(func);
}

void InlineRecursion::addModule(Operation *module) {
  // Functions are taken away once all that they call are; what is left is in a
  // cycle or calls into one.
  SymbolTableCollection symbolTable;
  verify::TieTable ties(symbolTable);
  DenseMap<Operation *, SmallVector<FuncOp>> callers;
  DenseMap<Operation *, unsigned> callsLeft;
  SmallVector<FuncOp> done;
  for (FuncOp caller : module->getRegion(0).getOps<FuncOp>()) {
    if (caller.getKind() != FunctionKind::Inline)
      continue;
    functions.insert(caller);
    caller.walk([&](CallOp call) {
      FuncOp callee = ties.getCallee(call);
      if (!callee || callee.getKind() != FunctionKind::Inline)
        return;
      callers[callee].push_back(caller);
      ++callsLeft[caller];
    });
    if (!callsLeft.contains(caller))
      done.push_back(caller);
  }
  while (!done.empty()) {
    FuncOp callee = done.pop_back_val();
    functions.erase(callee);
    for (FuncOp caller : callers.lookup(callee))
      if (--callsLeft[caller] == 0)
        done.push_back(caller);
  }
}

/// Says what would establish the property.
static void attachRemedy(InFlightDiagnostic &diag, Property property,
                         Operation *op, FuncOp callee,
                         InlineRecursion &recursion) {
  if (callee && !isa<CallOp>(op))
    diag.attachNote() << "only 'graph.call' can be inlined; call the function, "
                         "or give it a kind that can be launched";
  else if (callee && callee.isExternal())
    diag.attachNote(callee.getLoc())
        << "it has no body to be inlined; define it here";
  else if (callee && recursion.contains(callee))
    diag.attachNote(callee.getLoc())
        << "it cannot be inlined: calls in it lead back to where they began; "
           "write a loop, or give one of the functions another kind";
  else
    diag.attachNote() << "run " << getEstablishingPass(property) << " first";
}

void RequirementChecker::checkSlow(Operation *op, FuncOp callee) {
  std::optional<Property> property = getBrokenProperty(op, callee);
  if (!property || !required.contains(*property))
    return;
  failed = true;
  InFlightDiagnostic diag =
      emitCodedError(op->getLoc(), DiagnosticCode::MissingProperty);
  diag << pass << " requires the property " << getPropertyName(*property)
       << ", but ";
  describe(diag, op, callee);
  attachRemedy(diag, *property, op, callee, recursion);
}

/// Whether the module has a function of kind `inline`.
static bool hasInlineFunctions(ModuleOp module) {
  return module
      .walk<WalkOrder::PreOrder>([](FuncOp func) {
        return func.getKind() == FunctionKind::Inline ? WalkResult::interrupt()
                                                      : WalkResult::skip();
      })
      .wasInterrupted();
}

/// Calls `callback` for every scope, and for every launch of a function of kind
/// `inline` with that function.
static void walkSuspects(ModuleOp module, SymbolTableCollection &symbolTable,
                         function_ref<void(Operation *, FuncOp)> callback) {
  verify::TieTable ties(symbolTable);
  bool hasCallees = hasInlineFunctions(module);
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<ScopeOp>(op))
      return callback(op, FuncOp());
    LaunchOpInterface launch = hasCallees ? asLaunch(op) : LaunchOpInterface();
    FuncOp callee = launch ? ties.getCallee(launch) : FuncOp();
    if (callee && callee.getKind() == FunctionKind::Inline)
      callback(op, callee);
  });
}

LogicalResult
mlir::pypto::checkRequirements(ModuleOp module, StringRef pass,
                               SymbolTableCollection &symbolTable) {
  RequirementChecker checker(pass);
  walkSuspects(module, symbolTable, [&](Operation *op, FuncOp callee) {
    checker.check(op, callee);
  });
  return checker.getResult();
}

static LogicalResult verifyAbsence(ModuleOp module, Property property,
                                   SymbolTableCollection &symbolTable) {
  bool valid = true;
  InlineRecursion recursion;
  walkSuspects(module, symbolTable, [&](Operation *op, FuncOp callee) {
    if (getBrokenProperty(op, callee) != property)
      return;
    valid = false;
    InFlightDiagnostic diag =
        emitCodedError(op->getLoc(), DiagnosticCode::MissingProperty);
    diag << "the property " << getPropertyName(property) << " does not hold: ";
    describe(diag, op, callee);
    attachRemedy(diag, property, op, callee, recursion);
  });
  return success(valid);
}

//===----------------------------------------------------------------------===//
// ReturnParamsExplicit
//===----------------------------------------------------------------------===//

static void reportReturn(FuncOp func, unsigned result, BlockArgument param,
                         StringRef what) {
  InFlightDiagnostic diag =
      emitCodedError(func.getBody().front().getTerminator()->getLoc(),
                     DiagnosticCode::MissingProperty);
  diag << "the property " << getPropertyName(Property::ReturnParamsExplicit)
       << " does not hold: result #" << result << " of function '@"
       << func.getSymName() << "' is the parameter '%"
       << func.getParamName(param.getArgNumber()) << "' but " << what;
  diag.attachNote() << "run "
                    << getEstablishingPass(Property::ReturnParamsExplicit)
                    << " first";
}

static bool fitsLaunches(ArrayRef<LaunchOpInterface> launches, unsigned result,
                         Type type) {
  auto formal = dyn_cast<GraphTensorType>(type);
  return llvm::all_of(launches, [&](LaunchOpInterface launch) {
    Type actual = launch.getLaunchOutputs()[result].getType();
    if (actual == type)
      return true;
    auto tensor = dyn_cast<GraphTensorType>(actual);
    return formal && tensor && tensor.isCompatibleWith(formal);
  });
}

static LogicalResult verifyReturns(FuncOp func, verify::TieTable &ties,
                                   ArrayRef<LaunchOpInterface> launches,
                                   bool isNew) {
  bool valid = true;
  std::optional<verify::ValueTrace> trace;
  Block &body = func.getBody().front();
  for (auto [i, operand] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    bool isTied = !!func.getResultAttr(i, GraphDialect::kTiedAttrName);
    auto param = dyn_cast<BlockArgument>(operand);
    bool isNamed = param && param.getOwner() == &body;
    if (isTied ? isNamed : !isNew)
      continue;
    if (!isNamed) {
      if (!trace)
        trace.emplace(func, ties);
      param = dyn_cast<BlockArgument>(trace->getIdentity(operand));
      if (!param || param.getOwner() != &body)
        continue;
    }
    // A tie would contradict what a launch knows of the extents.
    if (!isTied && !fitsLaunches(launches, i, param.getType()))
      continue;
    valid = false;
    reportReturn(func, i, param,
                 isTied ? "is returned under another name" : "is not tied");
  }
  return success(valid);
}

static LogicalResult
verifyReturns(ModuleOp module, SymbolTableCollection &symbolTable, bool isNew) {
  verify::TieTable ties(symbolTable);
  SmallVector<FuncOp> funcs;
  DenseMap<Operation *, SmallVector<LaunchOpInterface>> launches;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa_and_nonnull<GraphDialect>(op->getDialect()))
      return;
    if (auto func = dyn_cast<FuncOp>(op)) {
      if (!func.isExternal() && func.getNumResults() != 0)
        funcs.push_back(func);
    } else if (auto launch = dyn_cast<LaunchOpInterface>(op);
               launch && isNew && !launch.getLaunchOutputs().empty()) {
      if (FuncOp callee = ties.getCallee(launch))
        launches[callee].push_back(launch);
    }
  });
  bool valid = true;
  for (FuncOp func : funcs)
    valid &= succeeded(verifyReturns(func, ties, launches[func], isNew));
  return success(valid);
}

//===----------------------------------------------------------------------===//
// Any property
//===----------------------------------------------------------------------===//

LogicalResult mlir::pypto::verifyProperty(ModuleOp module, Property property,
                                          SymbolTableCollection &symbolTable,
                                          bool isNew) {
  switch (property) {
  case Property::GraphOutlined:
    return verifyGraphOutlined(module);
  case Property::InlineFunctionsEliminated:
  case Property::SplitIncoreOrch:
    return verifyAbsence(module, property, symbolTable);
  case Property::ReturnParamsExplicit:
    return verifyReturns(module, symbolTable, isNew);
  case Property::CallDirectionsResolved:
    return verifyCallDirections(module, symbolTable);
  case Property::GraphBoundaryLegalized: {
    GraphBoundaryOptions options;
    options.warnUndecided = false;
    return verifyGraphBoundary(module, symbolTable, options);
  }
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// Checks between passes
//===----------------------------------------------------------------------===//

/// Those of the properties that some operation breaks by being there.
static PropertySet findBrokenByPresence(ModuleOp module,
                                        SymbolTableCollection &symbolTable) {
  PropertySet broken;
  walkSuspects(module, symbolTable, [&](Operation *op, FuncOp callee) {
    if (std::optional<Property> property = getBrokenProperty(op, callee))
      broken.insert(*property);
  });
  return broken;
}

namespace {
/// What checks have found out. As any analysis it lasts as long as passes
/// change nothing, so that what has been seen to hold is not checked again.
struct KnownProperties {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KnownProperties)

  explicit KnownProperties(Operation *op) {
    SymbolTableCollection symbolTable;
    PropertySet broken = findBrokenByPresence(cast<ModuleOp>(op), symbolTable);
    for (Property property :
         {Property::InlineFunctionsEliminated, Property::GraphOutlined,
          Property::SplitIncoreOrch})
      if (!broken.contains(property))
        held[true].insert(property);
  }

  /// By whether they held as new ones.
  PropertySet held[2];

  bool holds(Property property, bool isNew) const {
    return held[true].contains(property) ||
           (!isNew && held[false].contains(property));
  }
};

struct CheckProperties : pypto::impl::CheckPropertiesBase<CheckProperties> {
  using CheckPropertiesBase::CheckPropertiesBase;

  LogicalResult initialize(MLIRContext *context) override {
    for (const std::string &name : properties)
      if (!findProperty(name))
        return emitError(UnknownLoc::get(context))
               << "check-properties: unknown property '" << name << "'";
    return success();
  }

  void runOnOperation() override {
    markAllAnalysesPreserved();
    auto &known = getAnalysis<KnownProperties>();
    SymbolTableCollection symbolTable;
    StringRef pass = after.getValue();
    PropertySet produced = getPassContract(pass).produced;
    for (StringRef name : properties) {
      Property property = *findProperty(name);
      bool isNew = pass.empty() || produced.contains(property);
      if (known.holds(property, isNew))
        continue;
      if (succeeded(
              verifyProperty(getOperation(), property, symbolTable, isNew))) {
        known.held[isNew].insert(property);
        continue;
      }
      signalPassFailure();
      if (pass.empty())
        continue;
      InFlightDiagnostic diag = emitCodedError(getOperation().getLoc(),
                                               DiagnosticCode::BrokenProperty);
      if (produced.contains(property))
        diag << "'" << pass << "' did not establish the property " << name;
      else
        diag << "'" << pass << "' broke the property " << name;
    }
  }
};
} // namespace

std::unique_ptr<Pass> PropertyTracker::getCheckAfter(StringRef pass) {
  PassContract contract = getPassContract(pass);
  held = (held & contract.preserved) | contract.produced;
  if (held.empty())
    return nullptr;
  CheckPropertiesOptions options;
  options.after = pass.str();
  SmallVector<std::string> names;
  for (Property property : getAllProperties())
    if (held.contains(property))
      names.push_back(getPropertyName(property).str());
  options.properties = names;
  return createCheckProperties(std::move(options));
}

/// The name of a pass, or of a nested pipeline, by its textual form: options
/// are left out, and it can stand as the value of an option itself.
static std::string getPassName(StringRef text) {
  std::string name;
  unsigned depth = 0;
  for (char c : text) {
    depth += c == '{';
    if (depth == 0 && c != ')')
      name += c == '(' ? ':' : c == ',' ? '+' : c;
    depth -= c == '}' && depth != 0;
  }
  return name;
}

LogicalResult mlir::pypto::addPropertyChecks(OpPassManager &passes,
                                             raw_ostream &errors) {
  if (passes.getOpAnchorName() != ModuleOp::getOperationName())
    return success();
  // Passes cannot be moved from one place of a pipeline to another, but they
  // can be written and read again.
  SmallVector<std::string> texts;
  for (Pass &pass : passes.getPasses()) {
    llvm::raw_string_ostream os(texts.emplace_back());
    pass.printAsTextualPipeline(os);
  }
  passes.clear();
  PropertyTracker tracker;
  for (StringRef text : texts) {
    std::string name = getPassName(text);
    // A check that a pipeline has put there itself.
    if (name == "check-properties" && text.contains("after="))
      continue;
    if (failed(parsePassPipeline(text, passes, errors)))
      return failure();
    if (std::unique_ptr<Pass> check = tracker.getCheckAfter(name))
      passes.addPass(std::move(check));
  }
  return success();
}
