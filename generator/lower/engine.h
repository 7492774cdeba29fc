// The state of one lowering pass; only sources of lower/ include it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/path.h"
#include "graph/string_bytes.h"
#include "kernel/symbolic/symbolic.h"
#include "lower/lower.h"
#include "lower/paths.h"
#include "lower/unify.h"
#include "ops/api/core/branches.h"
#include "ops/api/core/declared_draws.h"
#include "ops/api/core/known_elements.h"
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/size_facts.h"
#include "ops/api/layers/gradients.h"
#include "support/refusals.h"

namespace burin {

// Elements of a tensor whose contents are followed one by one.
inline constexpr int64_t kMostKnown = 4096;

// Refused where 64 bits cannot count the bits of a tensor: here its node is known, and every later
// stage counts with them.
void check_size(Type type, const Shape& shape);

class Engine {
 public:
  // `fold_left`: operations that folding may still take. `facts`: what earlier passes found out
  // about dynamic sizes.
  Engine(const Graph& graph, const LowerOptions& options, int64_t& fold_left, const RunFacts& facts)
      : graph_(graph),
        options_(options),
        fold_left_(fold_left),
        facts_(facts),
        string_bytes_(
            std::max(options.string_bytes, std::min(longest_string(graph), kMostStringBytes))) {}

  Lowered run();
  // Pairs that an operator at top level requires to be equal and that contain a symbol.
  const std::vector<Equation>& equations() const { return equations_; }
  const Location& place_of_equation(size_t i) const { return equations_[i].place; }
  const std::vector<Symbol>& run_symbols() const { return run_symbols_; }
  const DeterminedSymbols& determined() const { return determined_; }

 private:
  friend class NodeContext;

  // What an attempt may add to, as it was before.
  struct Mark {
    size_t values, nodes, draws, notes, equations, steps, bound_elements;
    std::vector<std::optional<Operand>> bound;
    std::map<ValueId, SymbolicElements> known;
    std::set<std::string> symbol_names;
    std::vector<Symbol> run_symbols;
    DeterminedSymbols determined;
  };
  Mark mark();
  void forget(Mark mark);

  void declare_inputs(Refusals& refusals);
  void declare_input(GraphValueId id);
  void find_packed_inputs();
  void check_declared(const GraphValue& declared, const Operand& result);
  // What the file declares and the graph contradicts.
  void note_or_refuse(Diagnostic note);
  void note(Diagnostic note);
  void finish_outputs();
  void finish_value(const Operand& result, const std::string& name);
  void finish_packed(const Tuple& tuple, const std::string& name);
  Operand extents_of(const Bounded& given, const std::string& name);
  void finish_output(const Operand& result, const std::string& name);
  void lower_block(const Block& block);
  void lower_node(const Node& node);
  bool lowered_before(const Node& node);
  // The same node of the same operands that found sizes before: what it gives, this one gives, too.
  bool gives_found_sizes(const Node& node, const std::vector<Operand>& inputs);
  void finish_paths(const Block& block, Steps& steps);
  // Which paths a node needs, after what they give was put before it; nullopt: it never runs.
  std::optional<Path> enter_paths(const Node& node, const OpDef& def);
  // Replaces what the node emitted by constants where all it read is constant.
  bool try_fold(const Steps& steps, const std::vector<Operand>& outputs);
  void learn_values(const Steps& steps);
  // The same where all that the node gives is now known to be numbers.
  bool fold_learned(const Steps& steps, const std::vector<Operand>& outputs);
  bool reads_draws(const Steps& steps) const;

  // A tensor of strings becomes one of bytes, with one dimension more.
  ValueId add_value(Value value);
  Value& value(ValueId id) { return lowered_.graph.values[static_cast<size_t>(id)]; }
  Operand constant_value(const std::string& name, const Tensor& tensor);
  Operand operand_of(GraphValueId id);
  std::optional<std::vector<Dim>> known(ValueId id) const;
  std::vector<std::optional<Dim>> known_elements(ValueId id) const;
  // Those that have been made before what is made now, in the lists that are open.
  std::vector<const Steps*> made_steps() const;
  std::vector<std::optional<double>> known_numbers(ValueId id) const;
  std::string unique_symbol(std::string name);

