#include "ops/api/learning/trees.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "kernel/combiner.h"
#include "kernel/tensor.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int64_t kMostWeights = int64_t{1} << 26;

template <class T>
Operand table_of(OpContext& op, const char* what, Type type, std::vector<int64_t> shape,
                 const std::vector<T>& list) {
  const HostTensor host = make_tensor(type, std::move(shape), list);
  return op.constant_operand(what, {host.type, host.shape, to_constant(host), {}});
}

// Of each node the comparisons on the longest way to a leaf. Of a node before those that it leads
// to, as put in order: all ways lead on.
std::vector<int> depths_of(const Forest& forest) {
  std::vector<int> depth(forest.nodes.size(), -1);
  for (const int64_t root : forest.roots) {
    std::vector<int64_t> open = {root};
    while (!open.empty()) {
      const int64_t at = open.back();
      const Forest::TreeNode& node = forest.nodes[static_cast<size_t>(at)];
      int& here = depth[static_cast<size_t>(at)];
      const int yes = depth[static_cast<size_t>(node.yes)],
                no = depth[static_cast<size_t>(node.no)];
      if (here >= 0 || forest.is_leaf(at)) {
        here = std::max(here, 0);
        open.pop_back();
      } else if (yes >= 0 && no >= 0) {
        here = std::max(yes, no) + 1;
        open.pop_back();
      } else {
        if (yes < 0) open.push_back(node.yes);
        if (no < 0) open.push_back(node.no);
      }
    }
  }
  return depth;
}

// The trees in groups, of each no tree is deeper than those of the next: a tree is walked as far as
// the deepest of its group. `together`: so many in a row stay so.
std::vector<std::vector<int64_t>> by_depth(const std::vector<int64_t>& roots, size_t together,
                                           const std::vector<int>& depths) {
  constexpr size_t kGroups = 3, kFewest = 48;  // trees that are worth kernels of their own
  const size_t rounds = roots.size() / together;
  if (roots.size() < kFewest || rounds < 2 * kGroups) return {roots};
  std::vector<std::pair<int, size_t>> order;
  for (size_t r = 0; r < rounds; ++r) {
    int most = 0;
    for (size_t k = 0; k < together; ++k)
      most = std::max(most, depths[static_cast<size_t>(roots[r * together + k])]);
    order.emplace_back(most, r);
  }
  std::sort(order.begin(), order.end());
  if (order.back().first - order[rounds / kGroups].first < 2) return {roots};
  std::vector<std::vector<int64_t>> out(kGroups);
  for (size_t i = 0; i < rounds; ++i) {
    const auto first = roots.begin() + static_cast<std::ptrdiff_t>(order[i].second * together);
    std::vector<int64_t>& group = out[i * kGroups / rounds];
    group.insert(group.end(), first, first + static_cast<std::ptrdiff_t>(together));
  }
  return out;
}

// What the table of ways has of a node, beside each other: a step reads one line of the cache, and
// the way that it goes is a place, not a jump. kMissing: where a feature is NaN.
constexpr int64_t kNo = 0, kYes = 1, kFeature = 2, kMissing = 3, kWays = 4;

class Walk {
 public:
  Walk(OpContext& op, const Features& x, const Forest& forest)
      : op_(op), x_(x), nodes_(static_cast<int64_t>(forest.nodes.size())) {
    std::vector<int64_t> ways, branches;
    std::vector<double> thresholds;
    for (const Forest::TreeNode& node : forest.nodes) {
      const bool missing = node.missing_is_yes || node.branch == Branch::neq;
      ways.insert(ways.end(), {node.no, node.yes, node.feature, missing ? node.yes : node.no});
      tracks_missing_ = tracks_missing_ || node.missing_is_yes;
      thresholds.push_back(node.threshold);
      branches.push_back(static_cast<int64_t>(node.branch));
      most_feature_ = std::max(most_feature_, node.feature);
    }
    for (size_t i = 0; i < forest.nodes.size(); ++i) {
      if (!forest.is_leaf(static_cast<int64_t>(i))) used_.insert(forest.nodes[i].branch);
    }
    const Type real = x.x.type() == Type::f64 ? Type::f64 : Type::f32;
    ways_ = table_of(op, "ways", Type::i32, {nodes_, kWays}, ways);
    thresholds_ = table_of(op, "thresholds", real, {nodes_}, thresholds);
    if (used_.size() > 1) branches_ = table_of(op, "branches", Type::u8, {nodes_}, branches);
    op.require({{x.columns, most_feature_ + 1, x.columns + 1}}, "features that nodes compare");
  }

