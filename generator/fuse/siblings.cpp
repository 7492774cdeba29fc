#include "fuse/siblings.h"

#include <algorithm>
#include <cstring>

#include "kernel/expr_axes.h"
#include "support/mapped_pages.h"

namespace burin {
namespace {

const Value& value_of(const std::vector<Value>& values, ValueId id) {
  return values[static_cast<size_t>(id)];
}

bool is_constant_load(const Expr& expr, const std::vector<Value>& values) {
  return expr.kind() == ExprKind::load && value_of(values, expr->id).kind == ValueKind::constant;
}

bool uses_axis(const Expr& expr, int axis) { return contains(axes_of(expr), axis); }

// The axis of a member's own constants that its input has not, and the dimension of the result that
// it runs along; -1: there is none, or more than one.
struct Own {
  int axis = -1;
  int dimension = -1;
};

Own own_axis(const Kernel& kernel, const std::vector<Value>& values) {
  if (kernel.lets.size() != 1 || kernel.writes.size() != 1) return {};
  const Let& let = kernel.lets[0];
  const Write& write = kernel.writes[0];
  if (let.op != Combiner::sum || let.body.size() != 1 || write.how != How::store ||
      !write.when.empty())
    return {};
  const Expr& body = let.body[0];
  if (body.kind() != ExprKind::binary || body->binary() != Binary::mul) return {};
  const size_t constant = is_constant_load(body->operands[0], values) ? 0 : 1;
  if (!is_constant_load(body->operands[constant], values)) return {};
  const std::vector<int> input = axes_of(body->operands[1 - constant]),
                         weights = axes_of(body->operands[constant]);
  Own own;
  for (const int axis : let.over) {
    if (contains(input, axis) || !contains(weights, axis)) continue;
    if (own.axis >= 0) return {};
    own.axis = axis;
  }
  if (own.axis < 0) return {};
  for (size_t d = 0; d < write.at.size(); ++d) {
    if (!write.at[d].uses_axis(own.axis)) continue;
    if (own.dimension >= 0 || write.at[d].kind() != IndexKind::axis) return {};
    own.dimension = static_cast<int>(d);
  }
  return own.dimension < 0 ? Own{} : own;
}

class Joiner {
 public:
  Joiner(const std::vector<const Kernel*>& members, std::vector<Value>& values)
      : members_(members), values_(values) {}

  // Everything is known to fit before a constant is made.
  bool may_join() {
    if (members_.size() < 2 || !find_sizes()) return false;
    std::vector<Expr> bodies, written;
    collect(bodies, written);
    return fits(bodies) && fits(written);
  }

  std::optional<Siblings> run() {
    if (!may_join()) return std::nullopt;
    const Kernel& model = *members_[0];
    Siblings out;
    out.kernel = model;
    out.kernel.axes[static_cast<size_t>(own_.axis)].extent = whole_;
    Let& let = out.kernel.lets[0];
    Write& write = out.kernel.writes[0];
    std::vector<Expr> bodies, written;
    collect(bodies, written);
    let.body[0] = unified(bodies);
    write.value = unified(written);
    write.at[static_cast<size_t>(own_.dimension)] = Index::axis(own_.axis, whole_);
    Value result = value_of(values_, model.writes[0].to);
    result.shape[static_cast<size_t>(own_.dimension)] = whole_;
    result.name += "_joined";
    out.whole = static_cast<ValueId>(values_.size());
    write.to = out.whole;
    values_.push_back(std::move(result));
    out.dimension = static_cast<size_t>(own_.dimension);
    out.first = first_;
    return out;
  }

 private:
  void collect(std::vector<Expr>& bodies, std::vector<Expr>& written) const {
    for (const Kernel* one : members_) {
      bodies.push_back(widened(one->lets[0].body[0]));
      written.push_back(widened(one->writes[0].value));
    }
  }

  // The members' shapes and points but for their own axis.
  bool find_sizes() {
    own_ = own_axis(*members_[0], values_);
    const Kernel& model = *members_[0];
    if (own_.axis < 0) return false;
    for (const Kernel* one : members_) {
      const Own own = own_axis(*one, values_);
      if (own.axis != own_.axis || own.dimension != own_.dimension ||
          one->axes.size() != model.axes.size() || one->lets[0].over != model.lets[0].over ||
          one->lets[0].reduced != model.lets[0].reduced ||
          one->lets[0].accumulator != model.lets[0].accumulator ||
          one->writes[0].over != model.writes[0].over)
        return false;
      for (size_t a = 0; a < model.axes.size(); ++a) {
        if (static_cast<int>(a) != own_.axis && (one->axes[a].extent != model.axes[a].extent ||
                                                 one->axes[a].kind != model.axes[a].kind))
          return false;
      }
      const Value& result = value_of(values_, one->writes[0].to);
      const Value& first = value_of(values_, model.writes[0].to);
      if (result.type != first.type || result.shape.size() != first.shape.size()) return false;
      for (size_t d = 0; d < result.shape.size(); ++d) {
        const bool joined = static_cast<int>(d) == own_.dimension;
        if (!joined &&
            (result.shape[d] != first.shape[d] || one->writes[0].at[d] != model.writes[0].at[d]))
          return false;
      }
      const Dim& size = one->axes[static_cast<size_t>(own_.axis)].extent;
      if (!size.is_constant() || result.shape[static_cast<size_t>(own_.dimension)] != size)
        return false;
      first_.push_back(whole_);
      sizes_.push_back(size);
      whole_ += size;
    }
    return true;
  }

