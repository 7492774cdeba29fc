#include "select/products/repacked.h"

#include <algorithm>

#include "kernel/expr/expr_axes.h"
#include "kernel/layout.h"
#include "kernel/rewrite_kernel.h"
#include "kernel/shared_bytes.h"
#include "kernel/tensor.h"
#include "select/products/compact_part.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int64_t kLeastTied = 4096;  // elements: shifts and quotients take more than a few bytes
constexpr int kExactBits = 16;        // integers of which floats are

bool is_constant(ValueId id, const std::vector<Value>& values) {
  return values[at(id)].kind == ValueKind::constant && values[at(id)].constant.data;
}

class ElementFinder {
 public:
  ElementFinder(const Kernel& kernel, const std::vector<Value>& values)
      : kernel_(kernel), values_(values) {}

  void walk(const Expr& before, const Expr& after) {
    if (before.kind() == ExprKind::load) {
      if (!add(before, after) && before->at.size() == 1 && after.kind() == ExprKind::load &&
          after->at.size() == 1 && before->at[0].kind() == IndexKind::data &&
          after->at[0].kind() == IndexKind::data)
        walk(Expr(before->at[0].as_data()), Expr(after->at[0].as_data()));
      return;
    }
    // What was computed is computed still; integers may have been stored as a whole.
    const bool stays = before.kind() != ExprKind::cast || is_float(before.type());
    if (stays && before.kind() == after.kind() &&
        before->operands.size() == after->operands.size() && !before->operands.empty()) {
      for (size_t i = 0; i < before->operands.size(); ++i)
        walk(before->operands[i], after->operands[i]);
      return;
    }
    if (before.kind() == ExprKind::cast && keeps_numbers(before)) walk(before->operands[0], after);
    if (before.kind() == ExprKind::binary && before->binary() == Binary::sub &&
        is_integer(before.type()) && before->operands[1].kind() == ExprKind::constant)
      walk(before->operands[0], Expr::cast(before.type(), after) + before->operands[1]);
  }

  std::vector<RepackedConstant> found;

 private:
  // The integer that is cast and cast again.
  static const Expr& innermost(const Expr& expr) {
    const Expr* out = &expr;
    while ((*out).kind() == ExprKind::cast && is_integer((*out)->operands[0].type()))
      out = &(*out)->operands[0];
    return *out;
  }
  // A cast that has the number of what it casts, whatever that is.
  static bool keeps_numbers(const Expr& cast) {
    const Type to = cast.type();
    const bool wide = to == Type::f32 || to == Type::f64;
    // Other floats have fewer digits, or smaller exponents; integers have no fractions.
    if (const Type real = cast->operands[0].type(); is_float(real))
      return real == to || (wide && size_bits(real) <= size_bits(to));
    const Type from = innermost(cast).type();
    if (!is_integer(to)) return wide && size_bits(from) <= kExactBits;
    return size_bits(from) < size_bits(to) && (is_signed(to) || !is_signed(from));
  }

  bool add(const Expr& before, const Expr& after) {
    const Value& source = values_[at(before->id)];
    if (!is_constant(before->id, values_) || before->at.size() != source.shape.size()) return false;
    std::vector<Index> dimensions(kernel_.axes.size());
    std::vector<int> own;
    for (size_t d = 0; d < before->at.size(); ++d) {
      const Index& place = before->at[d];
      if (place.kind() != IndexKind::axis || contains(own, place.axis_id()) ||
          !(kernel_.axes[at(place.axis_id())].extent == source.shape[d]))
        return false;
      own.push_back(place.axis_id());
      dimensions[at(place.axis_id())] = Index::axis(static_cast<int>(d), source.shape[d]);
    }
    for (const int axis : axes_of(after)) {
      if (!contains(own, axis)) return false;
    }
    const Expr element = substitute_axes(after, dimensions);
    found.push_back({before->id, element.type() == before.type()
                                     ? element
                                     : Expr::cast(before.type(), element)});
    return true;
  }

  const Kernel& kernel_;
  const std::vector<Value>& values_;
};

