//===- GraphCAPI.cpp - C interface of the graph dialect -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CAPI/GraphCAPI.h"

#include "Asc/Asc.h"
#include "Diagnostics/Diagnostics.h"
#include "Graph/Graph.h"
#include "Kernels/AscInterpreter.h"
#include "Registration/Registration.h"
#include "Target/Orchestration/Orchestration.h"
#include "Verify/Properties.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/CAPI/Wrap.h"

using namespace mlir;
using namespace mlir::pypto::graph;

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Graph, graph, GraphDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Asc, asc, mlir::pypto::asc::AscDialect)

void pyptoRegisterAllDialects(MlirDialectRegistry registry) {
  pypto::registerAllDialects(*unwrap(registry));
}

void pyptoRegisterAllPasses() { pypto::registerAllPasses(); }

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool pyptoTypeIsAGraphTensor(MlirType type) {
  return isa<GraphTensorType>(unwrap(type));
}

MlirTypeID pyptoGraphTensorTypeGetTypeID() {
  return wrap(GraphTensorType::getTypeID());
}

MlirType pyptoGraphTensorTypeGetChecked(MlirLocation loc, intptr_t rank,
                                        const int64_t *shape,
                                        MlirType elementType) {
  Location location = unwrap(loc);
  return wrap(Type(GraphTensorType::getChecked(
      [&] { return emitError(location); }, location.getContext(),
      ArrayRef<int64_t>(shape, rank), unwrap(elementType))));
}

intptr_t pyptoGraphTensorTypeGetRank(MlirType type) {
  return cast<GraphTensorType>(unwrap(type)).getShape().size();
}

int64_t pyptoGraphTensorTypeGetExtent(MlirType type, intptr_t axis) {
  return cast<GraphTensorType>(unwrap(type)).getShape()[axis];
}

MlirType pyptoGraphTensorTypeGetElementType(MlirType type) {
  return wrap(cast<GraphTensorType>(unwrap(type)).getElementType());
}

MlirType pyptoGraphTensorTypeGetScalarType(MlirType type) {
  return wrap(cast<GraphTensorType>(unwrap(type)).getScalarType());
}

bool pyptoTypeIsATaskId(MlirType type) { return isa<TaskIdType>(unwrap(type)); }

MlirTypeID pyptoTaskIdTypeGetTypeID() { return wrap(TaskIdType::getTypeID()); }

MlirType pyptoTaskIdTypeGet(MlirContext context) {
  return wrap(Type(TaskIdType::get(unwrap(context))));
}

bool pyptoTypeIsAGraphArray(MlirType type) {
  return isa<pypto::graph::ArrayType>(unwrap(type));
}

MlirTypeID pyptoGraphArrayTypeGetTypeID() {
  return wrap(pypto::graph::ArrayType::getTypeID());
}

MlirType pyptoGraphArrayTypeGetChecked(MlirLocation loc, int64_t size,
                                       MlirType elementType) {
  Location location = unwrap(loc);
  return wrap(Type(pypto::graph::ArrayType::getChecked(
      [&] { return emitError(location); }, location.getContext(), size,
      unwrap(elementType))));
}

int64_t pyptoGraphArrayTypeGetSize(MlirType type) {
  return cast<pypto::graph::ArrayType>(unwrap(type)).getSize();
}

MlirType pyptoGraphArrayTypeGetElementType(MlirType type) {
  return wrap(cast<pypto::graph::ArrayType>(unwrap(type)).getElementType());
}