  // The leaf of every row and tree, [rows, trees]; `number`: which group they are.
  Operand leaves(const std::vector<int64_t>& roots, const std::vector<int>& depths,
                 const std::string& number) {
    const auto trees = static_cast<int64_t>(roots.size());
    const std::string starts_name = "roots" + number, leaves_name = "leaves" + number;
    const Operand starts = table_of(op_, starts_name.c_str(), Type::i32, {trees}, roots);
    int levels = 0;
    for (const int64_t root : roots) levels = std::max(levels, depths[static_cast<size_t>(root)]);
    const Operand leaves = op_.temporary(leaves_name, Type::i32, {x_.rows, trees});
    KernelBuilder kernel;
    const Index row = kernel.axis(x_.rows, "row"), tree = kernel.axis(trees, "tree"),
                level = kernel.axis(std::max(levels, 1), "level", AxisKind::sequential);
    Indices over, back;
    for (const Index& axis : {row, tree, level}) {
      if (axis.is_constant()) continue;
      over.push_back(axis);
      back.push_back(axis == level ? level - 1 : axis);
    }
    // Where the level starts, and where it leads.
    Expr from = starts.at({tree});
    if (levels > 1) {
      const Expr before = Expr::let(kernel.next_let() + 1, Type::i32, back);
      from = kernel.let(over, Expr::cases({{{{level, 1, levels}}, before}}, from));
    }
    const Expr node = levels > 0 ? kernel.let(over, step(row, from)) : from;
    Guard last;
    if (levels > 1) last.push_back({level, levels - 1, levels});
    kernel.write(leaves, {row, tree}, node, last);
    op_.emit(kernel);
    return leaves;
  }

 private:
  Expr step(const Index& row, const Expr& node) const {
    const Index here = Index::data(Expr::cast(Type::i64, node).ptr(), {0, nodes_ - 1});
    const Index feature =
        Index::data(Expr::cast(Type::i64, ways_.at({here, kFeature})).ptr(), {0, most_feature_});
    const Expr value = as_float(x_.at(row, feature)), threshold = thresholds_.at({here});
    Expr way = Expr::select(goes_yes(value, threshold, here), Expr::constant(Type::i64, kYes),
                            Expr::constant(Type::i64, kNo));
    if (tracks_missing_)
      way = Expr::select(Expr::unary(Unary::is_nan, value), Expr::constant(Type::i64, kMissing),
                         way);
    return ways_.at({here, Index::data(way.ptr(), {kNo, kMissing})});
  }

  Expr goes_yes(const Expr& value, const Expr& threshold, const Index& here) const {
    static constexpr Binary kCompared[] = {Binary::le, Binary::lt, Binary::ge,
                                           Binary::gt, Binary::eq, Binary::ne};
    Expr out;
    for (const Branch branch : used_) {
      const Expr is = compare(kCompared[static_cast<size_t>(branch)], value, threshold);
      const Expr mine = branches_ ? compare(Binary::eq, branches_.at({here}),
                                            branches_.constant(static_cast<int64_t>(branch)))
                                  : Expr();
      out = out ? Expr::select(mine, is, out) : is;
    }
    return out;
  }

  OpContext& op_;
  Features x_;
  int64_t nodes_, most_feature_ = 0;
  std::set<Branch> used_;
  bool tracks_missing_ = false;
  Operand ways_, thresholds_, branches_;
};

// The trees of each target in a row, where every tree is of one: [rounds, targets], filled up with
// -1. Nothing where a tree has several.
std::vector<int64_t> trees_by_target(const Forest& forest, int64_t first_leaf,
                                     const std::vector<int64_t>& target_of_leaf) {
  const auto trees = static_cast<int64_t>(forest.roots.size());
  if (forest.targets > 2 * trees) return {};
  // Trees that share nodes would be walked again and again.
  size_t left = 2 * forest.nodes.size() + forest.roots.size();
  std::vector<std::vector<int64_t>> lists(static_cast<size_t>(forest.targets));
  for (size_t k = 0; k < forest.roots.size(); ++k) {
    int64_t target = -1;
    std::set<int64_t> seen;
    std::vector<int64_t> open = {forest.roots[k]};
    while (!open.empty()) {
      const int64_t at = open.back();
      open.pop_back();
      if (!seen.insert(at).second) continue;
      if (left-- == 0) return {};
      if (!forest.is_leaf(at)) {
        open.push_back(forest.nodes[static_cast<size_t>(at)].yes);
        open.push_back(forest.nodes[static_cast<size_t>(at)].no);
        continue;
      }
      const int64_t of = target_of_leaf[static_cast<size_t>(at - first_leaf)];
      if (of == -2 || (of >= 0 && target >= 0 && of != target)) return {};
      target = std::max(target, of);
    }
    lists[static_cast<size_t>(std::max<int64_t>(target, 0))].push_back(forest.roots[k]);
  }
  size_t rounds = 0;
  for (const auto& list : lists) rounds = std::max(rounds, list.size());
  // Rounds are filled up with trees of nothing, which are walked as well.
  if (4 * rounds * lists.size() > 5 * forest.roots.size()) return {};
  std::vector<int64_t> out;
  for (size_t r = 0; r < rounds; ++r) {
    for (const auto& list : lists) out.push_back(r < list.size() ? list[r] : -1);
  }
  return out;
}

