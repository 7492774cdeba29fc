// Tables by expression that are only looked up: by hash first, so that long expressions with much
// in common are told apart at once. Their order means nothing; operator< of Expr is the one to
// print by.
#pragma once

#include <map>
#include <set>

#include "kernel/expr/expr.h"

namespace burin {

struct ExprHashLess {
  bool operator()(const Expr& a, const Expr& b) const {
    return a->hash != b->hash ? a->hash < b->hash : a.ptr() != b.ptr() && a < b;
  }
};

template <class T>
using ExprMap = std::map<Expr, T, ExprHashLess>;
using ExprSet = std::set<Expr, ExprHashLess>;

}  // namespace burin
