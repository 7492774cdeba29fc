// What an operator may ask and say, answered from the engine's state.
#include <algorithm>

#include "graph/attribute_text.h"
#include "kernel/index/size_bound.h"
#include "kernel/place_of.h"
#include "lower/dim_hints.h"
#include "lower/engine.h"
#include "lower/origin.h"
#include "lower/paths.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

bool has_symbol(const Dim& dim) {
  std::vector<Symbol> symbols;
  dim.collect_symbols(symbols);
  return !symbols.empty();
}

// Which bound is broken, where it is one that can be told; else all of them.
std::string broken_text(const Guard& guard) {
  for (const Condition& one : guard) {
    if (proven_lt(one.index, one.lo))
      return " is " + to_string(one.index) + ", at least " + to_string(one.lo) + " is needed";
    if (proven_le(one.hi, one.index))
      return " is " + to_string(one.index) + ", at most " + to_string(one.hi - 1) + " is possible";
  }
  return ": " + to_string(guard) + " does not hold";
}

}  // namespace

Origin NodeContext::origin() const {
  Origin out = origin_of(node_, engine_.graph_);
  out.converts = def_.converts;
  if (!node_.attributes.empty())
    out.attributes = std::make_shared<const std::string>(attributes_text(node_));
  return out;
}

std::string NodeContext::output_name(int i) const {
  const GraphValueId id = node_.outputs[static_cast<size_t>(i)];
  return id == kAbsent ? std::string() : engine_.graph_.values[static_cast<size_t>(id)].name;
}

Operand NodeContext::input(int i) const {
  if (!has_input(i)) {
    refuse("arity", "input " + std::to_string(i) + " is missing, which opset " +
                        std::to_string(version()) + " requires");
  }
  return engine_.operand_of(node_.inputs[static_cast<size_t>(i)]);
}

std::optional<std::vector<Dim>> NodeContext::known(int i) const { return known_of(input(i)); }

std::optional<std::vector<Dim>> NodeContext::known_of(const Operand& tensor) const {
  return engine_.known(tensor.value());
}

std::vector<std::optional<Dim>> NodeContext::known_elements(int i) const {
  return engine_.known_elements(input(i).value());
}

std::vector<std::optional<double>> NodeContext::known_numbers(int i) const {
  return engine_.known_numbers(input(i).value());
}

std::optional<Tensor> NodeContext::constant(int i) const {
  const Operand operand = input(i);
  const Value& value = engine_.value(operand.value());
  if (value.kind != ValueKind::constant) return std::nullopt;
  Tensor tensor;
  tensor.type = value.type;
  for (const Dim& dim : value.shape) tensor.shape.push_back(dim.constant());
  tensor.content = value.constant;
  return tensor;
}

Dim NodeContext::settled(const Dim& dim) {
  std::string what;
  const Dim said = by_facts(dim, engine_.facts_, &what);
  if (!(said == dim)) require({{dim - said, 0, 1}}, "a size determined by " + what);
  return said;
}

// Whether a declared shape cannot be that of the result: it is left over from another size, or from
// another operator. Then it says nothing.
bool NodeContext::contradicts(const GraphValue& declared, const Shape& shape) {
  bool apart = declared.shape->size() != shape.size();
  for (size_t d = 0; !apart && d < shape.size(); ++d) {
    const Dim& said = (*declared.shape)[d];
    apart = said.is_constant() && proven_ne(said, shape[d]);
  }
  if (!apart) return false;
  engine_.contradicted_.insert(static_cast<GraphValueId>(&declared - engine_.graph_.values.data()));
  engine_.note_or_refuse({locate(engine_.path_),
                          "shape-mismatch",
                          "output " + quoted(declared.name) + " is declared " +
                              to_string(*declared.shape) + ", the operator gives " +
                              to_string(shape),
                          {}});
  return true;
}

