// What statements of one work-item are put together from.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "isa/scalar_rows.h"
#include "select/programs/making.h"

namespace burin {

inline constexpr int64_t kVectorLanes = 4;  // of what a work-item moves at once

class ItemStmts {
 public:
  using Body = std::function<loops::Stmts(const Index&)>;

  explicit ItemStmts(Making& making) : making_(making) {}

  // `count` times, written out.
  loops::Stmts each(const char* name, int64_t count, const Body& body) const {
    if (count == 1) return body(0);
    const int var = making_.shared_variable(name, count);
    return {loop(var, 0, count, body(making_.at(var)), loops::Kind::unrolled)};
  }
  // Four neighbours, from memory to memory.
  loops::Stmts vector(const std::function<loops::Stmt(const Index& lane)>& move) const {
    const int var = making_.shared_variable("lane", kVectorLanes);
    return {loop(var, 0, kVectorLanes, {move(making_.at(var))}, loops::Kind::vector)};
  }
  static loops::Stmt when(Guard guard, loops::Stmts body) {
    return {loops::If{std::move(guard), std::move(body), {}}};
  }
  // An array, or without dimensions a variable, of a work-item.
  loops::BufferId own(const std::string& name, Type type, std::vector<Dim> shape = {}) const {
    const loops::Scope scope = shape.empty() ? loops::Scope::local : loops::Scope::stack;
    return making_.buffer(scope, name, type, std::move(shape));
  }
  loops::BufferId of_group(const std::string& name, Type type, std::vector<Dim> shape) const {
    return making_.buffer(loops::Scope::group, name, type, std::move(shape));
  }
  // to += a * b
  struct Element {
    loops::BufferId buffer = 0;
    std::vector<Index> at = {};
  };
  static loops::Stmt multiply_add(Type type, const Element& to, const Element& a,
                                  const Element& b) {
    const auto region = [](const Element& one) {
      return loops::Region{one.buffer, one.at, std::vector<Dim>(one.at.size(), 1)};
    };
    return {loops::Call{isa::multiply_add(type), {region(to), region(a), region(b)}, {}}};
  }

 protected:
  Making& making_;
};

}  // namespace burin