struct Sums {
  Combiner combiner = Combiner::sum;
  double neutral = 0;
};

Sums sums_of(Aggregate aggregate) {
  const double endless = std::numeric_limits<double>::infinity();
  if (aggregate == Aggregate::min) return {Combiner::min, endless};
  if (aggregate == Aggregate::max) return {Combiner::max, -endless};
  return {};
}

}  // namespace

Operand forest_scores(OpContext& op, const Features& x, const Forest& given, Aggregate aggregate) {
  Forest forest = given;
  const Type real = x.x.type() == Type::f64 ? Type::f64 : Type::f32;
  const Sums sums = sums_of(aggregate);
  int64_t first_leaf = 0;
  while (!forest.is_leaf(first_leaf)) ++first_leaf;
  int64_t leaves = static_cast<int64_t>(forest.nodes.size()) - first_leaf;
  // -1: none; -2: several.
  std::vector<int64_t> target_of_leaf(static_cast<size_t>(leaves), -1);
  for (const Forest::Weight& one : forest.weights) {
    int64_t& of = target_of_leaf[static_cast<size_t>(one.leaf - first_leaf)];
    of = of == -1 || of == one.target ? one.target : -2;
  }
  std::vector<int64_t> roots = trees_by_target(forest, first_leaf, target_of_leaf);
  const bool apart = forest.targets > 1 && !roots.empty();
  if (!apart) roots = forest.roots;
  // A tree that is none leads to a leaf of nothing.
  for (int64_t& root : roots) {
    if (root >= 0) continue;
    if (static_cast<int64_t>(forest.nodes.size()) == first_leaf + leaves) {
      forest.nodes.emplace_back();
      forest.nodes.back().yes = forest.nodes.back().no = first_leaf + leaves;
    }
    root = first_leaf + leaves;
  }
  leaves = static_cast<int64_t>(forest.nodes.size()) - first_leaf;
  const int64_t columns = apart ? 1 : forest.targets;
  if (leaves * columns > kMostWeights)
    refuse("limit", std::to_string(leaves) + " leaves with " + std::to_string(columns) +
                        " weights each are too many");
  std::vector<double> weights(static_cast<size_t>(leaves * columns), sums.neutral);
  for (const Forest::Weight& one : forest.weights) {
    double& at =
        weights[static_cast<size_t>((one.leaf - first_leaf) * columns + (apart ? 0 : one.target))];
    if (sums.combiner == Combiner::sum) {
      at += one.weight;
    } else {
      at = sums.combiner == Combiner::min ? std::min(at, one.weight) : std::max(at, one.weight);
    }
  }
  const Operand table = table_of(op, "weights", real, {leaves, columns}, weights);
  const std::vector<int> depths = depths_of(forest);
  const std::vector<std::vector<int64_t>> groups =
      by_depth(roots, apart ? static_cast<size_t>(forest.targets) : 1, depths);
  Walk walk(op, x, forest);
  std::vector<Operand> leaf;
  for (const std::vector<int64_t>& group : groups)
    leaf.push_back(walk.leaves(group, depths, leaf.empty() ? "" : std::to_string(leaf.size())));

  const Operand scores = op.temporary("scores", real, {x.rows, forest.targets});
  KernelBuilder kernel;
  const Index row = kernel.axis(x.rows, "row"), target = kernel.axis(forest.targets, "target");
  Expr sum;
  for (size_t g = 0; g < groups.size(); ++g) {
    const auto trees = static_cast<int64_t>(groups[g].size());
    const Index round = kernel.reduce_axis(apart ? trees / forest.targets : trees, "tree");
    const Index tree = apart ? round * forest.targets + target : round;
    const Expr found =
        Expr::cast(Type::i64, leaf[g].at({row, tree})) - Expr::constant(Type::i64, first_leaf);
    const Expr part = kernel.reduce(
        sums.combiner, {round},
        table.at({Index::data(found.ptr(), {0, leaves - 1}), apart ? Index(0) : target}));
    sum = g == 0 ? part : Expr::binary(*combining(sums.combiner), sum, part);
  }
  Expr result = sum;
  if (aggregate == Aggregate::average) result = sum / static_cast<double>(given.roots.size());
  if (sums.combiner != Combiner::sum)
    result = Expr::select(compare(Binary::eq, sum, Expr::constant(real, sums.neutral)),
                          Expr::constant(real, 0), sum);
  kernel.write(scores, {row, target}, result);
  op.emit(kernel);
  return scores;
}

}  // namespace burin
