#include "fuse/constants/signs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "fuse/access/access.h"
#include "fuse/access/known.h"
#include "fuse/constants/sign_weights.h"
#include "fuse/constants/small_values.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/rewrite_kernel.h"
#include "kernel/tensor.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int kMostMapsThrough = 16;  // of reading through maps

// The factor of the run: an element of a tensor where a guard holds, else 0.
struct SignFactor {
  Expr element;  // a load, or a conversion of one
  Expr load;
  Guard inside;
  double magnitude = 1;
  bool has_zero = true;
};

class SignProducts {
 public:
  SignProducts(KernelGraph graph, int64_t least_signs)
      : graph_(std::move(graph)), least_signs_(least_signs) {}

  KernelGraph run() {
    SmallValues numbers(graph_.steps, graph_.values);
    numbers_ = &numbers;
    Steps steps = with_steps_before(graph_.steps, [&](const Kernel& kernel, Steps& before) {
      std::optional<Kernel> counted = of_signs(kernel, before);
      return counted ? std::move(*counted) : kernel;
    });
    graph_.steps = std::move(steps);
    return std::move(graph_);
  }

 private:
  static Index axis(const Kernel& kernel, int number) {
    return Index::axis(number, kernel.axes[at(number)].extent);
  }

  std::optional<SignFactor> sign_factor(const Expr& factor) {
    SignFactor out;
    const bool guarded = factor.kind() == ExprKind::cases;
    if (guarded && (factor->cases.size() != 1 || !factor->operands[0].is_constant(0)))
      return std::nullopt;
    if (guarded) out.inside = factor->cases[0].guard;
    out.element = guarded ? factor->cases[0].value : factor;
    out.load = out.element;
    while (out.load.kind() == ExprKind::cast) out.load = out.load->operands[0];
    if (out.load.kind() != ExprKind::load ||
        graph_.values[at(out.load->id)].kind == ValueKind::constant)
      return std::nullopt;
    const std::optional<std::set<double>> all = numbers_->numbers_of(out.element);
    if (!all || all->empty()) return std::nullopt;
    out.magnitude = std::max(std::abs(*all->begin()), std::abs(*all->rbegin()));
    if (out.magnitude == 0 || !std::isfinite(out.magnitude)) return std::nullopt;
    out.has_zero = all->contains(0);
    for (const double one : *all) {
      if (one != 0 && std::abs(one) != out.magnitude) return std::nullopt;
    }
    return out;
  }

  std::optional<SignAxis> bits_of(const Kernel& kernel, const SignFactor& factor) const {
    const Value& tensor = graph_.values[at(factor.load->id)];
    std::optional<SignAxis> best;
    for (const int reduced : kernel.lets[0].reduced) {
      const std::optional<int64_t> extent = kernel.axes[at(reduced)].extent.as_constant();
      const int64_t words = extent ? (*extent + kSignsOfWord - 1) / kSignsOfWord : 0;
      if (!extent || *extent < words * least_signs_ || is_asked_by(factor.inside, reduced))
        continue;
      SignAxis one{reduced, -1, *extent};
      bool plain = true;
      for (size_t d = 0; d < factor.load->at.size(); ++d) {
        const Index& index = factor.load->at[d];
        if (!index.uses_axis(reduced)) continue;
        const Index rest = index - axis(kernel, reduced);
        const bool whole = rest.is_constant(0) ? tensor.shape[d].is_constant(*extent)
                                               : *extent % kSignsOfWord == 0 &&
                                                     mod(rest, kSignsOfWord).is_constant(0);
        const bool in_words = tensor.shape[d].is_constant() && !rest.uses_axis(reduced) && whole;
        plain = plain && one.dim < 0 && in_words;
        one.dim = static_cast<int>(d);
      }
      if (plain && one.dim >= 0 && (!best || best->extent < one.extent)) best = one;
    }
    return best;
  }
  static bool is_asked_by(const Guard& guard, int axis) {
    return std::any_of(guard.begin(), guard.end(), [&](const Condition& one) {
      return one.index.uses_axis(axis) || one.lo.uses_axis(axis) || one.hi.uses_axis(axis);
    });
  }

