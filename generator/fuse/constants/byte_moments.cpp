#include "fuse/constants/byte_moments.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "fuse/constants/byte_forms.h"
#include "fuse/constants/dequantised_form.h"
#include "kernel/rewrite_kernel.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int64_t kMostOfByte = 255;  // of the difference of two

enum class Form { none, sum, deviations, squares };

struct Moment {
  Form form = Form::none;
  Expr integer, scale;  // q or q - z; s
  int first = -1;       // of deviations: the let that is M
  Type type = Type::i32;
};

bool is_product(const Expr& expr) {
  return expr.kind() == ExprKind::binary && expr->binary() == Binary::mul;
}
bool has_zero(const Expr& integer) { return integer.kind() == ExprKind::binary; }
// i32(byte), without its zero point.
const Expr& wide_byte(const Expr& integer) {
  return has_zero(integer) ? integer->operands[0] : integer;
}
int64_t magnitude(const Expr& integer) {
  const Type type = wide_byte(integer)->operands[0].type();
  return std::max(-lowest(type), highest(type));
}

class Moments {
 public:
  explicit Moments(const Kernel& kernel) : kernel_(kernel) {}

  std::optional<Kernel> run() {
    if (is_sequential(kernel_)) return std::nullopt;
    for (size_t k = 0; k < kernel_.lets.size(); ++k) found_.push_back(moment_of(kernel_.lets[k]));
    if (std::all_of(found_.begin(), found_.end(),
                    [](const Moment& one) { return one.form == Form::none; }))
      return std::nullopt;
    Kernel out = kernel_;
    for (size_t k = 0; k < found_.size(); ++k) {
      Let& let = out.lets[k];
      if (found_[k].form == Form::none) {
        for (Expr& one : let.body) one = scaled(one);
        continue;
      }
      let.body = {term(found_[k])};
      let.accumulator = {found_[k].type};
    }
    for (Write& write : out.writes) write.value = scaled(write.value);
    return out;
  }

 private:
  Dim count(const Let& let) const {
    Dim out = 1;
    for (const int axis : let.reduced) out *= kernel_.axes[at(axis)].extent;
    return out;
  }

  Moment moment_of(const Let& let) const {
    if (let.op != Combiner::sum || let.body.size() != 1 || let.accumulator[0] != Type::f32 ||
        let.reduced.empty())
      return {};
    const Range terms = count(let).range();
    if (!terms.bounded() || terms.hi < 1) return {};
    const Expr& body = let.body[0];
    const bool square = is_product(body) && body->operands[0] == body->operands[1];
    Moment out = square ? squares_of(let, body->operands[0]) : of_byte(let, body, Form::sum);
    if (out.form == Form::none) return {};
    // As the header has it.
    const int64_t most = std::numeric_limits<int64_t>::max() / terms.hi;
    const int64_t most_32 = std::numeric_limits<int32_t>::max() / terms.hi;
    if (out.form == Form::sum) return kMostOfByte <= most_32 ? out : Moment{};
    const bool deviations = out.form == Form::deviations;
    // Their mean is of one number at least.
    if (deviations && !proven_le(1, count(let))) return {};
    const int64_t largest = deviations ? magnitude(out.integer) : kMostOfByte;
    if (largest * largest > most_32) out.type = Type::i64;
    const int64_t whole = deviations ? terms.hi * largest * largest : largest * largest;
    return whole <= most ? out : Moment{};
  }

  Moment of_byte(const Let& let, const Expr& value, Form form) const {
    const std::optional<Dequantised> byte = dequantised(value);
    if (!byte || !byte->inside.empty() || moves_along(byte->scale, let.reduced) ||
        (has_zero(byte->integer) && moves_along(byte->integer->operands[1], let.reduced)))
      return {};
    return {form, byte->integer, byte->scale};
  }

