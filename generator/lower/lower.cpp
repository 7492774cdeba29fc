// The pass over a model's nodes; see lower.h.
#include "lower/lower.h"

#include <algorithm>
#include <cstring>

#include "kernel/interpreter/interpreter.h"
#include "kernel/place_of.h"
#include "kernel/symbolic/symbolic.h"
#include "lower/dynamism.h"
#include "lower/early_checks.h"
#include "lower/engine.h"
#include "lower/found_sizes.h"
#include "lower/node_schema.h"
#include "lower/origin.h"
#include "lower/read_known.h"
#include "lower/unify.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int64_t kFoldBytes = int64_t{256} << 20;  // that folding one node may take
constexpr int64_t kFoldKept = int64_t{512} << 20;   // that all folded constants of a pass may take

}  // namespace

ValueId Engine::add_value(Value value) {
  if (value.type == Type::string) {
    value.type = Type::u8;
    value.shape.emplace_back(string_bytes_);
    value.strings = true;
  }
  lowered_.graph.values.push_back(std::move(value));
  return static_cast<ValueId>(lowered_.graph.values.size()) - 1;
}

std::string Engine::unique_symbol(std::string name) {
  std::string unique = name;
  for (int i = 1; !symbol_names_.insert(unique).second; ++i)
    unique = name + "_" + std::to_string(i);
  return unique;
}

Operand Engine::constant_value(const std::string& name, const Tensor& tensor) {
  Value value;
  value.name = name;
  value.type = tensor.type;
  for (const int64_t dim : tensor.shape) value.shape.emplace_back(dim);
  value.kind = ValueKind::constant;
  value.constant =
      tensor.type == Type::string ? bytes_of(tensor.strings, string_bytes_) : tensor.content;
  const Shape shape = value.shape;
  return Operand(add_value(std::move(value)), tensor.type, shape);
}

void Engine::note_or_refuse(Diagnostic note) {
  if (options_.strict) throw Refused(std::move(note));
  this->note(std::move(note));
}

// Once, however often it is found: bodies of loops are lowered again.
void Engine::note(Diagnostic note) {
  if (noted_.insert(to_warning(note)).second) lowered_.notes.push_back(std::move(note));
}

Operand Engine::operand_of(GraphValueId id) {
  if (refused_[static_cast<size_t>(id)]) refuse_as_consequence();
  std::optional<Operand>& operand = bound_[static_cast<size_t>(id)];
  if (!operand) {
    const GraphValue& value = graph_.values[static_cast<size_t>(id)];
    BURIN_CHECK(value.constant.has_value(), "value used before it is made: " + value.name);
    operand = constant_value(value.name, *value.constant);
    first_read_.push_back(id);
  }
  return *operand;
}

std::optional<std::vector<Dim>> Engine::known(ValueId id) const {
  if (const auto at = known_.find(id); at != known_.end()) return all_known(at->second);
  const Value& value = lowered_.graph.values[static_cast<size_t>(id)];
  if (value.kind != ValueKind::constant || is_float(value.type)) return std::nullopt;
  const int64_t count = product(value.shape).constant();
  if (count > kMostKnown) return std::nullopt;
  std::vector<int64_t> shape;
  for (const Dim& dim : value.shape) shape.push_back(dim.constant());
  const HostTensor tensor = to_tensor(value.type, shape, value.constant);
  std::vector<Dim> out;
  for (int64_t i = 0; i < count; ++i) out.emplace_back(tensor.get(i).integer);
  return out;
}

std::vector<const Steps*> Engine::made_steps() const {
  std::vector<const Steps*> out(outer_.begin(), outer_.end());
  out.push_back(steps_);
  for (const Steps* one : paths_.waiting()) out.push_back(one);
  return out;
}

std::vector<std::optional<Dim>> Engine::known_elements(ValueId id) const {
  std::vector<std::optional<Dim>> out;
  const auto at = known_.find(id);
  if (at == known_.end()) return out;
  for (const std::optional<SymbolicElement>& element : at->second) {
    out.emplace_back();
    if (!element) continue;
    if (const std::optional<std::vector<Dim>> one = all_known({element})) out.back() = one->front();
  }
  return out;
}