  // An element as what it is made of, as far as these are small numbers themselves: a comparison,
  // a choice.
  Expr made_of(const Expr& element) const {
    Expr out = element;
    for (int round = 0; round < kMostMapsThrough; ++round) {
      bool more = false;
      out = rewrite(
          out,
          [&](const Expr& one) -> Expr {
            const Kernel* map = one.kind() == ExprKind::load ? numbers_->maker(one->id) : nullptr;
            if (map == nullptr || !numbers_->numbers_of(one) || !numbers_->reads_are_stable(*map))
              return one;
            more = true;
            return value_at(*map, one->at);
          },
          [](const Index& leaf) { return leaf; });
      if (!more) break;
    }
    return with_literals(out, graph_.values);
  }
  // Whether it is so beside 0: `op` is ne or lt.
  static Expr beside_zero(Binary op, const Expr& value) {
    const auto of_number = [&](const Expr& constant) {
      const double number =
          is_float(constant.type()) ? constant->number : static_cast<double>(constant->integer);
      return op == Binary::ne ? number != 0 : number < 0;
    };
    if (value.kind() == ExprKind::unary && value->unary() == Unary::sign)
      return beside_zero(op, value->operands[0]);
    if (value.kind() == ExprKind::cast && value->operands[0].type() == Type::boolean)
      return op == Binary::ne ? value->operands[0] : Expr::boolean(false);
    if (value.kind() == ExprKind::select && value->operands[1].is_constant() &&
        value->operands[2].is_constant()) {
      const bool first = of_number(value->operands[1]), second = of_number(value->operands[2]);
      if (first == second) return Expr::boolean(first);
      const Expr& condition = value->operands[0];
      return first ? condition : Expr::unary(Unary::logical_not, condition);
    }
    const Expr zero = is_float(value.type()) ? Expr::constant(value.type(), 0.0)
                                             : Expr::constant(value.type(), 0);
    return compare(op, value, zero);
  }

