#include "print/part_comments.h"

#include <algorithm>
#include <set>
#include <vector>

#include "isa/instruction.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::print {
namespace {

using loops::BufferId;

// What statements do with what they write.
struct Work {
  bool constants = false, moves = false, adds = false, multiplies = false, computes = false;
};

// An element as it is, maybe as another type or somewhere only; or a number.
bool is_moved(const Expr& value) {
  switch (value.kind()) {
    case ExprKind::constant:
      return true;
    case ExprKind::load:
      // What is found by data is looked up.
      return std::none_of(value->at.begin(), value->at.end(),
                          [](const Index& index) { return index.has_data(); });
    case ExprKind::cast:
      return is_moved(value->operands[0]);
    case ExprKind::cases:
      return is_moved(value->operands[0]) &&
             std::all_of(value->cases.begin(), value->cases.end(),
                         [](const Expr::Case& one) { return is_moved(one.value); });
    default:
      return false;
  }
}

bool is_product(const Expr& value) {
  return value.kind() == ExprKind::binary && value->binary() == Binary::mul &&
         is_moved(value->operands[0]) && is_moved(value->operands[1]);
}

// `added`: to what there is.
void note(const Expr& value, bool added, Work& work) {
  if (added && (is_moved(value) || is_product(value))) {
    work.adds = true;
    work.multiplies |= is_product(value);
  } else if (!added && value.is_constant()) {
    work.constants = true;
  } else {
    (!added && is_moved(value) ? work.moves : work.computes) = true;
  }
}

void note(const isa::Instruction& op, Work& work) {
  const bool updates =
      std::any_of(op.operands.begin(), op.operands.end(),
                  [](const isa::Operand& one) { return one.access == isa::Access::update; });
  for (const Let& let : op.meaning.lets) {
    for (const Expr& body : let.body) note(body, let.op == Combiner::sum, work);
  }
  for (const Write& write : op.meaning.writes) {
    if (!op.meaning.lets.empty()) {
      work.computes |= !updates;
      continue;
    }
    const bool added = write.how == How::add;
    note(write.value, added, work);
    work.computes |= updates && !added;
  }
}

Work work_of(const loops::Stmts& stmts) {
  Work work;
  loops::for_each(stmts, [&](const loops::Stmt& stmt) {
    if (const auto* store = std::get_if<loops::Store>(&stmt.node)) {
      for (const Expr& value : store->value) note(value, store->combine == Combiner::sum, work);
      if (store->combine != Combiner::sum && store->combine != Combiner::none) work.computes = true;
    }
    if (const auto* call = std::get_if<loops::Call>(&stmt.node)) note(*call->op, work);
  });
  return work;
}

// The buffers whose elements are moved: those of values, not of places.
std::set<BufferId> moved_by(const loops::Stmts& stmts) {
  std::set<BufferId> out;
  const std::function<void(const Expr&)> note_moved = [&](const Expr& value) {
    if (value.kind() == ExprKind::load) out.insert(value->id);
    for (const Expr& operand : value->operands) note_moved(operand);
    for (const Expr::Case& one : value->cases) note_moved(one.value);
  };
  loops::for_each(stmts, [&](const loops::Stmt& stmt) {
    const auto* store = std::get_if<loops::Store>(&stmt.node);
    if (store) std::for_each(store->value.begin(), store->value.end(), note_moved);
    if (const auto* call = std::get_if<loops::Call>(&stmt.node)) {
      for (const loops::Region& region : call->operands) out.insert(region.buffer);
    }
  });
  return out;
}

// "a, b and c"; of many the first ones.
std::string listed(const std::vector<std::string>& names) {
  constexpr size_t kMost = 6;
  std::string out;
  for (size_t i = 0; i < std::min(names.size(), kMost); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return out + (names.size() > kMost ? " and others" : "");
}

bool is_block(const loops::Stmt& stmt) {
  return std::holds_alternative<loops::For>(stmt.node) ||
         std::holds_alternative<loops::If>(stmt.node);
}

}  // namespace

std::string part_comment(const loops::Stmts& stmts, size_t place, bool top,
                         const std::function<std::string(BufferId)>& name) {
  if (!is_block(stmts[place])) return {};
  if (!top && std::count_if(stmts.begin(), stmts.end(), is_block) < 2) return {};
  const loops::Stmts part = {stmts[place]};
  const std::set<BufferId> inside = loops::allocated_in(part);
  std::vector<std::string> from, to;
  const std::vector<BufferId> written = loops::writes_of(part);
  for (const BufferId id : written) {
    if (!inside.contains(id)) to.push_back(name(id));
  }
  for (const BufferId id : loops::reads_of(part)) {
    const bool own = inside.contains(id) || std::count(written.begin(), written.end(), id) != 0;
    if (!own) from.push_back(name(id));
  }
  if (to.empty()) return {};
  const Work work = work_of(part);
  const std::string results = listed(to), operands = listed(from);
  if (from.empty())
    return work.computes || work.adds ? "Computes " + results + "."
                                      : "Sets " + results + " to a constant.";
  if (work.computes || (work.adds && work.moves))
    return "Computes " + results + " from " + operands + ".";
  if (work.adds)
    return std::string("Adds ") + (work.multiplies ? "products of " : "") + operands + " to " +
           results + ".";
  const std::set<BufferId> moved = moved_by(part);
  std::vector<std::string> values, places;
  for (const BufferId id : loops::reads_of(part)) {
    const std::string one = name(id);
    if (std::count(from.begin(), from.end(), one) != 0)
      (moved.contains(id) ? values : places).push_back(one);
  }
  const std::string where = places.empty() ? "." : ", where " + listed(places) + " says.";
  return (values.empty() ? "Sets " + results + " to a constant"
                         : "Copies " + listed(values) + " to " + results) +
         where;
}

void PartComments::say(const std::string& part) {
  Around& around = around_.back();
  said_ = around.said;
  if (part.empty()) return;
  if (end_ == text_.text().size()) {
    text_.erase(start_, end_ - start_);
    around.left = true;
  }
  if (part == around.said && !around.left) return;
  said_ = part;
  start_ = text_.text().size();
  text_.remark(part);
  end_ = text_.text().size();
}

}  // namespace burin::print