  const Graph& graph_;
  const LowerOptions& options_;
  int64_t& fold_left_;
  int64_t fold_kept_ = 0;  // bytes of folded constants
  Lowered lowered_;
  std::vector<std::optional<Operand>> bound_;  // by GraphValueId
  std::vector<GraphValueId> first_read_;  // constants, in the order in which reading bound them
  std::vector<bool> refused_;    // by GraphValueId: what made it was refused, so nothing reads it
  std::vector<PathPlace> path_;  // of the node that is lowered, outermost first
  std::map<ValueId, SymbolicElements> known_;  // of small tensors, where known before the run
  std::map<ValueId, int64_t> filled_;          // integers that are all the same, however many
  std::vector<Equation> equations_;
  std::set<std::string> symbol_names_;
  std::set<std::string> noted_;
  std::set<GraphValueId> contradicted_;  // whose declared shape says nothing
  // Declared dimensions that were taken for open sizes; those of attempts that were given up stay.
  std::set<std::pair<GraphValueId, size_t>> assumed_;
  std::vector<Symbol> run_symbols_;  // that --dim may bound
  // Dynamic sizes that are bound to elements, outside of regions.
  struct BoundElement {
    Expr value;
    SizeRange range;
    Symbol symbol;
  };
  std::vector<BoundElement> bound_elements_;
  const RunFacts& facts_;
  DeterminedSymbols determined_;
  std::set<const Node*> seen_;  // of nested blocks
  // Nodes of the graph itself whose sizes the run finds, and which facts are theirs.
  struct FindsSizes {
    const Node* node;
    std::vector<ValueId> inputs;
    size_t facts;
  };
  std::vector<FindsSizes> find_sizes_;
  int64_t nodes_again_ = 0;
  int64_t copied_ = 0;            // entries of marks
  Paths paths_;                   // of the block that is lowered
  const Block* block_ = nullptr;  // that is lowered
  Steps* steps_ = nullptr;        // where steps go now
  std::vector<Steps*> outer_;     // where they go behind that, from the graph's own on
  int depth_ = 0;                 // of nested blocks
  int64_t string_bytes_;          // of every string
};

// One node's view of the engine.
class NodeContext final : public OpContext,
                          public PathContext,
                          public DrawContext,
                          public ElementContext,
                          public SizeContext,
                          public GraphContext,
                          public BranchContext {
 public:
  // `path`: the paths that the node needs.
  NodeContext(Engine& engine, const Node& node, const OpDef& def, Path path)
      : OpContext(node), engine_(engine), def_(def), path_(std::move(path)) {}

  Operand input(int i) const override;
  std::optional<std::vector<Dim>> known(int i) const override;
  std::optional<std::vector<Dim>> known_of(const Operand& tensor) const override;
  std::vector<std::optional<Dim>> known_elements(int i) const override;
  std::vector<std::optional<double>> known_numbers(int i) const override;
  std::optional<int64_t> filled_with(int i) const override;
  std::optional<Dim> most(const Expr& value) const override;
  std::optional<ElementBounds> range_of(
      const Operand& tensor, const std::map<ValueId, ElementBounds>& assumed) const override;
  std::map<ValueId, SymbolicElements> known_after(
      const Steps& steps, const std::set<ValueId>& tensors,
      const std::map<ValueId, Dim>& before) const override;
  std::optional<Dim> integer_of(const Expr& value,
                                const std::map<ValueId, SymbolicElements>& known) const override;
  bool is_unknown_integer(ValueId id) const override;
  std::vector<Dim> elements_within(
      int i, const std::vector<SizeRange>& ranges,
      const std::function<Expr(int64_t, const Expr&)>& prepare) override;
  std::optional<Tensor> constant(int i) const override;
  std::optional<std::map<std::string, int64_t>> sizes_with(const Guard& wanted) const override;

  Operand output(int i, Type type, Shape shape) override;
  std::optional<int> declared_rank(int i) const override;
  std::string name_of_caller(int i) const override;
  void forward(int i, const Operand& value) override;
  void set_note(int i, const std::string& note) override;
  bool is_read(int i) const override;
  void set_known(int i, std::vector<Dim> elements) override;
  void set_known_of(const Operand& tensor, std::vector<Dim> elements) override;
  void set_range_of(const Operand& tensor, const Dim& lo, const Dim& hi) override;
  Operand temporary(std::string_view what, Type type, Shape shape) override;
  Operand constant_operand(std::string_view what, const Tensor& tensor) override;
  int64_t string_bytes() const override { return engine_.string_bytes_; }

  void require_equal(const Dim& a, const Dim& b, std::string_view what) override;
  void require(const Guard& guard, std::string_view what) override;
  Symbol run_symbol(std::string_view what, SizeRange range) override;
  void bind(const Symbol& symbol, const Expr& value) override;
  Dim run_size(std::string_view what, const SizeRange& range, const Expr& value) override;
  // Where the steps go that run whenever the node does.
  void begin(const Steps& own) { own_ = &own; }

  void emit(Kernel kernel) override;
  void emit(Procedure procedure) override;

  std::vector<Operand> inline_block(const Block& block,
                                    const std::vector<Operand>& arguments) override;
  void collect(Steps& steps, const std::function<void()>& body) override;
  bool attempt(const std::function<bool()>& body) override;
  void emit(Step region) override;
  void attempt_all(const std::function<void()>& body) override;
  void splice(Steps steps) override;
  void warn(std::string_view rule, std::string text) override;
  Symbol iteration_symbol(std::string_view what, SizeRange range) override;

  void route(const Operand& predicate, PathForm form) override;
  void route_known(const std::vector<bool>& runs) override;
  std::vector<Arm> arms() const override;
  bool alternatives() const override;
  bool certain() const override;
  void in_arm(const Arm& arm, const std::function<void()>& body) override;

  void drawn(int i, std::optional<Distribution> distribution) override;

  Operand recompute(const std::vector<std::string>& inputs, const std::vector<Operand>& arguments,
                    const std::string& output) override;
  Operand tensor(ValueId id) const override;

  bool has_region() const { return has_region_; }
  bool routes() const { return routes_; }
  // After lowering: what was said of outputs that are drawn.
  // What the node has found out of elements that it reads: its own steps do so by reading them.
  void keep_learned() {
    for (const auto& [tensor, elements] : learned_) set_known_of(tensor, elements);
  }
  void keep_draws();
  // After lowering: on which paths the outputs are.
  void place_outputs();

 private:
  bool is_outside_of_regions() const { return engine_.depth_ == 0 && engine_.steps_ == own_; }
  Path path_of(const Arm& arm) const;
  void determined(const Symbol& symbol);
  // What facts make of a size; the run checks them here.
  Dim settled(const Dim& dim);
  void place_routed();
  void learn_filled(const Kernel& kernel);
  Symbol symbol(const std::string& name, SymbolOrigin origin, SizeRange range);
  Symbol bounded_symbol(const std::string& name, SizeRange range);
  void require_extent(const Dim& dim);
  bool is_checked(const Guard& guard) const;
  std::optional<SymbolicElement> evaluated(const Expr& value) const;
  // `known`: what is known of the value.
  Symbol bound_element(const std::string& name, const Expr& value, SizeRange range,
                       const std::optional<SymbolicElement>& known);
  void require_within(const Dim& size, const SizeRange& range, std::string_view what);
  std::string local_name(std::string_view what) const;
  std::string output_name(int i) const;
  std::string operands_text() const;
  bool contradicts(const GraphValue& declared, const Shape& shape);
  Origin origin() const;

  Engine& engine_;
  const OpDef& def_;
  const Path path_;
  mutable bool routes_ = false;  // it says something of paths
  int fork_ = -1;                // that its outputs are paths of
  std::vector<bool> runs_;       // its outputs, where known while generating
  const Steps* own_ = nullptr;
  bool has_region_ = false;
  std::vector<std::pair<Operand, std::vector<Dim>>> learned_;
  std::vector<std::pair<int, std::optional<Distribution>>> draws_;  // by output
  int emitted_ = 0;
};

}  // namespace burin
