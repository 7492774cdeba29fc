// import: the bytes of an ONNX file become a Graph. The only stage that sees the file format.
//
// The file is not trusted. Everything is checked here once: sizes against limits before memory is
// taken, names, order and single assignment, tensor contents, external data. What cannot be
// represented is refused by name with one line; nothing is dropped silently except metadata
// (documentation strings, producer, metadata_props, quantization_annotation, training_info, device
// configurations, checksums).
//
// Rules: io, parse, limit, version, graph, function, attribute, tensor, type, external-data,
// symbol.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "import/dims.h"

namespace burin {

struct ImportLimits {
  int64_t file_bytes = (int64_t{1} << 31) - 1;  // of the model; the format ends there
  int64_t external_bytes = int64_t{1} << 40;    // of one file of external data
  int external_files = 4096;
  int64_t nodes = 100'000;  // of all blocks, functions inlined
  int64_t values = 4'000'000;
  int64_t attributes = 4'000'000;
  int64_t name_bytes = 65'536;  // of one name
  int rank = 64;
  int block_depth = 32;                     // bodies inside bodies
  int function_depth = 64;                  // calls inside calls
  int64_t sparse_bytes = int64_t{1} << 28;  // of all sparse tensors when made dense
  // What import may take beside the files, and for each of their bytes.
  int64_t memory_bytes = int64_t{512} << 20;
  int memory_per_file_byte = 2;
  // Bytes that it may read again: bodies of functions at each call, contents that it looks at.
  int64_t work_bytes = int64_t{1} << 30;
  int work_per_file_byte = 8;
};

// What an input that is a sequence or an optional holds: its length and, where the model does not
// declare them, the shapes of its tensors.
struct Contents {
  bool tensor = true;
  std::vector<int64_t> shape = {};   // of a tensor
  std::vector<Contents> items = {};  // of a container
};

struct ImportOptions {
  std::vector<DimBinding> dims;  // the --dim flags
  std::string external_root{};   // folder of external data; empty: the model's own
  // Of caches that link: a folder beneath which links of external data may lead, and in which a
  // file may have several names; empty: no links.
  std::string links_root{};
  ImportLimits limits{};
  // By place among the inputs of the file that are no initializers. An input that is a container
  // becomes as many inputs as it holds tensors. Without contents its length is that of a --dim flag
  // of its name.
  std::map<size_t, Contents> contents{};
  std::optional<int> assumed_opset{};  // of ai.onnx, instead of what the file says
  int64_t least_size = 1;              // of a dimension that is no number and that no flag bounds
};

// Bindings that no dimension of an input took, and the names that they might have meant.
struct OtherDims {
  std::vector<DimBinding> bindings;
  std::vector<std::string> names;
};

// Where `others` is given, it gets the bindings of unknown names, which are refused otherwise: they
// may be of sizes that later stages name.
Graph import_model(const std::string& path, const ImportOptions& options = {},
                   OtherDims* others = nullptr);

// The same for a model at hand; `file` stands for it in messages. External data is refused unless
// options.external_root is given. The bytes are copied.
Graph import_model_bytes(std::string_view bytes, const std::string& file,
                         const ImportOptions& options = {});

// A file that holds one tensor, such as test_data_set_0/input_0.pb. The name is the tensor's own.
struct NamedTensor {
  std::string name;
  Tensor tensor;
};
NamedTensor import_tensor(const std::string& path, const ImportLimits& limits = {});

enum class Container : uint8_t { sequence, optional };

// The containers around the inputs (without initializers) and outputs of a model, outermost first;
// nothing for a tensor. Inputs that are constants because they have an initializer stand in
// `defaults`, with their place among all inputs.
struct Interface {
  std::vector<std::vector<Container>> inputs, outputs;
  std::map<size_t, std::string> defaults;
};
Interface import_interface(const std::string& path, const ImportLimits& limits = {});

// A file of test data that holds a value inside `containers`: its tensors in order, and how they
// are arranged.
struct NamedValue {
  std::vector<NamedTensor> tensors;
  Contents contents;
};
NamedValue import_value(const std::string& path, const std::vector<Container>& containers,
                        const ImportLimits& limits = {});

}  // namespace burin
