//===- ReplayArguments.cpp - Arguments for an entry -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools/ReplayArguments.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::runtime;

static llvm::Error makeError(const Twine &message) {
  return llvm::createStringError(message);
}

/// A well-mixed number of a few.
static uint64_t draw(uint64_t seed, uint64_t a, uint64_t b) {
  uint64_t hash = mix(mix(mix(0xCBF29CE484222325ull, seed), a), b);
  return mix(hash, 0x51ED) >> 16;
}

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

llvm::Expected<unsigned> ReplayArguments::find(StringRef name) const {
  name.consume_front("%");
  for (auto [i, param] : llvm::enumerate(params))
    if (param.name == name)
      return i;
  return makeError("the entry has no parameter '%" + name + "'");
}

llvm::Error ReplayArguments::addShape(StringRef text) {
  auto [name, extents] = text.split('=');
  llvm::Expected<unsigned> param = find(name);
  if (!param)
    return param.takeError();
  SmallVector<StringRef> parts;
  extents.split(parts, 'x');
  SmallVector<int64_t> shape;
  for (StringRef part : parts) {
    int64_t extent;
    if (part.getAsInteger(10, extent) || extent <= 0)
      return makeError("'" + text + "' is no shape like name=4x5");
    shape.push_back(extent);
  }
  if (!params[*param].isTensor || shape.size() != params[*param].shape.size())
    return makeError("'%" + params[*param].name +
                     "' is no tensor of that rank");
  shapes[params[*param].name] = std::move(shape);
  return llvm::Error::success();
}