  // Of x, or of x minus the mean of all x.
  Moment squares_of(const Let& let, const Expr& root) const {
    if (root.kind() != ExprKind::binary || root->binary() != Binary::sub)
      return of_byte(let, root, Form::squares);
    Moment out = of_byte(let, root->operands[0], Form::deviations);
    out.first = out.form == Form::none ? -1 : sum_of_mean(let, root->operands[1]);
    if (out.first < 0 || !is_summed(kernel_.lets[at(out.first)], let, root->operands[0])) return {};
    return out;
  }
  // Whether a let sums the same over the same places, if by other axes.
  bool is_summed(const Let& first, const Let& let, const Expr& term) const {
    std::vector<Index> axes;
    for (size_t k = 0; k < kernel_.axes.size(); ++k)
      axes.push_back(Index::axis(static_cast<int>(k), kernel_.axes[k].extent));
    if (first.over != let.over || first.reduced.size() != let.reduced.size()) return false;
    for (size_t k = 0; k < let.reduced.size(); ++k) {
      const Dim& extent = kernel_.axes[at(let.reduced[k])].extent;
      if (!(kernel_.axes[at(first.reduced[k])].extent == extent)) return false;
      axes[at(first.reduced[k])] = Index::axis(let.reduced[k], extent);
    }
    return substitute_axes(first.body[0], axes) == term;
  }

  // The let M of M / N; -1: it is something else.
  int sum_of_mean(const Let& let, const Expr& mean) const {
    if (mean.kind() != ExprKind::binary || mean->binary() != Binary::div ||
        mean->operands[0].kind() != ExprKind::let || !(mean->operands[1] == number(count(let))))
      return -1;
    const Expr& sum = mean->operands[0];
    const bool found = at(sum->id) < found_.size() && found_[at(sum->id)].form == Form::sum;
    return found && sum->at == own_place(let) ? sum->id : -1;
  }
  std::vector<Index> own_place(const Let& let) const {
    std::vector<Index> out;
    for (const int axis : let.over) out.push_back(Index::axis(axis, kernel_.axes[at(axis)].extent));
    return out;
  }
  static Expr number(const Dim& count) { return Expr::cast(Type::f32, Expr::index(count)); }

  static Expr term(const Moment& moment) {
    const Expr& byte = wide_byte(moment.integer);
    if (moment.form == Form::sum) return byte;
    const Expr& root = moment.form == Form::deviations ? byte : moment.integer;
    const Expr square = root * root;
    return moment.type == Type::i64 ? Expr::cast(Type::i64, square) : square;
  }

  // The sums as they were, of those that there are now.
  Expr scaled(const Expr& expr) const {
    return rewrite(
        expr,
        [&](const Expr& one) -> Expr {
          if (one.kind() != ExprKind::let || found_[at(one->id)].form == Form::none) return one;
          return at_place(one->id, one->at);
        },
        [](const Index& index) { return index; });
  }
  Expr at_place(int number_of_let, const std::vector<Index>& place) const {
    const Moment& moment = found_[at(number_of_let)];
    const Let& let = kernel_.lets[at(number_of_let)];
    const std::vector<Index> axes = axes_at(kernel_, let, place);
    const Expr scale = substitute_axes(moment.scale, axes);
    const Expr sum = Expr::let(number_of_let, moment.type, place, 0);
    if (moment.form == Form::squares) return Expr::cast(Type::f32, sum) * scale * scale;
    const Dim places = count(let);
    if (moment.form == Form::sum) {
      if (!has_zero(moment.integer)) return Expr::cast(Type::f32, sum) * scale;
      const Expr zero = substitute_axes(moment.integer->operands[1], axes);
      return Expr::cast(Type::f32, sum - Expr::index(places, Type::i32) * zero) * scale;
    }
    const auto wide = [](const Expr& a) { return Expr::cast(Type::i64, a); };
    const Expr first = wide(Expr::let(moment.first, found_[at(moment.first)].type, place, 0));
    const Expr deviations = Expr::index(places) * wide(sum) - first * first;
    return Expr::cast(Type::f32, deviations) / number(places) * scale * scale;
  }

  const Kernel& kernel_;
  std::vector<Moment> found_;
};

}  // namespace

std::optional<Kernel> with_integer_moments(const Kernel& kernel) { return Moments(kernel).run(); }

KernelGraph with_integer_moments(KernelGraph graph) {
  for_each_kernel(graph.steps, [](Kernel& kernel) {
    if (std::optional<Kernel> with = with_integer_moments(kernel)) kernel = std::move(*with);
  });
  return graph;
}

}  // namespace burin