  // An expression with the own axis the extent of all members.
  Expr widened(const Expr& expr) const {
    std::vector<Index> axes;
    for (size_t a = 0; a < members_[0]->axes.size(); ++a) {
      const bool own = static_cast<int>(a) == own_.axis;
      axes.push_back(Index::axis(static_cast<int>(a), own ? whole_ : members_[0]->axes[a].extent));
    }
    return substitute_axes(expr, axes);
  }

  static bool all_equal(const std::vector<Expr>& exprs) {
    return std::all_of(exprs.begin(), exprs.end(),
                       [&](const Expr& one) { return one == exprs[0]; });
  }

  static std::vector<Expr> operands(const std::vector<Expr>& exprs, size_t k) {
    std::vector<Expr> out;
    for (const Expr& one : exprs) out.push_back(one->operands[k]);
    return out;
  }

  // The dimension of constants that the own axis runs along, when they can lie side by side.
  std::optional<size_t> joined_dimension(const std::vector<Expr>& loads) const {
    std::optional<size_t> along;
    const Expr& model = loads[0];
    for (size_t d = 0; d < model->at.size(); ++d) {
      if (!model->at[d].uses_axis(own_.axis)) continue;
      if (along || model->at[d].kind() != IndexKind::axis) return std::nullopt;
      along = d;
    }
    if (!along) return std::nullopt;
    for (size_t i = 0; i < loads.size(); ++i) {
      if (!is_constant_load(loads[i], values_)) return std::nullopt;
      const Value &one = value_of(values_, loads[i]->id), &first = value_of(values_, model->id);
      if (loads[i]->at != model->at || one.type != first.type || !one.layout.is_row_major() ||
          size_bits(one.type) < 8 || one.shape.size() != first.shape.size())
        return std::nullopt;
      for (size_t d = 0; d < one.shape.size(); ++d) {
        if (one.shape[d] != (d == *along ? sizes_[i] : first.shape[d])) return std::nullopt;
      }
    }
    return along;
  }

  bool fits(const std::vector<Expr>& exprs) const {
    const Expr& model = exprs[0];
    if (model.kind() == ExprKind::let) return all_equal(exprs);
    if (all_equal(exprs) && !uses_axis(model, own_.axis)) return true;
    for (const Expr& one : exprs) {
      if (one.kind() != model.kind() || one.type() != model.type() || one->op != model->op ||
          one->storage != model->storage || one->mode != model->mode ||
          one->operands.size() != model->operands.size())
        return false;
    }
    switch (model.kind()) {
      case ExprKind::load:
        return joined_dimension(exprs).has_value();
      case ExprKind::unary:
      case ExprKind::binary:
      case ExprKind::select:
      case ExprKind::cast:
        for (size_t k = 0; k < model->operands.size(); ++k) {
          if (!fits(operands(exprs, k))) return false;
        }
        return true;
      default:
        return false;
    }
  }

  Expr unified(const std::vector<Expr>& exprs) {
    const Expr& model = exprs[0];
    if (model.kind() == ExprKind::let) return model;
    if (all_equal(exprs) && !uses_axis(model, own_.axis)) return model;
    const auto operand = [&](size_t k) { return unified(operands(exprs, k)); };
    switch (model.kind()) {
      case ExprKind::load:
        return Expr::load(side_by_side(exprs), model->storage, model->at);
      case ExprKind::unary:
        return Expr::unary(model->unary(), operand(0));
      case ExprKind::binary: {
        Expr a = operand(0);
        return Expr::binary(model->binary(), std::move(a), operand(1));
      }
      case ExprKind::select: {
        Expr condition = operand(0), a = operand(1);
        return Expr::select(std::move(condition), std::move(a), operand(2));
      }
      default:
        return Expr::cast(model->storage, operand(0), model->mode);
    }
  }

  ValueId side_by_side(const std::vector<Expr>& loads) {
    const size_t along = *joined_dimension(loads);
    Value whole = value_of(values_, loads[0]->id);
    whole.name += "_joined";
    whole.shape[along] = whole_;
    int64_t outer = 1, inner = size_bits(whole.type) / 8;
    for (size_t d = 0; d < whole.shape.size(); ++d)
      (d < along ? outer : inner) *= d == along ? 1 : whole.shape[d].constant();
    std::vector<std::byte> bytes(static_cast<size_t>(outer * inner * whole_.constant()));
    std::byte* to = bytes.data();
    for (int64_t o = 0; o < outer; ++o) {
      for (size_t i = 0; i < loads.size(); ++i) {
        const auto count = static_cast<size_t>(inner * sizes_[i].constant());
        const Constant& from = value_of(values_, loads[i]->id).constant;
        std::memcpy(to, from.data + static_cast<size_t>(o) * count, count);
        to += count;
      }
    }
    for (const Expr& load : loads) {
      const Constant& from = value_of(values_, load->id).constant;
      forget_pages(from.data, from.bytes, from.owner);
    }
    whole.constant = make_constant(std::move(bytes));
    values_.push_back(std::move(whole));
    return static_cast<ValueId>(values_.size()) - 1;
  }

  const std::vector<const Kernel*>& members_;
  std::vector<Value>& values_;
  Own own_;
  Dim whole_ = 0;
  std::vector<Dim> first_, sizes_;
};

}  // namespace

bool may_have_siblings(const Kernel& kernel, const std::vector<Value>& values) {
  return own_axis(kernel, values).axis >= 0;
}

bool are_siblings(const std::vector<const Kernel*>& members, std::vector<Value>& values) {
  return Joiner(members, values).may_join();
}

std::optional<Siblings> join_siblings(const std::vector<const Kernel*>& members,
                                      std::vector<Value>& values) {
  return Joiner(members, values).run();
}

}  // namespace burin
