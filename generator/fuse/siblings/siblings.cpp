#include "fuse/siblings/siblings.h"

#include <algorithm>
#include <cstring>

#include "fuse/access/known.h"
#include "fuse/siblings/sibling_steps.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/tensor.h"
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

// An axis of a member's own constants that its input has not, and the dimension of the result that
// it runs along.
struct Own {
  int axis = 0;
  int dimension = 0;
  bool operator==(const Own&) const = default;
};

// The dimension that an axis is, and no other one has; -1: there is none.
int dimension_of(const Write& write, int axis) {
  int found = -1;
  for (size_t d = 0; d < write.at.size(); ++d) {
    if (!write.at[d].uses_axis(axis)) continue;
    if (found >= 0 || write.at[d].kind() != IndexKind::axis) return -1;
    found = static_cast<int>(d);
  }
  return found;
}

// The outermost dimension first: heads, where these have a dimension of their own.
std::vector<Own> own_axes(const Kernel& kernel, const std::vector<Value>& values) {
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
  std::vector<Own> out;
  for (const int axis : let.over) {
    if (contains(input, axis) || !contains(weights, axis)) continue;
    const int dimension = dimension_of(write, axis);
    if (dimension >= 0) out.push_back({axis, dimension});
  }
  std::sort(out.begin(), out.end(),
            [](const Own& a, const Own& b) { return a.dimension < b.dimension; });
  return out;
}

class SiblingFuser {
 public:
  SiblingFuser(const std::vector<const Kernel*>& members, std::vector<Value>& values)
      : members_(members), values_(values) {}

  // Everything is known to fit before a constant is made.
  bool may_fuse() {
    if (members_.size() < 2) return false;
    const std::vector<Own> along = own_axes(*members_[0], values_);
    return std::any_of(along.begin(), along.end(), [&](const Own& own) {
      own_ = own;
      std::vector<Expr> bodies, written;
      if (!find_sizes()) return false;
      collect(bodies, written);
      return fits(bodies) && fits(written);
    });
  }