Operand NodeContext::output(int i, Type type, Shape shape) {
  if (!has_output(i)) return temporary("unused" + std::to_string(i), type, std::move(shape));
  const GraphValueId id = node_.outputs[static_cast<size_t>(i)];
  check_rank(static_cast<int64_t>(shape.size()));
  for (const Dim& dim : shape) {
    if (proven_lt(dim, 0))
      refuse("shape-mismatch", "output has shape " + to_string(shape) + ": a negative extent");
    require_extent(dim);
  }
  const GraphValue& declared = engine_.graph_.values[static_cast<size_t>(id)];
  // Positions in a list of strings, where an operator gives these.
  const bool positions = declared.type == Type::string && type == Type::i64 &&
                         static_cast<size_t>(i) < def_.outputs.size() &&
                         def_.outputs[static_cast<size_t>(i)].types == types::labels;
  if (declared.type != Type::none && declared.type != type && !positions) {
    refuse("type-mismatch", "output " + quoted(declared.name) + " is declared " +
                                std::string(to_string(declared.type)) + ", the operator gives " +
                                std::string(to_string(type)));
  }
  if (declared.shape && !contradicts(declared, shape)) {
    for (size_t d = 0; d < shape.size(); ++d) {
      const Dim& said = (*declared.shape)[d];
      if (!said.is_constant() || shape[d] == said) continue;
      // The file's word bounds what nothing else does: an assumption that the run checks.
      std::vector<Symbol> symbols;
      shape[d].collect_symbols(symbols);
      const bool run_time = std::any_of(symbols.begin(), symbols.end(), [](const Symbol& s) {
        return s->origin == SymbolOrigin::run;
      });
      // Where bounds of a loop were found with it, they hold only with it.
      const bool needed = engine_.options_.strict || engine_.assumed_.contains({id, d}) ||
                          !is_bounded_before_run(shape[d]);
      if (!run_time || !needed) continue;
      engine_.assumed_.insert({id, d});
      require({{shape[d], said, said + 1}},
              "declared dimension " + std::to_string(d) + " of " + quoted(declared.name));
      shape[d] = said;
    }
  }
  for (Dim& dim : shape) dim = settled(dim);
  Value value;
  value.name = declared.name;
  value.type = type;
  value.shape = shape;
  const Operand operand(engine_.add_value(std::move(value)), type, std::move(shape));
  engine_.bound_[static_cast<size_t>(id)] = operand;
  return operand;
}

std::optional<int> NodeContext::declared_rank(int i) const {
  if (!has_output(i)) return std::nullopt;
  const GraphValueId id = node_.outputs[static_cast<size_t>(i)];
  const GraphValue& declared = engine_.graph_.values[static_cast<size_t>(id)];
  return declared.shape ? std::optional(static_cast<int>(declared.shape->size())) : std::nullopt;
}

std::string NodeContext::name_of_caller(int i) const {
  if (!has_input(i)) return {};
  const GraphValueId id = node_.inputs[static_cast<size_t>(i)];
  const std::vector<GraphValueId>& given = engine_.graph_.block.inputs;
  return std::find(given.begin(), given.end(), id) == given.end()
             ? std::string()
             : engine_.graph_.values[static_cast<size_t>(id)].name;
}

void NodeContext::forward(int i, const Operand& value) {
  if (!has_output(i)) return;
  engine_.bound_[static_cast<size_t>(node_.outputs[static_cast<size_t>(i)])] = value;
}

const ElementContext& elements_of(const OpContext& op) {
  return dynamic_cast<const ElementContext&>(op);
}

DrawContext& draws_of(OpContext& op) { return dynamic_cast<DrawContext&>(op); }

void NodeContext::drawn(int i, std::optional<Distribution> distribution) {
  if (has_output(i)) draws_.emplace_back(i, distribution);
}

void NodeContext::keep_draws() {
  for (const auto& [i, distribution] : draws_) {
    const GraphValueId id = node_.outputs[static_cast<size_t>(i)];
    engine_.lowered_.draws.push_back({engine_.operand_of(id).value(), distribution});
  }
}

