// The containers of a model's interface, and the values of test data that are arranged in such.
#include <set>

#include "import/budget.h"
#include "import/file_tensor.h"
#include "import/import.h"

namespace burin {
namespace {

constexpr size_t kDeepestType = 8;

std::vector<Container> containers_of(TypeMessage type) {
  std::vector<Container> out;
  while (type.inner) {
    if (out.size() == kDeepestType) refuse("limit", "too many containers are inside each other");
    out.push_back(type.kind == TypeKind::sequence ? Container::sequence : Container::optional);
    type = decode_type(*type.inner);
  }
  return out;
}

class ValueReader {
 public:
  ValueReader(TensorReader& tensors, Budget& budget) : tensors_(tensors), budget_(budget) {}

  Contents read(WireSpan span, const std::vector<Container>& containers, size_t depth) {
    Contents contents;
    if (depth == containers.size()) {
      const TensorMessage message = decode_tensor(span);
      tensors.push_back({budget_.name(message.name), tensors_.read(message)});
      contents.shape = tensors.back().tensor.shape;
      return contents;
    }
    contents.tensor = false;
    const ContainerMessage message = decode_container(span);
    const bool innermost = depth + 1 == containers.size();
    const auto& items = innermost                                      ? message.tensors
                        : containers[depth + 1] == Container::sequence ? message.sequences
                                                                       : message.optionals;
    if (containers[depth] == Container::optional && items.size() > 1)
      refuse("parse", "an optional holds several values");
    for (const WireSpan& item : items) contents.items.push_back(read(item, containers, depth + 1));
    return contents;
  }

  std::vector<NamedTensor> tensors;

 private:
  TensorReader& tensors_;
  Budget& budget_;
};

}  // namespace

Interface import_interface(const std::string& path, const ImportLimits& limits) {
  return located({.file = path}, [&] {
    const std::shared_ptr<const FileBytes> file = map_file(path, limits.file_bytes);
    const ModelMessage model = decode_model({file->bytes(), 0});
    if (!model.graph) refuse("graph", "the model has no graph");
    const GraphMessage graph = decode_graph(*model.graph);
    std::set<std::string_view> constants;
    for (const WireSpan& span : graph.initializers) constants.insert(decode_tensor(span).name);
    Interface out;
    for (const WireSpan& span : graph.inputs) {
      const ValueInfoMessage info = decode_value_info(span);
      if (constants.contains(info.name)) {
        out.defaults.emplace(out.inputs.size() + out.defaults.size(), info.name);
      } else {
        out.inputs.push_back(containers_of(info.type));
      }
    }
    for (const WireSpan& span : graph.outputs)
      out.outputs.push_back(containers_of(decode_value_info(span).type));
    return out;
  });
}

NamedValue import_value(const std::string& path, const std::vector<Container>& containers,
                        const ImportLimits& limits) {
  return located({.file = path}, [&] {
    const std::shared_ptr<const FileBytes> file = map_file(path, limits.file_bytes);
    Budget budget(limits);
    budget.add_file(static_cast<int64_t>(file->bytes().size()));
    ExternalFiles external("", budget);
    TensorReader tensors(file, external, budget);
    ValueReader reader(tensors, budget);
    NamedValue value;
    value.contents = reader.read({file->bytes(), 0}, containers, 0);
    value.tensors = std::move(reader.tensors);
    return value;
  });
}

}  // namespace burin
