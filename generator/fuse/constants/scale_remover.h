// The value of a write in terms of one let, as scale * let + shift as far up as that holds: what is
// left without the scale (fuse/constants/fold_scale.cpp), and what it took.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "fuse/access/known.h"
#include "kernel/expr/expr.h"

namespace burin {

class ScaleRemover {
 public:
  // `moves`: scales go past shifts, and two shifts with a scale between them become one. Without a
  // scale between they never do: (x + c) - c would be x.
  ScaleRemover(int let, KnownExpressions& known, bool moves)
      : let_(let), known_(known), moves_(moves) {}

  // What is affine ends at an expression that these use in several places, so that all of them
  // take the same scale: v in select(v < 0, v / 10, v).
  void end_at_shared(const std::vector<Expr>& values);

  // The value with the let unscaled; every place where it stood agrees on `scale()`. nullopt: it is
  // used in a way that hides a scale.
  std::optional<Expr> without_scale(const Expr& value);
  const std::optional<Expr>& scale() const { return scale_; }

  // Products of the first factors of the scale, the last one of them the scale.
  const std::vector<Expr>& scales() const { return scales_; }
  // Shifts that were scaled or added to others, before and after, in the units of the result.
  const std::vector<Expr>& moved() const { return moved_; }

 private:
  // Empty scale: 1; empty shift: 0.
  struct Part {
    Expr rest;  // where it is no such thing: the expression, with lets unscaled inside
    bool affine = false, uses = false;
    Expr scale, shift;
    bool scaled_since = false;  // a scale came after the shift
    bool moved = false;         // the shift is not where it was
    std::vector<Expr> scales, befores;
  };

  Expr settled(const Part& part);
  Part visit_node(const Expr& expr);
  Part part_of(const Expr& expr);
  void keep_apart(const Index& index);
  std::optional<Part> extended(const Expr& expr, const std::vector<Part>& operands);

  void count_users(const Expr& expr);

  int let_;
  KnownExpressions& known_;
  const bool moves_;
  bool fits_ = true;
  std::optional<Expr> scale_;
  std::vector<Expr> scales_, moved_;
  std::map<const ExprNode*, Part> seen_;
  std::map<Expr, int> users_;  // empty: what is shared does not matter
};

}  // namespace burin
