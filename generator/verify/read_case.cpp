#include "verify/read_case.h"

#include <algorithm>

#include "graph/string_bytes.h"
#include "support/diagnostics.h"
#include "verify/nibbles.h"
#include "verify/packed_data.h"
#include "verify/state_rooms.h"

namespace burin {
namespace {

// Strings as the tree takes and gives them.
HostTensor string_bytes(const Tensor& tensor, const Value& value) {
  const int64_t each = value.shape.back().constant();
  std::vector<int64_t> shape = tensor.shape;
  shape.push_back(each);
  return to_tensor(Type::u8, shape, bytes_of(tensor.strings, each));
}

// Older data of the ONNX project keep bf16 as u16.
HostTensor read_as(const NamedTensor& named, const Value& value) {
  if (value.strings && named.tensor.type == Type::string) return string_bytes(named.tensor, value);
  HostTensor host = to_host(named.tensor);
  if (host.type == Type::u16 && value.type == Type::bf16) host.type = Type::bf16;
  host = in_width_of(value, std::move(host));
  if (host.type != value.type) {
    refuse("type", "the tensor for " + burin::quoted(value.name) + " is " +
                       std::string(to_string(host.type)) + ", the model has " +
                       std::string(to_string(value.type)));
  }
  return host;
}

int64_t tensors_in(const Contents& contents) {
  if (contents.tensor) return 1;
  int64_t count = 0;
  for (const Contents& item : contents.items) count += tensors_in(item);
  return count;
}

// Tensors of a data set beside the values of an interface that they are for.
class TensorReader {
 public:
  using Given = std::vector<std::optional<NamedTensor>>;
  using Places = std::map<size_t, Contents>;
  TensorReader(const KernelGraph& graph, const std::vector<ValueId>& values,
               const std::vector<PackedValue>& packed, const Given& given, const Places& contents)
      : graph_(graph), values_(values), packed_(packed), given_(given), contents_(contents) {}
  virtual ~TensorReader() = default;

  // Value number `number` of the model.
  void read(size_t number) {
    const auto contents = contents_.find(number);
    take(contents == contents_.end() ? Contents{} : contents->second);
  }
  bool complete() const { return next_ >= values_.size(); }
  bool at_end(size_t number) const {
    return place_ >= given_.size() && !contents_.contains(number);
  }

 protected:
  virtual bool is_left_out(size_t) const { return false; }
  virtual void refuse_missing(size_t, const Value&) {}
  virtual void add(std::optional<HostTensor> tensor) = 0;
  // Of a value without tensors: what is known of its dimensions.
  virtual int64_t extent_of(const Dim& dim) const = 0;

 private:
  const Value& value(size_t number) const {
    return graph_.values[static_cast<size_t>(values_[number])];
  }

  void take(const Contents& contents) {
    if (complete()) {
      place_ += static_cast<size_t>(tensors_in(contents));
    } else if (contents.tensor) {
      take_tensor();
    } else if (const PackedValue* form = packed_here()) {
      take_packed(*form, contents);
    } else {
      for (const Contents& item : contents.items) take(item);
    }
  }

  const PackedValue* packed_here() const {
    const auto found = std::find_if(packed_.begin(), packed_.end(),
                                    [&](const PackedValue& one) { return one.place == next_; });
    return found == packed_.end() ? nullptr : &*found;
  }

  void take_tensor() {
    const size_t place = place_++;
    if (is_left_out(place)) return;
    const Value& to = value(next_++);
    const bool missing = place >= given_.size() || !given_[place];
    if (missing) refuse_missing(place, to);
    add(missing ? std::nullopt : std::optional(read_as(*given_[place], to)));
  }

  void take_packed(const PackedValue& form, const Contents& contents) {
    const Value& to = value(next_ + (form.nested ? 1 : 0));
    std::vector<HostTensor> items;
    for (int64_t k = tensors_in(contents); k > 0; --k)
      items.push_back(read_as(*given_[place_++], to));
    std::vector<int64_t> shape;
    for (const Dim& dim : to.shape) shape.push_back(shape.empty() ? 0 : extent_of(dim));
    for (HostTensor& tensor :
         packed_data(form, items, !contents.items.empty(), to.type, std::move(shape)))
      add(std::move(tensor));
    next_ += form.tensors();
  }

  const KernelGraph& graph_;
  const std::vector<ValueId>& values_;
  const std::vector<PackedValue>& packed_;
  const Given& given_;
  const Places& contents_;
  size_t place_ = 0, next_ = 0;  // among what is given, among the values
};

class InputReader : public TensorReader {
 public:
  InputReader(const ModelPlan& plan, const DataSet& set, const CompileOptions& options,
              const std::map<std::string, int64_t>& sizes)
      : TensorReader(plan.graph, plan.graph.inputs, plan.packed_inputs, set.inputs, set.contents),
        plan_(plan),
        set_(set),
        options_(options),
        sizes_(sizes) {}

