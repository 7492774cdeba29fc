// Attributes of tree ensembles as a Forest: checked to be trees, sets of members as chains of
// comparisons, inner nodes in front of leaves.
#include <cmath>
#include <map>
#include <set>

#include "kernel/tensor.h"
#include "ops/api/learning/trees.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr size_t kMostNodes = size_t{1} << 23;

[[noreturn]] void refuse_trees(const std::string& why) { refuse("bad-attribute", why); }

void check_length(size_t given, size_t needed, const std::string& name) {
  if (given != needed)
    refuse_trees("attribute " + quoted(name) + " has " + std::to_string(given) + " elements, " +
                 std::to_string(needed) + " are needed");
}

HostTensor host_of(const Tensor& tensor) {
  return to_tensor(tensor.type, tensor.shape, tensor.content);
}

// A list of numbers that is an attribute of floats, or of doubles as a tensor.
std::vector<double> numbers_of(OpContext& op, const std::string& name) {
  const std::string tensor = name + "_as_tensor";
  if (!op.has(tensor)) return op.has(name) ? op.reals_or_nan(name) : std::vector<double>{};
  const HostTensor host = host_of(op.tensor(tensor));
  if (!is_float(host.type)) refuse_trees("attribute " + quoted(tensor) + " holds no floats");
  std::vector<double> out;
  for (int64_t i = 0; i < host.elements(); ++i) out.push_back(host.get(i).number);
  return out;
}

Branch branch_of(const std::string& mode) {
  static const std::map<std::string, Branch> kModes = {
      {"BRANCH_LEQ", Branch::leq}, {"BRANCH_LT", Branch::lt}, {"BRANCH_GTE", Branch::gte},
      {"BRANCH_GT", Branch::gt},   {"BRANCH_EQ", Branch::eq}, {"BRANCH_NEQ", Branch::neq}};
  const auto found = kModes.find(mode);
  if (found == kModes.end()) refuse_trees("a node has mode " + quoted(mode));
  return found->second;
}

// No path comes back to where it was; several may lead to one node. New numbers: inner nodes in the
// order of the walk, then leaves.
void put_in_order(Forest& forest) {
  const size_t count = forest.nodes.size();
  enum class State : uint8_t { fresh, open, done };
  std::vector<State> states(count);
  std::vector<int64_t> inner, leaves;
  for (const int64_t root : forest.roots) {
    std::vector<std::pair<int64_t, int>> path = {{root, 0}};
    while (!path.empty()) {
      auto& [at, ways] = path.back();
      State& state = states[static_cast<size_t>(at)];
      const Forest::TreeNode& node = forest.nodes[static_cast<size_t>(at)];
      if (ways == 0 && state == State::open) refuse_trees("a way through the nodes is a circle");
      const bool is_leaf = forest.is_leaf(at);
      if (ways == 0 && state == State::fresh) (is_leaf ? leaves : inner).push_back(at);
      if (ways == 2 || is_leaf || state == State::done) {
        state = State::done;
        path.pop_back();
        continue;
      }
      state = State::open;
      const int64_t next = ways++ == 0 ? node.yes : node.no;
      if (states[static_cast<size_t>(next)] != State::done) path.emplace_back(next, 0);
    }
  }
  std::vector<int64_t> number(count, -1);
  std::vector<Forest::TreeNode> nodes;
  for (const std::vector<int64_t>* list : {&inner, &leaves}) {
    for (const int64_t at : *list) {
      number[static_cast<size_t>(at)] = static_cast<int64_t>(nodes.size());
      nodes.push_back(forest.nodes[static_cast<size_t>(at)]);
    }
  }
  for (Forest::TreeNode& node : nodes) {
    node.yes = number[static_cast<size_t>(node.yes)];
    node.no = number[static_cast<size_t>(node.no)];
  }
  forest.nodes = std::move(nodes);
  for (int64_t& root : forest.roots) root = number[static_cast<size_t>(root)];
  std::vector<Forest::Weight> weights;
  for (Forest::Weight weight : forest.weights) {
    weight.leaf = number[static_cast<size_t>(weight.leaf)];
    if (weight.leaf < 0) continue;  // of a node that no root leads to
    if (!forest.is_leaf(weight.leaf)) refuse_trees("a node that is no leaf has a weight");
    weights.push_back(weight);
  }
  forest.weights = std::move(weights);
}

}  // namespace

bool Forest::is_leaf(int64_t node) const {
  const TreeNode& at = nodes[static_cast<size_t>(node)];
  return at.yes == node && at.no == node;
}

