#include "import/import.h"

#include "import/model_reader.h"
#include "import/other_formats.h"
#include "support/mapped_pages.h"
#include "support/sha256.h"

namespace burin {
namespace {

// The folder of a path, as open() takes it.
std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Piece by piece: the pages are not needed at once.
std::string hash_of(const std::shared_ptr<const FileBytes>& file) {
  constexpr size_t kPiece = size_t{1} << 20;
  Sha256 hash;
  const std::string_view bytes = file->bytes();
  for (size_t at = 0; at < bytes.size(); at += kPiece) {
    const std::string_view piece = bytes.substr(at, kPiece);
    hash.update(piece);
    forget_pages(piece.data(), piece.size(), file);
  }
  return hash.hex();
}

Graph import_file(const std::shared_ptr<const FileBytes>& file, const std::string& name,
                  const std::string& external_root, const ImportOptions& options,
                  OtherDims* others = nullptr) {
  if (file->bytes().empty()) refuse("io", "the file is empty");
  refuse_other_formats(file->bytes());
  Budget budget(options.limits);
  budget.add_file(static_cast<int64_t>(file->bytes().size()));
  ExternalFiles external(external_root, budget, options.links_root);
  TensorReader tensors(file, external, budget);
  Graph graph =
      ModelReader(options, tensors, budget).read(decode_model({file->bytes(), 0}), others);
  graph.file = name;
  graph.sha256 = hash_of(file);
  file->check_unchanged();
  external.check_unchanged();
  check_graph(graph);
  // Constants are looked at again one by one, by who packs them.
  forget_pages(file->bytes().data(), file->bytes().size(), file);
  return graph;
}

}  // namespace

Graph ModelReader::read(const ModelMessage& model, OtherDims* others) {
  check_ir_version(model.ir_version);
  if (!model.graph) refuse("graph", "the model has no graph");
  const ImportedOpsets opsets(model.opsets, "the model", assumed_opset_);
  graph_.notes = opsets.notes();  // those of functions come behind
  read_functions(model);
  graph_.ir_version = static_cast<int>(model.ir_version);
  for (const WireSpan& span : decode_graph(*model.graph).inputs) {
    const ValueInfoMessage info = decode_value_info(span);
    if (!info.type.shape) continue;
    for (const DimensionMessage& dimension : *info.type.shape) symbols_.reserve(dimension.name);
  }
  Frame frame;
  frame.opsets = &opsets;
  graph_.block = read_block(*model.graph, nullptr, frame);
  graph_.name = graph_.block.name;
  if (graph_.block.outputs.empty()) refuse("graph", "the graph has no outputs");
  symbols_.check_bindings(others == nullptr);
  if (others) *others = {symbols_.other_bindings(), symbols_.names()};
  graph_.symbols = symbols_.params();
  return std::move(graph_);
}

Graph import_model(const std::string& path, const ImportOptions& options, OtherDims* others) {
  return located({.file = path}, [&] {
    const std::string root =
        options.external_root.empty() ? folder_of(path) : options.external_root;
    return import_file(map_file(path, options.limits.file_bytes), path, root, options, others);
  });
}

Graph import_model_bytes(std::string_view bytes, const std::string& file,
                         const ImportOptions& options) {
  return located({.file = file}, [&] {
    return import_file(std::make_shared<const FileBytes>(std::string(bytes)), file,
                       options.external_root, options);
  });
}

NamedTensor import_tensor(const std::string& path, const ImportLimits& limits) {
  return located({.file = path}, [&] {
    const std::shared_ptr<const FileBytes> file = map_file(path, limits.file_bytes);
    Budget budget(limits);
    budget.add_file(static_cast<int64_t>(file->bytes().size()));
    ExternalFiles external("", budget);
    const TensorMessage message = decode_tensor({file->bytes(), 0});
    NamedTensor named;
    named.name = budget.name(message.name);
    named.tensor = TensorReader(file, external, budget).read(message);
    return named;
  });
}

}  // namespace burin