// Numbers of few bits, several to a byte.
RepackedConstant in_shared_bytes(ValueId id, Type type, std::vector<Value>& values) {
  const Value source = values[at(id)];
  const int64_t elements = product(source.shape).constant();
  const LoadFunction load = load_function(source.type);
  int64_t lo = 0, hi = 0;
  for (int64_t i = 0; i < elements; ++i) {
    const int64_t number = load(source.constant.data, i).integer;
    lo = std::min(lo, number);
    hi = std::max(hi, number);
  }
  const bool negative = lo < 0;
  int bits = 2;
  while (bits < 8 &&
         (negative ? lo < -(1 << (bits - 1)) || hi >= 1 << (bits - 1) : hi >= 1 << bits))
    bits *= 2;
  if (bits == 8) return {};
  const int64_t each = 8 / bits;
  std::vector<std::byte> bytes(static_cast<size_t>((elements + each - 1) / each));
  for (int64_t i = 0; i < elements; ++i) {
    const auto cut = static_cast<unsigned>(load(source.constant.data, i).integer) &
                     ((1U << static_cast<unsigned>(bits)) - 1);
    bytes[static_cast<size_t>(i / each)] |=
        static_cast<std::byte>(cut << static_cast<unsigned>(i % each * bits));
  }
  Value& out = values.emplace_back();
  out.name = source.name;
  out.type = Type::u8;
  out.kind = ValueKind::constant;
  out.shape = {static_cast<int64_t>(bytes.size())};
  out.layout.order = {0};
  out.constant = make_constant(std::move(bytes));
  std::vector<Index> point;
  for (size_t d = 0; d < source.shape.size(); ++d)
    point.push_back(Index::axis(static_cast<int>(d), source.shape[d]));
  const Expr number =
      out_of_byte(static_cast<ValueId>(values.size() - 1), linearize(point, source.shape), bits,
                  negative ? Type::i32 : Type::u32);
  return {id, Expr::cast(type, number)};
}

}  // namespace

std::vector<RepackedConstant> repacked(const std::vector<BeforeAndAfter>& factors,
                                       const Kernel& kernel, const std::vector<Value>& values) {
  ElementFinder finder(kernel, values);
  for (const auto& [before, after] : factors) {
    if (before && after) finder.walk(before, after);
  }
  return std::move(finder.found);
}

Expr over_panels(const Expr& expr, const Kernel& kernel,
                 const std::vector<RepackedConstant>& panels) {
  if (!expr || panels.empty()) return expr;
  return rewrite(
      expr,
      [&](const Expr& one) -> Expr {
        if (one.kind() != ExprKind::load || !takes_single_elements(kernel, *one)) return one;
        const auto found = std::ranges::find(panels, one->id, &RepackedConstant::source);
        return found == panels.end() ? one : substitute_axes(found->element, one->at);
      },
      [](const Index& leaf) { return leaf; });
}

void read_panels(Kernel& kernel, const std::vector<RepackedConstant>& panels) {
  const auto moved = [&](Expr& expr) { expr = over_panels(expr, kernel, panels); };
  for (Let& let : kernel.lets) std::ranges::for_each(let.body, moved);
  for (Write& write : kernel.writes) moved(write.value);
}

TiedConstants::TiedConstants(const KernelGraph& graph) {
  std::set<ValueId> packed, single, other;
  for_each_step(graph.steps, [&](const Step& step) {
    const auto* const kernel = std::get_if<Kernel>(&step);
    if (kernel == nullptr) {
      if (!std::holds_alternative<std::shared_ptr<If>>(step) &&
          !std::holds_alternative<std::shared_ptr<Loop>>(step)) {
        for (const ValueId id : reads_of(step)) other.insert(id);
      }
      return;
    }
    visit_loads(*kernel, [&](const ExprNode& load) {
      (takes_single_elements(*kernel, load) ? single : packed).insert(load.id);
    });
  });
  for (const ValueId id : single) {
    const Value& value = graph.values[at(id)];
    if (packed.contains(id) && !other.contains(id) && is_constant(id, graph.values) &&
        product(value.shape).constant() >= kLeastTied)
      tied_.insert(id);
  }
}

bool TiedConstants::wait(const Kernel& kernel) const {
  bool reads = false, packs = false;
  visit_loads(kernel, [&](const ExprNode& load) {
    if (!tied_.contains(load.id)) return;
    reads = true;
    packs = packs || !takes_single_elements(kernel, load);
  });
  return reads && !packs;
}

Kernel TiedConstants::over_panels(const Kernel& kernel, const std::vector<RepackedConstant>& panels,
                                  const std::set<ValueId>& read, std::vector<Value>& values) {
  Kernel out = kernel;
  rewrite_exprs(out, [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::load || !tied_.contains(expr->id) || read.contains(expr->id))
      return expr;
    const auto found = std::ranges::find(panels, expr->id, &RepackedConstant::source);
    if (found != panels.end()) return substitute_axes(found->element, expr->at);
    if (!is_integer(expr.type())) return expr;
    const auto [shared, is_new] = shared_.try_emplace(expr->id);
    if (is_new) shared->second = in_shared_bytes(expr->id, expr.type(), values);
    return shared->second.element ? substitute_axes(shared->second.element, expr->at) : expr;
  });
  return out;
}

}  // namespace burin
