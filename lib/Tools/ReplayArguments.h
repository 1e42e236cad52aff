//===- ReplayArguments.h - Arguments for an entry ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the arguments of the calls `pypto-replay` compares: from a seed, from
// the command line, or from `.npy` files.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TOOLS_REPLAYARGUMENTS_H
#define PYPTO_TOOLS_REPLAYARGUMENTS_H

#include "Runtime/Runtime.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace mlir::pypto {

class ReplayArguments {
public:
  ReplayArguments(std::vector<runtime::ParamInfo> params, uint64_t seed,
                  bool symbolic, int64_t maxBytes)
      : params(std::move(params)), seed(seed), symbolic(symbolic),
        maxBytes(maxBytes) {}

  /// Reads `NAME=4x5`: the extents of a tensor whose type leaves some open.
  llvm::Error addShape(StringRef text);
  /// Reads `NAME=WHAT`: see the help text of the tool.
  llvm::Error addValue(StringRef text);

  /// The arguments of a call. Tensors keep their buffers from call to call,
  /// unless `fresh`: then every call has new ones with other contents. The
  /// memory lives as long as this.
  llvm::Expected<std::vector<runtime::Argument>> make(unsigned call,
                                                      bool fresh);

private:
  llvm::Expected<unsigned> find(StringRef name) const;
  llvm::Expected<uint64_t> makeScalar(unsigned param, unsigned call) const;
  llvm::Expected<runtime::TensorArgument> makeTensor(unsigned param,
                                                     unsigned call, bool fresh);
  llvm::Error fill(unsigned param, unsigned call,
                   const runtime::TensorArgument &tensor);

  std::vector<runtime::ParamInfo> params;
  uint64_t seed;
  bool symbolic;
  /// What tensors may take in all.
  int64_t maxBytes;
  llvm::StringMap<std::string> values;
  llvm::StringMap<SmallVector<int64_t>> shapes;
  std::vector<std::unique_ptr<char[]>> memory;
  llvm::StringMap<runtime::TensorArgument> kept;
};

/// Reads a `.npy` file of this element type in C order: the shape, and the
/// bytes.
llvm::Expected<std::pair<SmallVector<int64_t>, std::string>>
readNpy(StringRef path, runtime::ElementType type);

} // namespace mlir::pypto

#endif // PYPTO_TOOLS_REPLAYARGUMENTS_H