std::vector<std::optional<double>> Engine::known_numbers(ValueId id) const {
  std::vector<std::optional<double>> out;
  const Value& value = lowered_.graph.values[static_cast<size_t>(id)];
  if (value.kind == ValueKind::constant && is_float(value.type)) {
    std::vector<int64_t> shape;
    for (const Dim& dim : value.shape) shape.push_back(dim.constant());
    const HostTensor host = to_tensor(value.type, shape, value.constant);
    const int64_t count = std::min(host.elements(), kMostKnown);
    for (int64_t i = 0; i < count; ++i) out.emplace_back(host.get(i).number);
    return out;
  }
  const auto at = known_.find(id);
  if (at == known_.end()) return out;
  for (const std::optional<SymbolicElement>& element : at->second)
    out.push_back(element ? element->number : std::nullopt);
  return out;
}

void Engine::lower_block(const Block& block) {
  Refusals refusals;
  // A block stands where its node does, so what it takes from outside is there.
  Paths outside = std::exchange(paths_, Paths());
  Steps* const steps = steps_;
  const int depth = depth_;
  const size_t outer = outer_.size();
  const Block* const around = std::exchange(block_, &block);
  for (const Node& node : block.nodes) {
    path_.push_back({node.number, node.name, node.op});
    const bool refused = refusals.refused(
        [&] { at_place([&] { return locate(path_); }, [&] { lower_node(node); }); });
    path_.resize(path_.size() - 1);
    for (const GraphValueId id : node.outputs) {
      if (id != kAbsent) refused_[static_cast<size_t>(id)] = refused;
    }
    if (!refused) continue;
    steps_ = steps;
    outer_.resize(outer);
    depth_ = depth;
  }
  refusals.refused([&] { finish_paths(block, *steps); });
  paths_ = std::move(outside);
  block_ = around;
  refusals.check();
}

Engine::Mark Engine::mark() {
  constexpr int64_t kMostCopied = 100'000'000;  // entries, of all marks: some gigabytes
  copied_ += static_cast<int64_t>(bound_.size() + known_.size() + symbol_names_.size());
  if (copied_ > kMostCopied)
    refuse("limit", "the model has too many loops for the number of its values");
  return {lowered_.graph.values.size(),
          lowered_.nodes.size(),
          lowered_.draws.size(),
          lowered_.notes.size(),
          equations_.size(),
          steps_->size(),
          bound_elements_.size(),
          bound_,
          known_,
          symbol_names_,
          run_symbols_,
          determined_};
}

void Engine::forget(Mark mark) {
  lowered_.graph.values.resize(mark.values);
  std::erase_if(filled_,
                [&](const auto& one) { return static_cast<size_t>(one.first) >= mark.values; });
  lowered_.nodes.resize(mark.nodes);
  lowered_.draws.resize(mark.draws);
  for (size_t i = mark.notes; i < lowered_.notes.size(); ++i)
    noted_.erase(to_warning(lowered_.notes[i]));
  lowered_.notes.resize(mark.notes);
  equations_.resize(mark.equations);
  steps_->resize(mark.steps);
  bound_elements_.resize(mark.bound_elements);
  bound_ = std::move(mark.bound);
  known_ = std::move(mark.known);
  symbol_names_ = std::move(mark.symbol_names);
  run_symbols_ = std::move(mark.run_symbols);
  determined_ = std::move(mark.determined);
}

bool Engine::lowered_before(const Node& node) { return depth_ > 0 && !seen_.insert(&node).second; }