  // Tensors of words: what is not 0, and what is below 0, of a tensor along one dimension.
  // What is never 0 has one word of ones for all, which the first is none of then.
  std::pair<ValueId, ValueId> packed_tensor(const SignFactor& factor, const SignAxis& bits,
                                            const Kernel& reader, Steps& steps) {
    const Value tensor = graph_.values[at(factor.load->id)];
    const int64_t size = tensor.shape[at(bits.dim)].constant();
    Kernel out;
    out.name = tensor.name + "_signs";
    const Kernel* const maker = numbers_->maker(factor.load->id);
    out.origins = maker == nullptr ? reader.origins : maker->origins;
    std::vector<Index> element, place;
    std::vector<Dim> shape = tensor.shape;
    shape[at(bits.dim)] = (size + kSignsOfWord - 1) / kSignsOfWord;
    std::vector<int> over;
    for (const Dim& extent : shape) {
      if (extent.is_constant(1)) {
        place.push_back(0);
        continue;
      }
      const int own = static_cast<int>(out.axes.size());
      out.axes.push_back({extent, AxisKind::parallel, {}});
      over.push_back(own);
      place.push_back(Index::axis(own, extent));
    }
    const int bit = static_cast<int>(out.axes.size());
    const int64_t points = std::min(size, kSignsOfWord);
    out.axes.push_back({points, AxisKind::reduce, "bit"});
    const Index number = Index::axis(bit, points);
    element = place;
    element[at(bits.dim)] = place[at(bits.dim)] * kSignsOfWord + number;
    const auto at_element = [&](const Expr& one) -> Expr {
      if (one.kind() == ExprKind::load) return Expr::load(one->id, one->storage, element);
      return one;
    };
    const Expr value =
        made_of(rewrite(factor.element, at_element, [](const Index& leaf) { return leaf; }));
    const Expr place_of_bit = Expr::cast(Type::u32, Expr::index(number, Type::i32));
    const auto word_of = [&](Binary op) {
      Expr body = Expr::binary(Binary::shift_left, Expr::cast(Type::u32, beside_zero(op, value)),
                               place_of_bit);
      if (size % kSignsOfWord != 0 && size > kSignsOfWord)
        body = Expr::cases({{{Condition{element[at(bits.dim)], 0, size}}, body}},
                           Expr::constant(Type::u32, 0));
      Let let;
      let.over = over;
      let.reduced = {bit};
      let.op = Combiner::sum;
      let.body = {std::move(body)};
      let.accumulator = {Type::u32};
      return let;
    };
    out.lets = {word_of(Binary::lt)};
    if (!ones_of(factor, size)) out.lets.push_back(word_of(Binary::ne));
    std::vector<Index> point;
    for (const int own : over) point.push_back(Index::axis(own, out.axes[at(own)].extent));
    std::pair<ValueId, ValueId> made{kNoValue, kNoValue};
    for (int let = 0; let < static_cast<int>(out.lets.size()); ++let) {
      Value words;
      words.name = tensor.name + (let == 0 ? "_negative" : "_present");
      words.type = Type::u32;
      words.shape = shape;
      words.kind = ValueKind::internal;
      graph_.values.push_back(std::move(words));
      const auto id = static_cast<ValueId>(graph_.values.size()) - 1;
      (let == 0 ? made.second : made.first) = id;
      Write write;
      write.over = over;
      write.to = id;
      write.at = place;
      write.value = Expr::let(let, Type::u32, point);
      out.writes.push_back(std::move(write));
    }
    steps.emplace_back(std::move(out));
    return made;
  }