  std::vector<HostTensor> tensors;

  void read_all() {
    for (size_t number = 0; !complete(); ++number) read(number);
  }
  // What the tensors that there are say of the caller's sizes.
  std::map<std::string, int64_t> sizes() const {
    std::map<std::string, int64_t> found;
    for (size_t k = 0; k < tensors.size(); ++k) {
      const Value& value = plan_.graph.values[static_cast<size_t>(plan_.graph.inputs[k])];
      for (size_t d = 0; d < value.shape.size() && tensors[k].elements() > 0; ++d) {
        if (value.shape[d].kind() == IndexKind::symbol)
          found.emplace(value.shape[d].as_symbol()->name, tensors[k].shape[d]);
      }
    }
    return found;
  }

 protected:
  bool is_left_out(size_t place) const override { return options_.held.contains(place); }
  void refuse_missing(size_t place, const Value& value) override {
    refuse("io", burin::quoted(set_.path) + " has no input_" + std::to_string(place) +
                     ".pb, the tensor of input " + burin::quoted(value.name));
  }
  void add(std::optional<HostTensor> tensor) override { tensors.push_back(std::move(*tensor)); }
  int64_t extent_of(const Dim& dim) const override {
    return dim.evaluate([&](const Index& leaf) {
      const auto known = sizes_.find(leaf.as_symbol()->name);
      return known == sizes_.end() ? leaf.as_symbol()->min : known->second;
    });
  }

 private:
  const ModelPlan& plan_;
  const DataSet& set_;
  const CompileOptions& options_;
  const std::map<std::string, int64_t>& sizes_;
};

// Twice: an optional that holds nothing has the sizes that others say.
std::vector<HostTensor> read_inputs(const ModelPlan& plan, const DataSet& set,
                                    const CompileOptions& options) {
  const std::map<std::string, int64_t> none;
  InputReader first(plan, set, options, none);
  first.read_all();
  if (plan.packed_inputs.empty()) return std::move(first.tensors);
  const std::map<std::string, int64_t> sizes = first.sizes();
  InputReader second(plan, set, options, sizes);
  second.read_all();
  return std::move(second.tensors);
}

class OutputReader : public TensorReader {
 public:
  OutputReader(const KernelGraph& graph, const std::vector<PackedValue>& packed, const DataSet& set,
               const std::map<std::string, int64_t>& sizes)
      : TensorReader(graph, graph.outputs, packed, set.outputs, set.output_contents),
        sizes_(sizes) {}

  std::vector<std::optional<HostTensor>> tensors;

 protected:
  void add(std::optional<HostTensor> tensor) override { tensors.push_back(std::move(tensor)); }
  int64_t extent_of(const Dim& dim) const override {
    return dim.evaluate([&](const Index& leaf) {
      const auto known = sizes_.find(leaf.as_symbol()->name);
      return known == sizes_.end() ? 0 : known->second;
    });
  }

 private:
  const std::map<std::string, int64_t>& sizes_;
};

}  // namespace

std::vector<std::optional<HostTensor>> read_outputs(const KernelGraph& graph,
                                                    const std::vector<PackedValue>& packed,
                                                    const DataSet& set,
                                                    const std::map<std::string, int64_t>& sizes) {
  OutputReader outputs(graph, packed, set, sizes);
  for (size_t number = 0; !outputs.at_end(number); ++number) {
    if (outputs.complete() && !set.output_contents.contains(number))
      refuse("io", burin::quoted(set.path) + " has more outputs than the model");
    outputs.read(number);
  }
  return std::move(outputs.tensors);
}

DataCase read_case(const Compiled& compiled, const DataSet& set, const CompileOptions& options) {
  const ModelPlan& plan = compiled.plan;
  DataCase out;
  std::vector<HostTensor> inputs = read_inputs(plan, set, options);
  out.run.symbols = sizes_of(compiled, inputs);
  out.run.inputs = into_rooms(compiled, std::move(inputs));
  out.wanted = read_outputs(plan.graph, plan.packed_outputs, set, out.run.symbols);
  for (size_t k = 0; k < out.wanted.size(); ++k) {
    if (out.wanted[k])
      out.wanted[k] = into_room(compiled, k, std::move(*out.wanted[k]), out.run.symbols);
  }
  for (const std::optional<HostTensor>& wanted : out.wanted)
    out.run.wanted.push_back(wanted ? wanted->shape : std::vector<int64_t>());
  return out;
}

}  // namespace burin