void Engine::lower_node(const Node& node) {
  if (lowered_before(node) && ++nodes_again_ > options_.nodes_again)
    refuse("limit", "bodies of nested loops must be lowered too often: their sizes keep changing");
  const OpDef& def = find_definition(node);
  check_arity(node, def);
  for (std::string& told : check_attributes(node, def))
    note({{.op = node.op}, "bad-attribute", std::move(told), {}});
  const std::optional<Path> path = enter_paths(node, def);
  if (!path) return;
  std::vector<Operand> inputs;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    inputs.emplace_back();
    if (node.inputs[i] == kAbsent || !paths_.of(node.inputs[i])) continue;
    located({.operand = input_label(node, def, i)},
            [&] { inputs.back() = operand_of(node.inputs[i]); });
  }
  check_types(node, def, inputs, [&](const Operand& input) {
    return !input.tuple() && !value(input.value()).note.empty();
  });

  const bool always = depth_ == 0 && path->empty();
  if (always && gives_found_sizes(node, inputs)) return;
  const size_t found = run_symbols_.size(), draws = lowered_.draws.size();
  NodeContext context(*this, node, def, *path);
  Steps steps;
  depth_ += !path->empty();
  context.begin(steps);
  context.collect(steps, [&] { def.lower(context); });
  depth_ -= !path->empty();

  std::vector<Operand> outputs;
  NodeFacts facts{origin_of(node, graph_).node, node.op, {}, {}, false};
  for (const GraphValueId id : node.outputs) {
    if (id == kAbsent) continue;
    BURIN_CHECK(bound_[static_cast<size_t>(id)].has_value(),
                "operator declares no output: " + node.op);
    collect_tensors(*bound_[static_cast<size_t>(id)], outputs);
  }
  for (const Operand& output : outputs) {
    check_size(output.type(), output.shape());
    facts.outputs.push_back({value(output.value()).name, output.type(), output.shape(), {}});
  }
  const bool chooses = context.routes() || has_block(node);
  facts.dynamism_class = chooses ? "EDO" : dynamism_class(steps, outputs, lowered_.graph.values);
  const bool plain = !context.has_region() && !context.routes();
  if (options_.propagate_values && plain) read_known(steps, lowered_.graph.values, known_);
  facts.folded = options_.fold_constants && plain && try_fold(steps, outputs);
  if (!facts.folded && options_.propagate_values && plain) {
    learn_values(steps);
    facts.folded = options_.fold_constants && fold_learned(steps, outputs);
  }
  context.keep_learned();
  context.keep_draws();
  if (facts.folded && reads_draws(steps)) {
    for (const Operand& output : outputs) lowered_.draws.push_back({output.value(), {}});
  }
  if (!facts.folded) {
    Steps& to = paths_.steps(*path, *steps_);
    for (Step& step : steps) to.push_back(std::move(step));
  }
  context.place_outputs();
  for (size_t i = 0; i < outputs.size(); ++i)
    facts.outputs[i].elements = known(outputs[i].value()).value_or(std::vector<Dim>());
  lowered_.nodes.push_back(std::move(facts));
  if (always && run_symbols_.size() > found && lowered_.draws.size() == draws)
    find_sizes_.push_back({&node, values_of(inputs), lowered_.nodes.size() - 1});
}

namespace {

// Folding a pure map of constants pays where the result is small or not larger than what it came
// from; otherwise it stays an access or an expression of its reader (a broadcast, a dequantised
// weight).
bool worth_folding(const Steps& steps, int64_t read_bytes, int64_t written_bytes,
                   int64_t written_elements) {
  bool only_maps = true;
  for_each_kernel(steps,
                  [&](const Kernel& kernel) { only_maps = only_maps && kernel.lets.empty(); });
  if (written_elements <= 64) return true;
  if (!only_maps) return true;
  return written_bytes <= read_bytes && written_elements <= 65536;
}

// Without those that the node only hands on: another one made these.
std::vector<Operand> made_by(const Steps& steps, const std::vector<Operand>& outputs) {
  std::vector<Operand> made;
  for (const Operand& output : outputs) {
    const bool here = std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
      const std::vector<ValueId> written = writes_of(step);
      return std::find(written.begin(), written.end(), output.value()) != written.end();
    });
    if (here) made.push_back(output);
  }
  return made;
}

}  // namespace

