// Values, symbols and the budget of one run.
#include <algorithm>

#include "kernel/index/index_node.h"
#include "kernel/index/size_bound.h"
#include "kernel/interpreter/interpreter_steps.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// The dim at the symbols that have a value; nullopt when one has none.
std::optional<int64_t> evaluate_known(const Dim& dim,
                                      const std::map<std::string, int64_t>& symbols) {
  if (dim.is_constant()) return dim.constant();
  std::vector<Symbol> used;
  dim.collect_symbols(used);
  for (const Symbol& symbol : used) {
    if (!symbols.contains(symbol->name)) return std::nullopt;
  }
  return dim.evaluate([&](const Index& leaf) { return symbols.at(leaf.as_symbol()->name); });
}

// Its largest value, given the symbols that are known.
int64_t largest(const Dim& dim, const std::map<std::string, int64_t>& symbols) {
  const Dim known = dim.map_leaves([&](const Index& leaf) -> Index {
    const auto at = symbols.find(leaf.as_symbol()->name);
    return at == symbols.end() ? leaf : Index(at->second);
  });
  const std::optional<Dim> most = bound_before_run(known);
  const std::optional<int64_t> bound = most ? evaluate_known(*most, symbols) : std::nullopt;
  BURIN_CHECK(bound.has_value(), "no bound for the size " + to_string(dim));
  return *bound;
}

int64_t elements_of(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t extent : shape) count = saturating_mul(count, extent);
  return count;
}

}  // namespace

void RunState::set_symbol(const Symbol& symbol, int64_t value) {
  int64_t most = symbol->max;
  if (symbol->most) {
    if (const std::optional<Dim> bound = bound_before_run(*symbol->most))
      most = evaluate_known(*bound, environment_.symbols).value_or(most);
  }
  if (value < symbol->min || value > most) {
    throw RunStopped{kRunCheckFailed,
                     quoted(symbol->name) + " is " + std::to_string(value) + ", outside " +
                         std::to_string(symbol->min) + " .. " + std::to_string(most),
                     value > most ? symbol->name : ""};
  }
  environment_.symbols[symbol->name] = value;
}

int64_t RunState::evaluate(const Dim& dim) const {
  const std::optional<int64_t> value = evaluate_known(dim, environment_.symbols);
  BURIN_CHECK(value.has_value(), "a symbol of " + to_string(dim) + " has no value yet");
  return *value;
}

const Value& RunState::value(ValueId id) const {
  BURIN_CHECK(id >= 0 && static_cast<size_t>(id) < values_.size());
  return values_[static_cast<size_t>(id)];
}

// Only the first extent may be open: addresses do not depend on it.
std::vector<int64_t> RunState::extents(ValueId id, bool* open) const {
  *open = false;
  std::vector<int64_t> shape;
  const Value& v = value(id);
  for (const Dim& dim : v.shape) {
    std::optional<int64_t> extent = evaluate_known(dim, environment_.symbols);
    if (!extent) {
      BURIN_CHECK(shape.empty(), quoted(v.name) + ": " + to_string(dim) + " is not known yet");
      *open = true;
      extent = largest(dim, environment_.symbols);
    }
    BURIN_CHECK(*extent >= 0, quoted(v.name) + ": negative extent " + to_string(dim));
    shape.push_back(*extent);
  }
  return shape;
}

TensorView RunState::view(ValueId id) {
  const Value& v = value(id);
  if (v.kind == ValueKind::constant) {
    bool open;
    TensorView view{v.type, extents(id, &open), v.constant.data, quoted(v.name)};
    if (!v.layout.is_row_major()) {
      HostTensor& plain = row_major_[id];
      if (plain.type == Type::none) plain = to_row_major(v);
      view.data = plain.bytes.data();
      return view;
    }
    BURIN_CHECK(
        static_cast<int64_t>(v.constant.bytes) == size_bytes(v.type, elements_of(view.shape)),
        view.name + ": bytes of a constant");
    return view;
  }
  const auto at = environment_.tensors.find(id);
  if (at == environment_.tensors.end()) {
    // A loop that has no iterations writes none of its rows.
    bool open;
    const bool empty = elements_of(extents(id, &open)) == 0 && !open;
    BURIN_CHECK(empty, quoted(v.name) + " is read before it is written");
    writable(id);
    return view(id);
  }
  HostTensor& tensor = at->second;
  if (environment_.open.contains(id)) {
    bool open;
    std::vector<int64_t> shape = extents(id, &open);
    if (!open) {
      BURIN_CHECK(shape[0] <= tensor.shape[0], quoted(v.name) + " outgrew its bound");
      tensor.shape = std::move(shape);
      tensor.bytes.resize(static_cast<size_t>(size_bytes(tensor.type, tensor.elements())));
      environment_.open.erase(id);
    }
  }
  return {tensor.type, tensor.shape, tensor.bytes.data(), quoted(v.name)};
}

HostTensor& RunState::writable(ValueId id) {
  const Value& v = value(id);
  BURIN_CHECK(v.kind == ValueKind::internal || v.kind == ValueKind::output,
              quoted(v.name) + " is not to be written");
  bool open;
  std::vector<int64_t> shape = extents(id, &open);
  const auto at = environment_.tensors.find(id);
  if (at != environment_.tensors.end()) {
    if (at->second.shape == shape) return at->second;
    release_bytes(static_cast<int64_t>(at->second.bytes.size()));
    environment_.tensors.erase(at);
  }
  const int64_t elements = elements_of(shape);
  charge_bytes(elements);  // first, so that the product below cannot overflow
  const int64_t bytes = size_bytes(v.type, elements);
  release_bytes(elements);
  charge_bytes(bytes);
  HostTensor& tensor = environment_.tensors[id];
  tensor = {v.type, std::move(shape), {}};
  tensor.bytes.assign(static_cast<size_t>(bytes), std::byte{0xff});
  if (open) {
    environment_.open.insert(id);
  } else {
    environment_.open.erase(id);
  }
  return tensor;
}

void RunState::charge(int64_t times, int64_t operations) {
  const int64_t cost = saturating_mul(times, operations);
  if (cost > environment_.left.operations) {
    throw RunStopped{kRunOverBudget, "the budget of operations is used up"};
  }
  environment_.left.operations -= cost;
}

void RunState::charge_bytes(int64_t bytes) {
  if (bytes > environment_.left.bytes) {
    throw RunStopped{kRunOverBudget, "the budget of memory is used up"};
  }
  environment_.left.bytes -= bytes;
}

ProgramScope RunState::scope() {
  ProgramScope scope;
  scope.symbol = [this](const Index& symbol) {
    const auto at = environment_.symbols.find(symbol.as_symbol()->name);
    BURIN_CHECK(at != environment_.symbols.end(), to_string(symbol) + " has no value yet");
    return at->second;
  };
  scope.tensor = [this](ValueId id) { return view(id); };
  return scope;
}

HostTensor Environment::tensor(const std::vector<Value>& values, ValueId id) const {
  Environment copy;
  copy.symbols = symbols;
  const Value& v = values[static_cast<size_t>(id)];
  if (v.kind != ValueKind::constant) {
    if (const auto at = tensors.find(id); at != tensors.end()) copy.tensors[id] = at->second;
    if (open.contains(id)) copy.open.insert(id);
  }
  const TensorView view = RunState(values, copy).view(id);
  HostTensor out{view.type, view.shape, {}};
  out.bytes.assign(view.data, view.data + size_bytes(view.type, elements_of(view.shape)));
  return out;
}

}  // namespace burin