bool pyptoTypesAreCompatible(MlirType actual, MlirType formal) {
  if (unwrap(actual) == unwrap(formal))
    return true;
  auto from = dyn_cast<GraphTensorType>(unwrap(actual));
  auto to = dyn_cast<GraphTensorType>(unwrap(formal));
  return from && to && from.isCompatibleWith(to);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

#define PYPTO_DEFINE_ENUM_ATTR(Name)                                           \
  bool pyptoAttributeIsA##Name(MlirAttribute attr) {                           \
    return isa<Name##Attr>(unwrap(attr));                                      \
  }                                                                            \
  MlirTypeID pypto##Name##AttrGetTypeID() {                                    \
    return wrap(Name##Attr::getTypeID());                                      \
  }                                                                            \
  MlirAttribute pypto##Name##AttrGet(MlirContext context,                      \
                                     MlirStringRef keyword) {                  \
    std::optional<Name> value = symbolize##Name(unwrap(keyword));              \
    if (!value)                                                                \
      return MlirAttribute{nullptr};                                           \
    return wrap(Attribute(Name##Attr::get(unwrap(context), *value)));          \
  }                                                                            \
  MlirStringRef pypto##Name##AttrGetValue(MlirAttribute attr) {                \
    return wrap(stringify##Name(cast<Name##Attr>(unwrap(attr)).getValue()));   \
  }                                                                            \
  MlirStringRef pypto##Name##GetKeyword(intptr_t index) {                      \
    std::optional<Name> value = symbolize##Name(uint32_t(index));              \
    return wrap(value ? stringify##Name(*value) : StringRef());                \
  }

PYPTO_DEFINE_ENUM_ATTR(Runtime)
PYPTO_DEFINE_ENUM_ATTR(FunctionKind)
PYPTO_DEFINE_ENUM_ATTR(ParamDirection)
PYPTO_DEFINE_ENUM_ATTR(ArgDirection)
PYPTO_DEFINE_ENUM_ATTR(ScopeKind)
PYPTO_DEFINE_ENUM_ATTR(Comparison)

#undef PYPTO_DEFINE_ENUM_ATTR

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

bool pyptoValueIsVisibleIn(MlirValue value, MlirBlock block) {
  Region *definition = unwrap(value).getParentRegion();
  Region *use = unwrap(block)->getParent();
  return definition && use && definition->isAncestor(use);
}

MlirOperation pyptoLookupGraphFunc(MlirOperation from, MlirStringRef name) {
  Operation *op = unwrap(from);
  auto symbol = StringAttr::get(op->getContext(), unwrap(name));
  return wrap(
      SymbolTable::lookupNearestSymbolFrom<FuncOp>(op, symbol).getOperation());
}

void pyptoAbandonOperation(MlirOperation abandoned) {
  Operation *root = unwrap(abandoned);
  root->remove();
  // Values of the outside may die first, so stand-ins take their place.
  DenseMap<Value, Value> standIns;
  root->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      Region *definition = value.getParentRegion();
      if (definition && root->isAncestor(definition->getParentOp()))
        continue;
      Value &standIn = standIns[value];
      if (!standIn) {
        OperationState state(value.getLoc(),
                             UnrealizedConversionCastOp::getOperationName());
        state.addTypes(value.getType());
        standIn = Operation::create(state)->getResult(0);
      }
      operand.set(standIn);
    }
  });
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

MlirStringRef pyptoGetPropertyName(intptr_t index) {
  ArrayRef<pypto::Property> all = pypto::getAllProperties();
  bool isKnown = index >= 0 && index < static_cast<intptr_t>(all.size());
  return wrap(isKnown ? pypto::getPropertyName(all[index]) : StringRef());
}

MlirLogicalResult pyptoVerifyProperty(MlirOperation op, MlirStringRef name) {
  auto module = dyn_cast<ModuleOp>(unwrap(op));
  std::optional<pypto::Property> property = pypto::findProperty(unwrap(name));
  if (!module || !property)
    return mlirLogicalResultFailure();
  SymbolTableCollection symbolTable;
  return wrap(pypto::verifyProperty(module, *property, symbolTable));
}

MlirLogicalResult pyptoPassManagerAddPropertyChecks(MlirPassManager passes,
                                                    MlirStringCallback onError,
                                                    void *userData) {
  mlir::detail::CallbackOstream stream(onError, userData);
  return wrap(pypto::addPropertyChecks(*unwrap(passes), stream));
}

//===----------------------------------------------------------------------===//
// Code generation
//===----------------------------------------------------------------------===//

MlirLogicalResult pyptoTranslateToOrchestration(MlirOperation op,
                                                MlirStringRef entry,
                                                MlirStringCallback onSource,
                                                MlirStringCallback onManifest,
                                                void *userData) {
  auto module = dyn_cast<ModuleOp>(unwrap(op));
  if (!module)
    return mlirLogicalResultFailure();
  pypto::OrchestrationOptions options;
  options.entry = unwrap(entry).str();
  FailureOr<pypto::OrchestrationUnit> unit =
      pypto::translateToOrchestration(module, options);
  if (failed(unit))
    return mlirLogicalResultFailure();
  onSource(wrap(StringRef(unit->source)), userData);
  onManifest(wrap(StringRef(unit->manifest)), userData);
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

intptr_t pyptoGetNumDiagnosticInfos() { return pypto::getDiagnostics().size(); }

PyptoDiagnosticInfo pyptoGetDiagnosticInfo(intptr_t index) {
  const pypto::DiagnosticInfo &info = pypto::getDiagnostics()[index];
  return {wrap(info.code), wrap(info.summary), wrap(info.meaning),
          wrap(info.example), wrap(info.remedy)};
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

MlirLogicalResult pyptoInterpretKernel(MlirOperation func,
                                       intptr_t numArguments,
                                       const PyptoKernelArgument *arguments,
                                       MlirStringCallback message,
                                       void *userData) {
  namespace asc = mlir::pypto::asc;
  asc::KernelError error;
  SmallVector<asc::KernelArgument> list;
  for (const PyptoKernelArgument &argument :
       ArrayRef(arguments, static_cast<size_t>(numArguments))) {
    if (argument.data)
      list.push_back(asc::KernelArgument::tensor(
          argument.data, ArrayRef(argument.shape, argument.rank),
          ArrayRef(argument.strides, argument.rank)));
    else
      list.push_back(asc::KernelArgument::scalar(argument.bits));
  }
  auto kernel = dyn_cast<FunctionOpInterface>(unwrap(func));
  if (!kernel)
    error.message = "not a function";
  else if (succeeded(asc::interpretKernel(kernel, list, error)))
    return mlirLogicalResultSuccess();
  message(wrap(StringRef(error.message)), userData);
  return mlirLogicalResultFailure();
}