llvm::Error ReplayArguments::addValue(StringRef text) {
  auto [name, value] = text.split('=');
  llvm::Expected<unsigned> param = find(name);
  if (!param)
    return param.takeError();
  if (value.empty())
    return makeError("'" + text + "' gives no value, as in name=3");
  values[params[*param].name] = value.str();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static llvm::Expected<uint64_t> parseNumber(StringRef text, ScalarKind kind) {
  int64_t integer;
  double number;
  if (kind.isFloat) {
    if (text.getAsDouble(number))
      return makeError("'" + text + "' is no number");
    return fromDouble(number, kind.element);
  }
  uint64_t natural;
  if (!text.getAsInteger(0, integer))
    return maskTo(integer, kind.width);
  if (!text.getAsInteger(0, natural))
    return maskTo(natural, kind.width);
  if (text == "true" || text == "false")
    return text == "true";
  return makeError("'" + text + "' is no integer");
}

llvm::Expected<uint64_t> ReplayArguments::makeScalar(unsigned param,
                                                     unsigned call) const {
  ScalarKind kind = params[param].kind;
  auto it = values.find(params[param].name);
  if (it != values.end()) {
    SmallVector<StringRef> perCall;
    StringRef(it->second).split(perCall, ':');
    return parseNumber(perCall[call % perCall.size()], kind);
  }
  uint64_t value = draw(seed, param, call + 1) % 4;
  return kind.isFloat ? fromDouble(value, kind.element)
                      : maskTo(value, kind.width);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// How NumPy writes the type; types it does not know have the bytes of an
/// unsigned integer or no meaning at all ("V").
static bool isDescription(StringRef text, ElementType type) {
  unsigned size = getByteSize(type);
  if (text.starts_with(">") && size > 1)
    return false;
  text = text.drop_front();
  std::string bytes = std::to_string(size);
  switch (type) {
  case ElementType::I1:
    return text == "b1";
  case ElementType::F16:
  case ElementType::F32:
  case ElementType::F64:
    return text == "f" + bytes;
  case ElementType::BF16:
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return text == "V" + bytes || text == "u" + bytes;
  default:
    return text == (isUnsigned(type) ? "u" : "i") + bytes;
  }
}

llvm::Expected<std::pair<SmallVector<int64_t>, std::string>>
mlir::pypto::readNpy(StringRef path, ElementType type) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return makeError("cannot read '" + path +
                     "': " + file.getError().message());
  StringRef bytes = (*file)->getBuffer();
  auto bad = [&](const Twine &what) {
    return makeError("'" + path + "' " + what);
  };
  if (!bytes.consume_front("\x93NUMPY") || bytes.size() < 6)
    return bad("is no .npy file");
  bool isLong = bytes[0] >= 2;
  size_t length = isLong ? llvm::support::endian::read32le(bytes.data() + 2)
                         : llvm::support::endian::read16le(bytes.data() + 2);
  bytes = bytes.drop_front(isLong ? 6 : 4);
  if (bytes.size() < length)
    return bad("ends in its header");
  StringRef header = bytes.take_front(length);
  bytes = bytes.drop_front(length);
  StringRef description = header.split("'descr': '").second.split('\'').first;
  if (description.empty() || !isDescription(description, type))
    return bad("has elements '" + description + "', the parameter has " +
               stringify(type));
  if (header.contains("'fortran_order': True"))
    return bad("is not in C order");
  StringRef text = header.split("'shape': (").second.split(')').first;
  SmallVector<StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  SmallVector<int64_t> shape;
  int64_t size = getByteSize(type);
  for (StringRef part : parts) {
    int64_t extent;
    if (part.trim().empty())
      continue;
    if (part.trim().getAsInteger(10, extent) || extent <= 0 ||
        llvm::MulOverflow(size, extent, size))
      return bad("has a shape that cannot be used");
    shape.push_back(extent);
  }
  if (bytes.size() != static_cast<size_t>(size))
    return bad("has " + Twine(bytes.size()) +
               " bytes of data, its shape takes " + Twine(size));
  return std::make_pair(shape, bytes.str());
}

llvm::Error ReplayArguments::fill(unsigned param, unsigned call,
                                  const TensorArgument &tensor) {
  const ParamInfo &info = params[param];
  int64_t size = getByteSize(info.element);
  int64_t count = tensor.sizeInBytes / size;
  ScalarKind kind{isFloat(info.element),
                  static_cast<uint8_t>(getBitWidth(info.element)),
                  info.element};
  std::string value = values.lookup(info.name);
  auto store = [&](llvm::function_ref<uint64_t(int64_t)> get) {
    for (int64_t i = 0; i != count; ++i)
      storeElement(tensor.data + i * size, info.element, get(i));
  };
  auto fromInteger = [&](uint64_t number) {
    return kind.isFloat ? fromDouble(number, info.element)
                        : maskTo(number, kind.width);
  };
  if (value.empty()) {
    store([&](int64_t i) {
      return fromInteger(draw(seed + call, param, i) % 8);
    });
  } else if (value == "iota") {
    store(fromInteger);
  } else {
    llvm::Expected<uint64_t> number = parseNumber(value, kind);
    if (!number)
      return number.takeError();
    store([&](int64_t) { return *number; });
  }
  return llvm::Error::success();
}

llvm::Expected<TensorArgument>
ReplayArguments::makeTensor(unsigned param, unsigned call, bool fresh) {
  const ParamInfo &info = params[param];
  std::string value = values.lookup(info.name);
  if (!fresh && kept.contains(info.name))
    return kept[info.name];
  if (StringRef(value).starts_with("%")) {
    llvm::Expected<unsigned> other = find(value);
    if (!other)
      return other.takeError();
    if (*other >= param || !params[*other].isTensor)
      return makeError("'%" + info.name +
                       "' can only share the buffer of an earlier tensor");
    return kept[params[*other].name];
  }
  TensorArgument tensor;
  std::string contents;
  bool isFile = StringRef(value).ends_with(".npy");
  if (isFile) {
    auto file = readNpy(value, info.element);
    if (!file)
      return file.takeError();
    std::tie(tensor.shape, contents) = std::move(*file);
  } else {
    tensor.shape = shapes.contains(info.name) ? shapes[info.name] : info.shape;
    for (int64_t &extent : tensor.shape)
      if (ShapedType::isDynamic(extent))
        extent = 8;
  }
  tensor.sizeInBytes = getByteSize(info.element);
  for (int64_t extent : tensor.shape)
    if (llvm::MulOverflow(tensor.sizeInBytes, extent, tensor.sizeInBytes))
      return makeError("'%" + info.name + "' has too many elements");
  if (!symbolic) {
    if (tensor.sizeInBytes > maxBytes)
      return makeError("'%" + info.name + "' takes " +
                       Twine(tensor.sizeInBytes) +
                       " bytes; --symbolic runs without data");
    maxBytes -= tensor.sizeInBytes;
    memory.push_back(std::make_unique<char[]>(tensor.sizeInBytes));
    tensor.data = memory.back().get();
    if (isFile)
      std::memcpy(tensor.data, contents.data(), contents.size());
    else if (llvm::Error error = fill(param, call, tensor))
      return error;
  }
  kept[info.name] = tensor;
  return tensor;
}

llvm::Expected<std::vector<Argument>> ReplayArguments::make(unsigned call,
                                                            bool fresh) {
  std::vector<Argument> arguments;
  for (unsigned i = 0, e = params.size(); i != e; ++i) {
    if (params[i].isTensor) {
      llvm::Expected<TensorArgument> tensor = makeTensor(i, call, fresh);
      if (!tensor)
        return tensor.takeError();
      arguments.push_back(*tensor);
      continue;
    }
    llvm::Expected<uint64_t> scalar = makeScalar(i, call);
    if (!scalar)
      return scalar.takeError();
    arguments.push_back(*scalar);
  }
  return arguments;
}