  std::optional<Kernel> of_signs(const Kernel& kernel, Steps& before) {
    if (kernel.lets.size() != 1) return std::nullopt;
    const Let& let = kernel.lets[0];
    if (let.op != Combiner::sum || let.body.size() != 1 || let.accumulator[0] != Type::f32)
      return std::nullopt;
    const Expr& body = let.body[0];
    if (body.kind() != ExprKind::binary || body->binary() != Binary::mul) return std::nullopt;
    for (const size_t k : {0, 1}) {
      const std::optional<SignFactor> factor = sign_factor(body->operands[k]);
      if (!factor) continue;
      const std::optional<SignAxis> bits = bits_of(kernel, *factor);
      if (!bits || !fits_32_bits(kernel)) continue;
      const std::optional<KnownSigns> known =
          known_signs(kernel, body->operands[1 - k], *bits, *numbers_, graph_.values);
      if (!known) continue;
      // Once for all readers of a list.
      auto& packed = packed_[{with_zero_indices(factor->element), bits->dim}];
      if (!packed || !is_made_in(before, packed->second))
        packed = packed_tensor(*factor, *bits, kernel, before);
      return counted(kernel, *factor, *known, *bits, *packed);
    }
    return std::nullopt;
  }
  static bool is_made_in(const Steps& steps, ValueId id) {
    return std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
      const std::vector<ValueId> written = writes_of(step);
      return std::holds_alternative<Kernel>(step) &&
             std::find(written.begin(), written.end(), id) != written.end();
    });
  }
  // The word of what is never 0, where all of a dimension's words are the same.
  static std::optional<uint32_t> ones_of(const SignFactor& factor, int64_t size) {
    if (factor.has_zero || (size > kSignsOfWord && size % kSignsOfWord != 0)) return std::nullopt;
    return size >= kSignsOfWord ? ~uint32_t{0} : (uint32_t{1} << size) - 1;
  }
  // The same for all places of a tensor.
  static Expr with_zero_indices(const Expr& element) {
    return rewrite(
        element,
        [](const Expr& one) -> Expr {
          if (one.kind() != ExprKind::load) return one;
          return Expr::load(one->id, one->storage, std::vector<Index>(one->at.size(), Index(0)));
        },
        [](const Index& leaf) { return leaf; });
  }
  static bool fits_32_bits(const Kernel& kernel) {
    Dim terms = 1;
    for (const int one : kernel.lets[0].reduced) terms *= kernel.axes[at(one)].extent;
    const Range range = terms.range();
    return range.bounded() && range.hi <= std::numeric_limits<int32_t>::max() / 2;
  }

  // The kernel with counted bits.
  Kernel counted(const Kernel& kernel, const SignFactor& factor, const KnownSigns& known,
                 const SignAxis& bits, const std::pair<ValueId, ValueId>& words) const {
    Kernel out = kernel;
    const int64_t number = (bits.extent + kSignsOfWord - 1) / kSignsOfWord;
    out.axes[at(bits.axis)].extent = number;
    std::vector<Index> place = factor.load->at;
    place[at(bits.dim)] = floordiv(place[at(bits.dim)] - axis(kernel, bits.axis), kSignsOfWord) +
                          axis(out, bits.axis);
    const int64_t size = graph_.values[at(factor.load->id)].shape[at(bits.dim)].constant();
    const auto inside = [&](ValueId id) {
      const Expr word = id == kNoValue ? Expr::constant(Type::u32, int64_t{*ones_of(factor, size)})
                                       : Expr::load(id, Type::u32, place);
      if (factor.inside.empty()) return word;
      return Expr::cases({{factor.inside, word}}, Expr::constant(Type::u32, 0));
    };
    const auto ones = [](Expr word) {
      return Expr::cast(Type::i32, Expr::unary(Unary::popcount, std::move(word)));
    };
    const Expr present = inside(words.first), negative = inside(words.second);
    Let& negatives = out.lets[0];
    negatives.body = {ones(Expr::binary(Binary::bit_and, present,
                                        Expr::binary(Binary::bit_xor, negative, known.other)))};
    negatives.accumulator = {Type::i32};
    Let all = negatives;
    all.body = {ones(present)};
    const bool same = all.body[0].is_constant();  // at every point
    Dim terms = 1;
    for (const int one : all.reduced) terms *= out.axes[at(one)].extent;
    const std::vector<int> used = axes_of(present);
    std::erase_if(all.over, [&](int one) { return !contains(used, one); });
    if (!same) out.lets.push_back(all);
    for (Write& write : out.writes) {
      write.value = rewrite(
          write.value,
          [&](const Expr& expr) -> Expr {
            if (expr.kind() != ExprKind::let) return expr;
            std::vector<Index> there;
            for (size_t k = 0; k < kernel.lets[0].over.size(); ++k) {
              if (contains(all.over, kernel.lets[0].over[k])) there.push_back(expr->at[k]);
            }
            const Expr count = same ? Expr::index(terms * all.body[0]->integer, Type::i32)
                                    : Expr::let(1, Type::i32, std::move(there));
            const Expr sum =
                count - Expr::let(0, Type::i32, expr->at) * Expr::constant(Type::i32, 2);
            Expr scaled = Expr::cast(Type::f32, sum);
            if (factor.magnitude != 1) scaled = scaled * factor.magnitude;
            if (known.scale)
              scaled =
                  scaled * substitute_axes(known.scale, axes_at(kernel, kernel.lets[0], expr->at));
            return scaled;
          },
          [](const Index& leaf) { return leaf; });
    }
    return out;
  }

  KernelGraph graph_;
  const int64_t least_signs_;
  SmallValues* numbers_ = nullptr;
  // By element and dimension: what was made last.
  std::map<std::pair<Expr, int>, std::optional<std::pair<ValueId, ValueId>>> packed_;
};

}  // namespace

KernelGraph with_sign_products(KernelGraph graph, int64_t least_signs) {
  return SignProducts(std::move(graph), least_signs).run();
}

}  // namespace burin