Forest read_forest(OpContext& op, const std::string& prefix, int64_t targets) {
  const std::vector<int64_t> trees = op.integers("nodes_treeids", {}),
                             numbers = op.integers("nodes_nodeids", {}),
                             features = op.integers("nodes_featureids", {}),
                             yes = op.integers("nodes_truenodeids", {}),
                             no = op.integers("nodes_falsenodeids", {}),
                             missing = op.integers("nodes_missing_value_tracks_true", {});
  const std::vector<std::string> modes = op.texts("nodes_modes", {});
  const std::vector<double> values = numbers_of(op, "nodes_values");
  const size_t count = trees.size();
  if (count == 0) refuse_trees("attribute 'nodes_treeids' is empty");
  if (count > kMostNodes) refuse("limit", std::to_string(count) + " nodes");
  check_length(numbers.size(), count, "nodes_nodeids");
  check_length(features.size(), count, "nodes_featureids");
  check_length(yes.size(), count, "nodes_truenodeids");
  check_length(no.size(), count, "nodes_falsenodeids");
  check_length(modes.size(), count, "nodes_modes");
  check_length(values.size(), count, "nodes_values");
  if (!missing.empty()) check_length(missing.size(), count, "nodes_missing_value_tracks_true");

  Forest forest;
  forest.targets = targets;
  std::map<std::pair<int64_t, int64_t>, int64_t> places;
  for (size_t i = 0; i < count; ++i) {
    if (!places.emplace(std::pair{trees[i], numbers[i]}, static_cast<int64_t>(i)).second)
      refuse_trees("tree " + std::to_string(trees[i]) + " has node " + std::to_string(numbers[i]) +
                   " twice");
  }
  const auto place_of = [&](int64_t tree, int64_t node) {
    const auto found = places.find({tree, node});
    if (found == places.end())
      refuse_trees("tree " + std::to_string(tree) + " has no node " + std::to_string(node));
    return found->second;
  };
  std::set<int64_t> started;  // the first node of a tree is its root
  for (size_t i = 0; i < count; ++i) {
    Forest::TreeNode node;
    node.yes = node.no = static_cast<int64_t>(i);
    if (modes[i] != "LEAF") {
      node = {features[i],
              values[i],
              branch_of(modes[i]),
              !missing.empty() && missing[i] != 0,
              place_of(trees[i], yes[i]),
              place_of(trees[i], no[i])};
      if (node.yes == static_cast<int64_t>(i) || node.no == static_cast<int64_t>(i))
        refuse_trees("a node leads to itself");
      if (node.feature < 0 || node.feature > highest(Type::i32))
        refuse_trees("a node compares feature " + std::to_string(node.feature));
    }
    forest.nodes.push_back(node);
    if (started.insert(trees[i]).second) forest.roots.push_back(static_cast<int64_t>(i));
  }
  const std::vector<int64_t> of_tree = op.integers(prefix + "_treeids", {}),
                             of_node = op.integers(prefix + "_nodeids", {}),
                             ids = op.integers(prefix + "_ids", {});
  const std::vector<double> weights = numbers_of(op, prefix + "_weights");
  check_length(of_node.size(), of_tree.size(), prefix + "_nodeids");
  check_length(ids.size(), of_tree.size(), prefix + "_ids");
  check_length(weights.size(), of_tree.size(), prefix + "_weights");
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= targets)
      refuse_trees("a leaf has a weight for number " + std::to_string(ids[i]) + " of " +
                   std::to_string(targets));
    forest.weights.push_back({place_of(of_tree[i], of_node[i]), ids[i], weights[i]});
  }
  put_in_order(forest);
  return forest;
}

namespace {

std::vector<double> tensor_numbers(OpContext& op, const std::string& name) {
  if (!op.has(name)) return {};
  const HostTensor host = host_of(op.tensor(name));
  if (host.type == Type::string) refuse_trees("attribute " + quoted(name) + " holds strings");
  std::vector<double> out;
  for (int64_t i = 0; i < host.elements(); ++i) {
    const ScalarValue value = host.get(i);
    out.push_back(is_float(host.type) ? value.number : static_cast<double>(value.integer));
  }
  return out;
}

}  // namespace