bool NodeContext::is_read(int i) const {
  if (!has_output(i)) return false;
  const std::vector<Node>& nodes = engine_.graph_.block.nodes;
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) {
    const std::vector<GraphValueId> reads = reads_of(node);  // those of its blocks, too
    return std::binary_search(reads.begin(), reads.end(), node_.outputs[static_cast<size_t>(i)]);
  });
}

void NodeContext::set_note(int i, const std::string& note) {
  const Operand y = engine_.operand_of(node_.outputs[static_cast<size_t>(i)]);
  engine_.value(y.value()).note = note;
}

void NodeContext::set_known(int i, std::vector<Dim> elements) {
  if (!has_output(i)) return;
  set_known_of(engine_.operand_of(node_.outputs[static_cast<size_t>(i)]), std::move(elements));
}

void NodeContext::set_known_of(const Operand& tensor, std::vector<Dim> elements) {
  engine_.known_[tensor.value()] = to_elements(elements);
}

Operand NodeContext::temporary(std::string_view what, Type type, Shape shape) {
  Value value;
  value.name = origin().node + "_" + std::string(what);
  value.type = type;
  value.shape = shape;
  return Operand(engine_.add_value(std::move(value)), type, std::move(shape));
}

Operand NodeContext::constant_operand(std::string_view what, const Tensor& tensor) {
  return engine_.constant_value(origin().node + "_" + std::string(what), tensor);
}

// What the node reads, for refusals of shapes: "; A is [2, 3], B is [4]".
std::string NodeContext::operands_text() const {
  constexpr int kMost = 6;
  std::vector<const Formal*> formals;
  for (const Formal& formal : def_.inputs) {
    if (formal.opsets.contains(node_.version)) formals.push_back(&formal);
  }
  std::string out;
  for (int i = 0; i < input_count() && i < kMost; ++i) {
    if (!has_input(i)) continue;
    const size_t formal = std::min(static_cast<size_t>(i), formals.size() - 1);
    const bool several = formals[formal]->arity == Arity::variadic;
    const size_t number = static_cast<size_t>(i) - formal;
    out += (out.empty() ? "; " : ", ") + formals[formal]->name +
           (several ? "[" + std::to_string(number) + "]" : "") + " is " +
           to_string(input(i).shape());
  }
  return out;
}

void NodeContext::require_equal(const Dim& a, const Dim& b, std::string_view what) {
  if (a == b) return;
  if (proven_ne(a, b)) {
    refuse("shape-mismatch",
           std::string(what) + ": " + to_string(a) + " and " + to_string(b) + " must be equal" +
               operands_text(),
           size_to_give(a, b));
  }
  if (engine_.depth_ == 0 && (has_symbol(a) || has_symbol(b))) {
    engine_.equations_.push_back({a, b, std::string(what), locate(engine_.path_)});
  }
  require({{a - b, 0, 1}}, what);
}

// Sizes of the caller, or of the run, may make an extent negative: t - 5 where t is 3.
void NodeContext::require_extent(const Dim& dim) {
  if (proven_nonnegative(dim)) return;
  require({{dim, 0, kUnbounded}}, "an extent");
}

bool NodeContext::is_checked(const Guard& guard) const {
  return std::any_of(engine_.steps_->begin(), engine_.steps_->end(), [&](const Step& step) {
    const Check* const before = std::get_if<Check>(&step);
    return before && before->guard == guard;
  });
}

void NodeContext::require(const Guard& guard, std::string_view what) {
  const std::optional<Guard> left = simplify(guard);
  if (!left) {
    refuse("shape-mismatch", std::string(what) + broken_text(guard) + operands_text());
  }
  if (left->empty() || is_checked(*left)) return;
  engine_.steps_->push_back(Check{*left, std::string(what), {origin()}});
}

