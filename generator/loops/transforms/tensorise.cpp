#include "loops/transforms/tensorise.h"

#include <algorithm>
#include <map>
#include <set>

#include "support/at.h"

namespace burin::loops {
namespace {

// The meaning of a row as one sum: body over axes, added to an operand.
struct Sum {
  Expr body;
  ValueId to = kNoValue;
  std::vector<Index> at;
  bool reduces = false;
};
std::optional<Sum> sum_of(const isa::Instruction& row) {
  const Kernel& kernel = row.meaning;
  if (kernel.lets.size() != 1 || kernel.writes.size() != 1) return std::nullopt;
  const burin::Let& let = kernel.lets[0];
  const Write& write = kernel.writes[0];
  if (let.op != Combiner::sum || write.how != How::add || !write.when.empty() ||
      write.value.kind() != ExprKind::let)
    return std::nullopt;
  return Sum{let.body[0], write.to, write.at, !let.reduced.empty()};
}

class Matcher {
 public:
  // `axes`: the loop variable, in the program, of each axis of the meaning.
  Matcher(const Program& program, const isa::Instruction& row, std::vector<int> axes)
      : program_(program), row_(row), axes_(std::move(axes)), nest_(axes_.begin(), axes_.end()) {
    for (const int axis : axes_) as_loops_.push_back(program.var(axis));
    regions_.resize(row.operands.size());
    found_.resize(row.operands.size());
  }

  bool match(const Sum& sum, const Store& store) {
    return place(sum.to, store.to[0], sum.at, store.at) && same(sum.body, store.value[0]) &&
           std::all_of(found_.begin(), found_.end(), [](bool one) { return one; });
  }
  const std::vector<Region>& regions() const { return regions_; }

 private:
  bool same(const Expr& wanted, const Expr& given) {
    if (wanted.kind() != given.kind() || wanted.type() != given.type()) return false;
    if (wanted.kind() == ExprKind::load)
      return wanted->storage == given->storage &&
             place(wanted->id, given->id, wanted->at, given->at);
    if (wanted.kind() == ExprKind::index || wanted.kind() == ExprKind::cases ||
        wanted.kind() == ExprKind::let)
      return false;
    if (wanted.kind() == ExprKind::constant) return wanted == given;
    if (wanted->op != given->op || wanted->storage != given->storage || wanted->mode != given->mode)
      return false;
    const auto& a = wanted->operands;
    const auto& b = given->operands;
    if (wanted.kind() == ExprKind::binary &&
        (wanted->binary() == Binary::mul || wanted->binary() == Binary::add)) {
      // Both orders; what a failed one has found is forgotten.
      const auto regions = regions_;
      const auto found = found_;
      if (same(a[0], b[0]) && same(a[1], b[1])) return true;
      regions_ = regions;
      found_ = found;
      return same(a[0], b[1]) && same(a[1], b[0]);
    }
    for (size_t k = 0; k < a.size(); ++k) {
      if (!same(a[k], b[k])) return false;
    }
    return true;
  }

  // The region of an operand, of which one element is known.
  bool place(ValueId operand, BufferId buffer, const std::vector<Index>& wanted,
             const std::vector<Index>& given) {
    if (given.size() < wanted.size()) return false;
    const size_t outer = given.size() - wanted.size();
    Region region{buffer, {}, {}};
    for (size_t d = 0; d < given.size(); ++d) {
      const Index first = given[d].map_leaves([&](const Index& leaf) {
        return leaf.kind() == IndexKind::axis && nest_.contains(leaf.axis_id()) ? Index(0) : leaf;
      });
      const Index moved = d < outer ? Index(0) : wanted[d - outer].substitute_axes(as_loops_);
      if (!(given[d] - first == moved)) return false;
      region.first.push_back(first);
      region.extent.push_back(d < outer ? Dim(1)
                                        : row_.values[burin::at(operand)].shape[d - outer]);
    }
    const size_t k = burin::at(operand);
    if (found_[k]) return regions_[k] == region;
    if (program_.buffers[burin::at(buffer)].type != row_.values[k].type) return false;
    regions_[k] = region;
    found_[k] = true;
    return true;
  }

  const Program& program_;
  const isa::Instruction& row_;
  std::vector<int> axes_;
  std::set<int> nest_;
  std::vector<Index> as_loops_;
  std::vector<Region> regions_;
  std::vector<bool> found_;
};

}  // namespace

Change tensorise(const Program& program, int var, const isa::Instruction& row) {
  Change out{program, "tensorise " + var_text(var) + " by " + row.name, {}};
  const auto refuse = [&](const std::string& why) {
    out.refusal = why;
    return out;
  };
  const For* loop = find_loop(program, var);
  if (!loop) return refuse("there is not one loop of " + var_text(var));
  const std::optional<Sum> sum = sum_of(row);
  if (!sum) return refuse(row.name + " is no sum that is added to an operand");
  std::map<int, Dim> nest;
  const Stmt* inner = nullptr;
  for (const For* at = loop; at != nullptr;) {
    if (at->step != 1 || !at->begin.is_constant(0) || at->body.size() != 1)
      return refuse("the loops of " + var_text(var) + " are no perfect nest from 0 on");
    nest[at->var] = at->end;
    inner = &at->body[0];
    at = std::get_if<For>(&inner->node);
  }
  const auto* store = std::get_if<Store>(&inner->node);
  if (!store || store->combine != Combiner::sum) return refuse("the nest is no sum");
  if (sum->reduces && is_float(store->value[0].type()))
    return refuse(row.name + " sums floats in another order");
  if (nest.size() != row.meaning.axes.size())
    return refuse("the nest has " + std::to_string(nest.size()) + " loops, " + row.name + " has " +
                  std::to_string(row.meaning.axes.size()));
  std::vector<int> vars;
  for (const auto& [one, end] : nest) vars.push_back(one);
  do {
    bool fits = true;
    for (size_t k = 0; k < vars.size(); ++k)
      fits = fits && nest[vars[k]] == row.meaning.axes[k].extent;
    if (!fits) continue;
    Matcher matcher(program, row, vars);
    if (!matcher.match(*sum, *store)) continue;
    out.program = with_loop(program, var, {Stmt{Call{&row, matcher.regions(), {}}}});
    return out;
  } while (std::next_permutation(vars.begin(), vars.end()));
  return refuse("the nest does not compute " + row.name);
}

}  // namespace burin::loops