Forest read_tables(OpContext& op) {
  const std::vector<int64_t> features = op.integers("nodes_featureids", {}),
                             yes = op.integers("nodes_truenodeids", {}),
                             no = op.integers("nodes_falsenodeids", {}),
                             yes_is_leaf = op.integers("nodes_trueleafs", {}),
                             no_is_leaf = op.integers("nodes_falseleafs", {}),
                             missing = op.integers("nodes_missing_value_tracks_true", {}),
                             roots = op.integers("tree_roots", {}),
                             leaf_targets = op.integers("leaf_targetids", {});
  const std::vector<double> splits = tensor_numbers(op, "nodes_splits"),
                            modes = tensor_numbers(op, "nodes_modes"),
                            members = tensor_numbers(op, "membership_values"),
                            weights = tensor_numbers(op, "leaf_weights");
  const size_t count = features.size(), leaves = leaf_targets.size();
  if (count == 0 || leaves == 0 || roots.empty()) refuse_trees("a list of nodes is empty");
  if (count + leaves + members.size() > kMostNodes) refuse("limit", "too many nodes");
  check_length(yes.size(), count, "nodes_truenodeids");
  check_length(no.size(), count, "nodes_falsenodeids");
  check_length(yes_is_leaf.size(), count, "nodes_trueleafs");
  check_length(no_is_leaf.size(), count, "nodes_falseleafs");
  check_length(splits.size(), count, "nodes_splits");
  check_length(modes.size(), count, "nodes_modes");
  check_length(weights.size(), leaves, "leaf_weights");
  if (!missing.empty()) check_length(missing.size(), count, "nodes_missing_value_tracks_true");

  Forest forest;
  forest.targets = op.integer("n_targets", 1);
  if (forest.targets < 1 || forest.targets > highest(Type::i32))
    refuse_trees("n_targets is " + std::to_string(forest.targets));
  std::vector<Forest::TreeNode> more(leaves);
  for (size_t k = 0; k < leaves; ++k) {
    more[k].yes = more[k].no = static_cast<int64_t>(count + k);
    if (leaf_targets[k] < 0 || leaf_targets[k] >= forest.targets)
      refuse_trees("a leaf is of target " + std::to_string(leaf_targets[k]));
    forest.weights.push_back({more[k].yes, leaf_targets[k], weights[k]});
  }
  const auto way = [&](int64_t leaf, int64_t to) {
    if (to < 0 || to >= static_cast<int64_t>(leaf ? leaves : count))
      refuse_trees("a node leads to number " + std::to_string(to) + ", which there is not");
    return leaf ? static_cast<int64_t>(count) + to : to;
  };
  size_t member = 0;
  for (size_t i = 0; i < count; ++i) {
    if (features[i] < 0 || features[i] > highest(Type::i32))
      refuse_trees("a node compares feature " + std::to_string(features[i]));
    if (!(modes[i] >= 0 && modes[i] <= 6) || modes[i] != std::floor(modes[i]))
      refuse_trees("a node has a mode that is none");
    Forest::TreeNode node{features[i],
                          splits[i],
                          static_cast<Branch>(static_cast<int>(modes[i])),
                          !missing.empty() && missing[i] != 0,
                          way(yes_is_leaf[i], yes[i]),
                          way(no_is_leaf[i], no[i])};
    if (node.branch == Branch::member) {
      // One comparison for each member: where it is not this one, the next.
      std::vector<double> set;
      while (member < members.size() && !std::isnan(members[member]))
        set.push_back(members[member++]);
      ++member;
      if (set.empty()) refuse_trees("a node with mode BRANCH_MEMBER has no members");
      node.branch = Branch::eq;
      for (size_t k = set.size(); k-- > 1;) {
        node.threshold = set[k];
        more.push_back(node);
        node.no = static_cast<int64_t>(count + more.size()) - 1;
      }
      node.threshold = set[0];
    }
    forest.nodes.push_back(node);
  }
  forest.nodes.insert(forest.nodes.end(), more.begin(), more.end());
  for (const int64_t root : roots) {
    if (root < 0 || root >= static_cast<int64_t>(count))
      refuse_trees("a root is number " + std::to_string(root) + ", which there is not");
    forest.roots.push_back(root);
  }
  put_in_order(forest);
  return forest;
}

std::vector<AttributeDef> forest_attributes(const std::string& prefix) {
  std::vector<AttributeDef> out;
  for (const char* name :
       {"nodes_treeids", "nodes_nodeids", "nodes_featureids", "nodes_truenodeids",
        "nodes_falsenodeids", "nodes_missing_value_tracks_true"})
    out.push_back({name, AttributeKind::integers});
  for (const std::string& name : {prefix + "_treeids", prefix + "_nodeids", prefix + "_ids"})
    out.push_back({name, AttributeKind::integers});
  for (const std::string& name : {std::string("nodes_values"), std::string("nodes_hitrates"),
                                  prefix + "_weights", std::string("base_values")}) {
    out.push_back({name, AttributeKind::reals});
    out.push_back({name + "_as_tensor", AttributeKind::tensor, false, since(3)});
  }
  out.push_back({"nodes_modes", AttributeKind::texts});
  out.push_back({"post_transform", AttributeKind::text});
  return out;
}

std::vector<double> base_values_of(OpContext& op) { return numbers_of(op, "base_values"); }

Operand with_base_value(OpContext& op, const Operand& score, double base) {
  const Operand shifted = op.temporary("shifted", score.type(), score.shape());
  op.map(shifted, [&](const Indices& at) { return score.at(at) + base; });
  return shifted;
}

Operand with_base_values(OpContext& op, const Operand& scores) {
  const std::vector<double> values = base_values_of(op);
  if (values.empty()) return scores;
  if (values.size() == 1) return with_base_value(op, scores, values[0]);
  const auto count = static_cast<int64_t>(values.size());
  op.require_equal(scores.dim(1), count, "base values");
  const HostTensor host = make_tensor(scores.type(), {count}, values);
  const Operand base = op.constant_operand("base", {host.type, host.shape, to_constant(host), {}});
  const Operand shifted = op.temporary("shifted", scores.type(), scores.shape());
  op.map(shifted, [&](const Indices& at) { return scores.at(at) + base.at({at[1]}); });
  return shifted;
}

}  // namespace burin