  std::optional<Siblings> run() {
    if (!may_fuse()) return std::nullopt;
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
    result.name += "_fused";
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
      written.push_back(widened(with_literals(one->writes[0].value, values_)));
    }
  }

  // The members' shapes and points but for their own axis.
  bool find_sizes() {
    const Kernel& model = *members_[0];
    first_.clear();
    sizes_.clear();
    whole_ = 0;
    for (const Kernel* one : members_) {
      const std::vector<Own> along = own_axes(*one, values_);
      if (std::find(along.begin(), along.end(), own_) == along.end() ||
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
        const bool fused = static_cast<int>(d) == own_.dimension;
        if (!fused &&
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

  // Constants that can lie side by side along the own axis; numbers stand for as many equal
  // elements of it.
  struct SiblingConstants {
    const Expr* model = nullptr;  // a load of one of them; null: all are numbers
    size_t along = 0;             // the dimension that is fused
  };

  std::optional<SiblingConstants> concatenated_constants(const std::vector<Expr>& exprs) const {
    SiblingConstants out;
    for (const Expr& one : exprs) {
      if (!out.model && one.kind() == ExprKind::load) out.model = &one;
      if (one.kind() != ExprKind::load && (!one.is_constant() || one.type() != exprs[0].type()))
        return std::nullopt;
    }
    if (!out.model) return size_bits(exprs[0].type()) < 8 ? std::nullopt : std::optional(out);
    const Expr& model = *out.model;
    bool found = false;
    for (size_t d = 0; d < model->at.size(); ++d) {
      if (!model->at[d].uses_axis(own_.axis)) continue;
      if (found || model->at[d].kind() != IndexKind::axis) return std::nullopt;
      out.along = d;
      found = true;
    }
    const auto stands_beside = [&](const Expr& one, const Dim& size) {
      if (one.is_constant()) return one.type() == model.type() && holds(model->storage, one);
      if (!is_constant_load(one, values_) || one->at != model->at) return false;
      const Value &value = value_of(values_, one->id), &first = value_of(values_, model->id);
      if (value.type != first.type || !value.layout.is_row_major() || size_bits(value.type) < 8 ||
          value.shape.size() != first.shape.size())
        return false;
      for (size_t d = 0; d < value.shape.size(); ++d) {
        if (value.shape[d] != (d == out.along ? size : first.shape[d])) return false;
      }
      return true;
    };
    for (size_t i = 0; i < exprs.size(); ++i) {
      if (!found || !stands_beside(exprs[i], sizes_[i])) return std::nullopt;
    }
    return out;
  }

  // Whether elements of a type hold a number as it is.
  static bool holds(Type storage, const Expr& number) {
    const HostTensor element = element_of(storage, number);
    const ScalarValue kept = element.get(0);
    return is_float(number.type()) ? kept.number == number->number
                                   : kept.integer == number->integer;
  }

  static HostTensor element_of(Type storage, const Expr& number) {
    HostTensor element = make_tensor(storage, {1});
    element.set(0, {number->number, number->integer});
    return element;
  }

  bool fits(const std::vector<Expr>& exprs) const {
    const Expr& model = exprs[0];
    if (model.kind() == ExprKind::let) return all_equal(exprs);
    if (all_equal(exprs) && !uses_axis(model, own_.axis)) return true;
    if (concatenated_constants(exprs)) return true;
    const SiblingSteps same = same_steps(exprs);
    if (!same.steps.empty()) {
      return fits(same.inner) &&
             std::all_of(same.steps.begin(), same.steps.end(),
                         [&](const SiblingSteps::Step& step) { return fits(step.operands); });
    }
    for (const Expr& one : exprs) {
      if (one.kind() != model.kind() || one.type() != model.type() || one->op != model->op ||
          one->storage != model->storage || one->mode != model->mode ||
          one->operands.size() != model->operands.size())
        return false;
    }
    switch (model.kind()) {
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
    if (const std::optional<SiblingConstants> constants = concatenated_constants(exprs))
      return fused(exprs, *constants);
    const SiblingSteps same = same_steps(exprs);
    if (!same.steps.empty()) return with_steps(same);
    const auto operand = [&](size_t k) { return unified(operands(exprs, k)); };
    switch (model.kind()) {
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

  Expr with_steps(const SiblingSteps& same) {
    Expr out = unified(same.inner);
    for (const SiblingSteps::Step& step : same.steps) {
      const Expr by = unified(step.operands);
      out = step.sum_first ? Expr::binary(step.op, out, by) : Expr::binary(step.op, by, out);
    }
    return out;
  }

  Expr fused(const std::vector<Expr>& exprs, const SiblingConstants& constants) {
    Value whole;
    std::vector<Index> at{Index::axis(own_.axis, whole_)};
    if (constants.model) {
      whole = value_of(values_, (*constants.model)->id);
      at = (*constants.model)->at;
    } else {
      whole.name = members_[0]->name;
      whole.type = exprs[0].type();
      whole.kind = ValueKind::constant;
      whole.shape = {whole_};
    }
    whole.name += "_fused";
    const Type type = whole.type;
    whole.shape[constants.along] = whole_;
    int64_t outer = 1, inner = size_bits(type) / 8;
    for (size_t d = 0; d < whole.shape.size(); ++d) {
      (d < constants.along ? outer : inner) *= d == constants.along ? 1 : whole.shape[d].constant();
    }
    std::vector<std::byte> bytes(static_cast<size_t>(outer * inner * whole_.constant()));
    std::byte* to = bytes.data();
    for (int64_t o = 0; o < outer; ++o) {
      for (size_t i = 0; i < exprs.size(); ++i) {
        const auto count = static_cast<size_t>(inner * sizes_[i].constant());
        if (exprs[i].is_constant()) {
          const HostTensor element = element_of(type, exprs[i]);
          for (size_t k = 0; k < count; k += element.bytes.size())
            std::memcpy(to + k, element.bytes.data(), element.bytes.size());
        } else {
          const Constant& from = value_of(values_, exprs[i]->id).constant;
          std::memcpy(to, from.data + static_cast<size_t>(o) * count, count);
        }
        to += count;
      }
    }
    for (const Expr& one : exprs) {
      if (one.is_constant()) continue;
      const Constant& from = value_of(values_, one->id).constant;
      forget_pages(from.data, from.bytes, from.owner);
    }
    whole.constant = make_constant(std::move(bytes));
    values_.push_back(std::move(whole));
    return Expr::load(static_cast<ValueId>(values_.size()) - 1, type, std::move(at));
  }

  const std::vector<const Kernel*>& members_;
  std::vector<Value>& values_;
  Own own_;
  Dim whole_ = 0;
  std::vector<Dim> first_, sizes_;
};

}  // namespace

bool may_have_siblings(const Kernel& kernel, const std::vector<Value>& values) {
  return !own_axes(kernel, values).empty();
}

bool are_siblings(const std::vector<const Kernel*>& members, std::vector<Value>& values) {
  return SiblingFuser(members, values).may_fuse();
}

std::optional<Siblings> fused_siblings(const std::vector<const Kernel*>& members,
                                       std::vector<Value>& values) {
  return SiblingFuser(members, values).run();
}

}  // namespace burin