Symbol NodeContext::symbol(const std::string& name, SymbolOrigin origin, SizeRange range) {
  SymbolInfo info;
  info.name = engine_.unique_symbol(name);
  info.origin = origin;
  info.min = range.least;
  info.max = range.most.range().hi;
  Dim most = range.most;
  // What another dynamic size leaves is kept as such: their product is bounded by it.
  const bool is_share = most.kind() == IndexKind::floordiv && !is_known_before_run(most);
  if (const std::optional<Dim> bound = bound_before_run(most); bound && !is_share) most = *bound;
  for (const SymbolBound& bound : engine_.options_.bounds) {
    if (origin != SymbolOrigin::run || bound.name != info.name) continue;
    info.min = std::max(info.min, bound.min.value_or(info.min));
    info.max = std::min(info.max, bound.max);
    // Of two bounds that are no numbers before the run, the user's is one.
    most = is_bounded_before_run(most) ? min(most, bound.max) : Dim(bound.max);
    if (info.min > info.max) {
      refuse("symbol", "--dim " + quoted(bound.name) + ": the size is between " +
                           std::to_string(range.least) + " and " + to_string(range.most));
    }
    if (bound.hint != 0 && (bound.hint < info.min || bound.hint > info.max)) {
      refuse("symbol", "size " + quoted(bound.name) + " is from " + std::to_string(info.min) +
                           " to " + std::to_string(info.max) + ", the one to optimise for is " +
                           std::to_string(bound.hint));
    }
    info.hint = bound.hint;
  }
  if (!most.is_constant()) info.most = std::make_shared<const Dim>(most);
  return std::make_shared<const SymbolInfo>(std::move(info));
}

Symbol NodeContext::bounded_symbol(const std::string& name, SizeRange range) {
  Symbol made = symbol(name, SymbolOrigin::run, range);
  engine_.run_symbols_.push_back(made);
  return made;
}

Symbol NodeContext::run_symbol(std::string_view what, SizeRange range) {
  return bounded_symbol(local_name(what), range);
}

Symbol NodeContext::iteration_symbol(std::string_view what, SizeRange range) {
  return symbol(std::string(what), SymbolOrigin::iter, range);
}

void NodeContext::bind(const Symbol& symbol, const Expr& value) {
  BURIN_CHECK(value.type() == Type::i64);
  engine_.steps_->push_back(Bind{symbol, value, {origin()}});
  determined(symbol);
}

void NodeContext::determined(const Symbol& symbol) {
  if (!is_outside_of_regions()) return;
  const int place = static_cast<int>(engine_.determined_.size());
  engine_.determined_.emplace(symbol->name, Determined{place, node_.number});
}

void NodeContext::emit(Kernel kernel) {
  kernel = with_bytes(std::move(kernel), engine_.string_bytes_);
  Origin own = origin();
  kernel.name = own.node + (emitted_ ? "_" + std::to_string(emitted_) : "");
  own.moves = only_moves(kernel);
  kernel.origins = {std::move(own)};
  ++emitted_;
  learn_filled(kernel);
  engine_.steps_->push_back(std::move(kernel));
}

void NodeContext::emit(Procedure procedure) {
  procedure.name = origin().node + (emitted_ ? "_" + std::to_string(emitted_) : "");
  procedure.origins = {origin()};
  ++emitted_;
  for (const Symbol& symbol : procedure.results) determined(symbol);
  engine_.steps_->push_back(std::move(procedure));
}

void NodeContext::collect(Steps& steps, const std::function<void()>& body) {
  engine_.outer_.push_back(std::exchange(engine_.steps_, &steps));
  body();
  engine_.steps_ = engine_.outer_.back();
  engine_.outer_.pop_back();
}

bool NodeContext::attempt(const std::function<bool()>& body) {
  Engine::Mark mark = engine_.mark();
  const int emitted = emitted_;
  if (body()) return true;
  engine_.forget(std::move(mark));
  emitted_ = emitted;
  return false;
}

void NodeContext::emit(Step region) {
  has_region_ = true;
  origins_of(region) = {origin()};
  engine_.steps_->push_back(std::move(region));
}

}  // namespace burin
