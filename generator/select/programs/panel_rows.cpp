#include "select/programs/panel_rows.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "kernel/expr/expr_operands.h"
#include "kernel/index/divisions.h"
#include "kernel/layout.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int64_t kMostRepeats = 4;  // of an element, written out

using Look = std::function<void(const Index&)>;

// Every place that an expression reads, as an address, and its other indices.
void look_at(const loops::Program& program, const Expr& value, const Look& look) {
  visit(value, [&](const ExprNode& node) {
    if (node.kind == ExprKind::load) {
      const loops::Buffer& from = program.buffers[at(node.id)];
      look(address(from.layout, from.shape, node.at));
    }
    if (node.kind == ExprKind::index) look(node.index);
    for (const Expr::Case& one : node.cases) {
      for (const Condition& condition : one.guard) {
        for (const Index* const part : {&condition.index, &condition.lo, &condition.hi})
          look(*part);
      }
    }
  });
}

// How often neighbours of a row read the same element; 1: there is no such number.
int64_t repeats_of(const Making& making, int column, const loops::Stmts& body) {
  std::vector<Index> divisions;
  const auto look = [&](const Index& index) { collect_divisions(index, divisions); };
  for (const loops::Stmt& stmt : body) {
    const auto* one = std::get_if<loops::Store>(&stmt.node);
    if (one == nullptr) return 1;
    for (const Expr& value : one->value) look_at(making.program(), value, look);
  }
  int64_t out = 1;
  for (const Index& one : divisions) {
    if (!one.uses_axis(column)) continue;
    const std::optional<int64_t> by = one.operands()[1].as_constant();
    const bool plain = one.operands()[0] == making.at(column);
    if (!plain || !by || *by < 2 || *by > kMostRepeats || (out != 1 && out != *by)) return 1;
    out = *by;
  }
  return out;
}

}  // namespace

std::optional<int64_t> row_of_plane(const Making& making, const Expr& element, int axis) {
  std::vector<Index> divisions;
  look_at(making.program(), element,
          [&](const Index& index) { collect_divisions(index, divisions); });
  std::vector<int64_t> numbers;
  for (const Index& one : divisions) {
    if (!one.uses_axis(axis)) continue;
    const std::optional<int64_t> by = one.operands()[1].as_constant();
    if (!by || *by < 2) return std::nullopt;
    // What another division leaves is divided within a row.
    if (one.operands()[0] == making.at(axis)) numbers.push_back(*by);
  }
  if (numbers.empty()) return std::nullopt;
  const int64_t row = *std::min_element(numbers.begin(), numbers.end());
  const auto is_multiple = [&](int64_t number) { return number % row == 0; };
  if (!std::all_of(numbers.begin(), numbers.end(), is_multiple)) return std::nullopt;
  return row;
}

loops::Stmts over_columns(Making& making, int column, int64_t length, const Index& from,
                          const Index& to, const loops::Stmts& body) {
  const int64_t repeats = repeats_of(making, column, body);
  if (repeats == 1) return {loop(column, from, to, body)};
  const int group = making.shared_variable("plane_group", (length + repeats - 1) / repeats + 1);
  const int first = making.shared_variable("plane_first_group", length + 1),
            last = making.shared_variable("plane_last_group", length + 1);
  const Index begin = making.at(first), end = making.at(last);
  loops::Stmts out{{loops::Let{first, ceildiv(from, repeats)}},
                   {loops::Let{last, max(begin, floordiv(to, repeats))}},
                   loop(column, from, min(to, begin * repeats), body)};
  loops::Stmts each;
  for (int64_t i = 0; i < repeats; ++i)
    append(each, loops::substitute(body, column, making.at(group) * repeats + i));
  out.push_back(loop(group, begin, end, std::move(each)));
  out.push_back(loop(column, max(from, end * repeats), to, body));
  return out;
}

}  // namespace burin
