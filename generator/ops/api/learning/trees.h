// Trees of comparisons, as tables: a node is a feature, a threshold, how the two are compared, and
// where to go. All trees of a forest are walked level by level, a row and a tree at a time; a leaf
// goes to itself. Then each target sums up what the leaves have for it.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/api/learning/ml.h"

namespace burin {

enum class Branch : uint8_t { leq, lt, gte, gt, eq, neq, member };

struct Forest {
  struct TreeNode {
    int64_t feature = 0;
    double threshold = 0;
    Branch branch = Branch::leq;
    bool missing_is_yes = false;  // where a feature is NaN
    int64_t yes = 0, no = 0;      // of a leaf: itself
  };
  struct Weight {
    int64_t leaf = 0, target = 0;
    double weight = 0;
  };
  std::vector<TreeNode> nodes;
  std::vector<int64_t> roots;
  std::vector<Weight> weights;
  int64_t targets = 0;

  bool is_leaf(int64_t node) const;
};

enum class Aggregate : uint8_t { average, sum, min, max };

// Of TreeEnsembleClassifier and TreeEnsembleRegressor; `prefix` of the attributes of leaves is
// "class" or "target". Refused (bad-attribute, limit): lists that do not fit each other, nodes that
// are no trees.
Forest read_forest(OpContext& op, const std::string& prefix, int64_t targets);

// Of TreeEnsemble.
Forest read_tables(OpContext& op);

// What the trees have for each target, [rows, targets], in f64 for features in f64, else in f32.
Operand forest_scores(OpContext& op, const Features& x, const Forest& forest, Aggregate aggregate);

// Attributes of TreeEnsembleClassifier and TreeEnsembleRegressor, but those of their targets.
std::vector<AttributeDef> forest_attributes(const std::string& prefix);

std::vector<double> base_values_of(OpContext& op);
// scores [rows, targets] + base values, one for each target or one for all; themselves where there
// are none.
Operand with_base_values(OpContext& op, const Operand& scores);
Operand with_base_value(OpContext& op, const Operand& score, double base);

}  // namespace burin