bool Engine::try_fold(const Steps& steps, const std::vector<Operand>& outputs) {
  std::vector<ValueId> written;
  int64_t read_bytes = 0, written_bytes = 0, written_elements = 0;
  for (const Step& step : steps) {
    if (!std::holds_alternative<Kernel>(step)) return false;
    for (const ValueId id : writes_of(step)) written.push_back(id);
  }
  if (steps.empty()) return false;
  for (const Step& step : steps) {
    if (!symbols_of(step).empty()) return false;
    for (const ValueId id : reads_of(step)) {
      const Value& read = value(id);
      if (read.kind == ValueKind::constant) {
        read_bytes += static_cast<int64_t>(read.constant.bytes);
      } else if (std::find(written.begin(), written.end(), id) == written.end()) {
        return false;
      }
    }
  }
  const std::vector<Operand> made = made_by(steps, outputs);
  for (const Operand& output : made) {
    const int64_t elements = product(output.shape()).constant();
    if (elements / 2 > kFoldKept) return false;  // two to a byte at most; the sums stay small
    written_elements += elements;
    written_bytes += size_bytes(output.type(), elements);
  }
  if (!worth_folding(steps, read_bytes, written_bytes, written_elements)) return false;
  if (written_bytes > kFoldKept - fold_kept_) return false;
  Environment environment;
  const int64_t most = std::min(options_.fold_operations, fold_left_);
  environment.left.operations = most;
  environment.left.bytes = kFoldBytes;
  const bool ran = execute_steps(steps, lowered_.graph.values, environment).status == kRunOk;
  fold_left_ -= ran ? most - environment.left.operations : most;
  if (!ran) return false;
  fold_kept_ += written_bytes;
  for (const Operand& output : made) {
    Value& folded = value(output.value());
    folded.constant = to_constant(environment.tensor(lowered_.graph.values, output.value()));
    folded.kind = ValueKind::constant;
  }
  return true;
}

// What is computed from sizes of the caller, and is the same for all of them.
bool Engine::fold_learned(const Steps& steps, const std::vector<Operand>& outputs) {
  std::vector<std::pair<ValueId, HostTensor>> found;
  const bool only_kernels = std::all_of(steps.begin(), steps.end(), [](const Step& step) {
    return std::holds_alternative<Kernel>(step);
  });
  if (steps.empty() || !only_kernels) return false;
  for (const Operand& output : made_by(steps, outputs)) {
    const Value& written = value(output.value());
    const auto elements = known_.find(output.value());
    if (written.kind != ValueKind::internal || elements == known_.end()) return false;
    std::optional<HostTensor> tensor = tensor_of(written, elements->second);
    if (!tensor) return false;
    found.emplace_back(output.value(), std::move(*tensor));
  }
  for (const auto& [id, tensor] : found) {
    value(id).constant = to_constant(tensor);
    value(id).kind = ValueKind::constant;
    known_.erase(id);
  }
  return true;
}

bool Engine::reads_draws(const Steps& steps) const {
  if (lowered_.draws.empty()) return false;
  return std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
    const std::vector<ValueId> reads = reads_of(step);
    return std::any_of(lowered_.draws.begin(), lowered_.draws.end(), [&](const DrawnValue& draw) {
      return std::binary_search(reads.begin(), reads.end(), draw.value);
    });
  });
}

void Engine::learn_values(const Steps& steps) {
  SymbolicOptions options;
  options.elements = kMostKnown;
  for (auto& [id, elements] :
       evaluate_symbolically(steps, lowered_.graph.values, known_, options)) {
    // What an operator declared by itself (Shape) stands.
    if (value(id).kind == ValueKind::internal) known_.emplace(id, std::move(elements));
  }
}

Lowered Engine::run() {
  bound_.resize(graph_.values.size());
  refused_.resize(graph_.values.size());
  steps_ = &lowered_.graph.steps;
  Refusals refusals;
  declare_inputs(refusals);
  for (const ValueId id : lowered_.graph.inputs)
    lowered_.inputs.push_back({value(id).name, value(id).type, value(id).shape, {}});
  refusals.refused([&] { lower_block(graph_.block); });
  refusals.check();
  finish_outputs();
  return std::move(lowered_);
}

}  // namespace burin
