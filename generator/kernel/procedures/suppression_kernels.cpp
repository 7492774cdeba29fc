// NonMaxSuppression. Boxes are put into the order of their scores, each counting those before it.
// Then each class of each batch goes through its boxes in that order, with a list of those it has
// kept: a state of one step back. What was kept goes behind what was kept by the classes before.
#include <cmath>
#include <cstring>

#include "kernel/procedures/procedure_forms.h"

namespace burin {
namespace {

class Suppression : public FormBuilder {
 public:
  Suppression(const Procedure& procedure, std::vector<Value>& values)
      : FormBuilder(procedure, values),
        batches_(procedure.arguments[1]),
        classes_(procedure.arguments[2]),
        count_(procedure.arguments[3]),
        most_(procedure.arguments[4]),
        limited_(!procedure.arguments[5].is_constant(0)),
        centred_(!procedure.arguments[6].is_constant(0)) {}

  Steps run() {
    order_ = add("order", Type::i64, {batches_, classes_, count_});
    candidates_ = add("candidates", Type::i64, {batches_, classes_});
    kept_ = add("kept", Type::i64, {batches_, classes_, count_});
    totals_ = add("totals", Type::i64, {batches_, classes_});
    total_ = add("total", Type::i64, {1});
    Steps out = {order(), candidates(), keep(), totals(), total()};
    const Expr all = Expr::load(total_, Type::i64, {Index(0)});
    out.emplace_back(Bind{procedure_.results[0], all, procedure_.origins});
    out.emplace_back(select());
    return out;
  }

 private:
  Index batch() const { return Index::axis(0, batches_); }
  Index group() const { return Index::axis(1, classes_); }
  Index box(int axis) const { return Index::axis(axis, count_); }
  static Expr constant(int64_t n) { return Expr::constant(Type::i64, n); }
  Expr threshold(int64_t number) const {
    return Expr::load(procedure_.reads[2], Type::f32, {Index(number)});
  }
  Expr score(const Index& of) const {
    return Expr::load(procedure_.reads[1], Type::f32, {batch(), group(), of});
  }
  Expr is_wanted(const Index& of) const {
    return limited_ ? compare(Binary::gt, score(of), threshold(1))
                    : compare(Binary::eq, score(of), score(of));
  }
  Kernel per_class(const char* name) const {
    Kernel out = kernel(name);
    out.axes = {{batches_, AxisKind::parallel, "batch"}, {classes_, AxisKind::parallel, "class"}};
    return out;
  }

  Kernel order() const {
    Kernel out = per_class("order");
    out.axes.push_back({count_, AxisKind::parallel, "box"});
    out.axes.push_back({count_, AxisKind::reduce, "other"});
    const Index own = box(2), other = box(3);
    const Expr equal = both(compare(Binary::eq, score(other), score(own)),
                            compare(Binary::lt, Expr::index(other), Expr::index(own)));
    const Expr before =
        Expr::binary(Binary::logical_or, compare(Binary::gt, score(other), score(own)), equal);
    out.lets = {{{0, 1, 2},
                 {3},
                 Combiner::sum,
                 {Expr::cast(Type::i64, both(is_wanted(other), before))},
                 {Type::i64}}};
    const Index place = number_below(Expr::let(0, Type::i64, {batch(), group(), own}), count_);
    out.writes = {{{0, 1, 2},
                   order_,
                   {batch(), group(), place},
                   Expr::index(own),
                   {where(is_wanted(own))},
                   How::store}};
    return out;
  }

  Kernel candidates() const {
    Kernel out = per_class("candidates");
    out.axes.push_back({count_, AxisKind::reduce, "box"});
    return summed(std::move(out), Expr::cast(Type::i64, is_wanted(box(2))), candidates_);
  }

  Kernel summed(Kernel kernel, const Expr& body, ValueId to) const {
    kernel.lets = {{{0, 1}, {2}, Combiner::sum, {body}, {Type::i64}}};
    kernel.writes = {{{0, 1},
                      to,
                      {batch(), group()},
                      Expr::let(0, Type::i64, {batch(), group()}),
                      {},
                      How::store}};
    return kernel;
  }

  // The edges of a box as low and high ends, in the arithmetic of the procedure.
  struct Edges {
    Expr x_low, y_low, x_high, y_high;
  };
  Edges edges(const Index& of) const {
    const auto at = [&](int64_t c) {
      return Expr::load(procedure_.reads[0], Type::f32, {batch(), of, Index(c)});
    };
    if (centred_) {
      const Expr half_width = at(2) * 0.5, half_height = at(3) * 0.5;
      return {at(0) - half_width, at(1) - half_height, at(0) + half_width, at(1) + half_height};
    }
    const auto lesser = [&](int64_t a, int64_t b) {
      return Expr::select(compare(Binary::lt, at(a), at(b)), at(a), at(b));
    };
    const auto greater = [&](int64_t a, int64_t b) {
      return Expr::select(compare(Binary::lt, at(a), at(b)), at(b), at(a));
    };
    return {lesser(1, 3), lesser(0, 2), greater(1, 3), greater(0, 2)};
  }

  Expr overlaps(const Edges& a, const Edges& b) const {
    const auto larger = [](const Expr& p, const Expr& q) {
      return Expr::select(compare(Binary::gt, p, q), p, q);
    };
    const auto smaller = [](const Expr& p, const Expr& q) {
      return Expr::select(compare(Binary::lt, p, q), p, q);
    };
    const auto area = [](const Edges& one) {
      return (one.x_high - one.x_low) * (one.y_high - one.y_low);
    };
    const Expr x_low = larger(a.x_low, b.x_low), y_low = larger(a.y_low, b.y_low);
    const Expr x_high = smaller(a.x_high, b.x_high), y_high = smaller(a.y_high, b.y_high);
    const Expr common = (x_high - x_low) * (y_high - y_low);
    const Expr either = area(a) + area(b) - common;
    const Expr zero = Expr::constant(Type::f32, 0.0);
    const auto positive = [&](const Expr& e) { return compare(Binary::gt, e, zero); };
    const Expr meet = both(compare(Binary::lt, x_low, x_high), compare(Binary::lt, y_low, y_high));
    const Expr sized = both(both(positive(area(a)), positive(area(b))), positive(either));
    return both(both(meet, sized), compare(Binary::gt, common / either, threshold(0)));
  }

  // For every place of the order: which of the kept boxes it is, or -1.
  Kernel keep() const {
    Kernel out = per_class("keep");
    out.axes.push_back({count_, AxisKind::sequential, "place"});
    out.axes.push_back({most_, AxisKind::reduce, "kept"});
    out.axes.push_back({most_, AxisKind::parallel, "slot"});
    const Index place = box(2), other = Index::axis(3, most_), slot = Index::axis(4, most_);
    const std::vector<Index> now = {batch(), group(), place};
    const std::vector<Index> before = {batch(), group(), place - 1};
    const Guard later = {{place, 1, count_}};
    const auto previous = [&](int let, std::vector<Index> at) {
      return Expr::cases({{later, Expr::let(let, Type::i64, std::move(at))}}, constant(0));
    };
    enum { kHits, kKeeps, kTotal, kSlots };
    const Expr own = Expr::load(order_, Type::i64, now);
    const Expr until = previous(kTotal, before);
    const Expr all = Expr::load(candidates_, Type::i64, {batch(), group()});
    const Expr open = both(compare(Binary::lt, Expr::index(place), all),
                           compare(Binary::lt, until, Expr::index(most_)));
    const Expr listed = Expr::let(kSlots, Type::i64, {batch(), group(), place - 1, other});
    const Expr hit =
        overlaps(edges(number_below(own, count_)), edges(number_below(listed, count_)));
    const Expr counts = Expr::cast(Type::i64, compare(Binary::lt, Expr::index(other), until));
    const Expr hits =
        Expr::cases({{{{place, 1, count_}, where(open), {Index::data(counts.ptr(), {0, 1}), 1, 2}},
                      Expr::cast(Type::i64, hit)}},
                    constant(0));
    const Expr keeps = Expr::cast(
        Type::i64, both(open, compare(Binary::eq, Expr::let(kHits, Type::i64, now), constant(0))));
    const Expr kept = Expr::let(kKeeps, Type::i64, now);
    const Expr is_own =
        both(compare(Binary::eq, kept, constant(1)), compare(Binary::eq, Expr::index(slot), until));
    const Expr slots = Expr::cases({{{where(is_own)}, own}},
                                   previous(kSlots, {batch(), group(), place - 1, slot}));
    out.lets = {{{0, 1, 2}, {3}, Combiner::max, {hits}, {Type::i64}},
                {{0, 1, 2}, {}, Combiner::none, {keeps}, {Type::i64}},
                {{0, 1, 2}, {}, Combiner::none, {until + kept}, {Type::i64}},
                {{0, 1, 2, 4}, {}, Combiner::none, {slots}, {Type::i64}}};
    const Expr which = Expr::select(compare(Binary::eq, kept, constant(1)), until, constant(-1));
    out.writes = {{{0, 1, 2}, kept_, now, which, {}, How::store}};
    return out;
  }

  Expr kept_at(const Index& place) const {
    return Expr::load(kept_, Type::i64, {batch(), group(), place});
  }

  Kernel totals() const {
    Kernel out = per_class("totals");
    out.axes.push_back({count_, AxisKind::reduce, "place"});
    const Expr is_kept = compare(Binary::ge, kept_at(box(2)), constant(0));
    return summed(std::move(out), Expr::cast(Type::i64, is_kept), totals_);
  }

  // Of the classes of all batches, in order.
  Expr total_of(const Index& flat) const {
    return Expr::load(totals_, Type::i64, {floordiv(flat, classes_), mod(flat, classes_)});
  }

  Kernel total() const {
    Kernel out = kernel("total");
    const Dim all = batches_ * classes_;
    out.axes = {{all, AxisKind::reduce, "class"}};
    out.lets = {{{}, {0}, Combiner::sum, {total_of(Index::axis(0, all))}, {Type::i64}}};
    out.writes = {{{}, total_, {Index(0)}, Expr::let(0, Type::i64, {}), {}, How::store}};
    return out;
  }

  Kernel select() const {
    Kernel out = per_class("select");
    const Dim all = batches_ * classes_;
    out.axes.push_back({count_, AxisKind::parallel, "place"});
    out.axes.push_back({all, AxisKind::reduce, "class before"});
    const Index own = batch() * classes_ + group(), other = Index::axis(3, all), place = box(2);
    out.lets = {{{0, 1},
                 {3},
                 Combiner::sum,
                 {Expr::cases({{{{other, 0, own}}, total_of(other)}}, constant(0))},
                 {Type::i64}}};
    const Index row =
        number_below(Expr::let(0, Type::i64, {batch(), group()}) + kept_at(place), all * most_);
    const Guard when = {where(compare(Binary::ge, kept_at(place), constant(0)))};
    const Expr columns[] = {Expr::index(batch()), Expr::index(group()),
                            Expr::load(order_, Type::i64, {batch(), group(), place})};
    for (int64_t c = 0; c < 3; ++c)
      out.writes.push_back(
          {{0, 1, 2}, procedure_.writes[0], {row, Index(c)}, columns[c], when, How::store});
    return out;
  }

  Dim batches_, classes_, count_, most_;
  bool limited_, centred_;
  ValueId order_ = kNoValue, candidates_ = kNoValue, kept_ = kNoValue, totals_ = kNoValue,
          total_ = kNoValue;
};

// A threshold that the procedure would refuse is for the host to find.
bool is_sane(const Value& thresholds) {
  if (thresholds.kind != ValueKind::constant) return false;
  float overlap = 0;
  if (thresholds.constant.bytes < sizeof overlap) return false;
  std::memcpy(&overlap, thresholds.constant.data, sizeof overlap);
  return overlap >= 0 && overlap <= 1;
}

}  // namespace

std::optional<ProcedureKernels> suppression_kernels(const Procedure& procedure,
                                                    std::vector<Value>& values) {
  const auto& arguments = procedure.arguments;
  if (procedure.results.size() != 1 || procedure.element != Type::f32 ||
      !(arguments[0] == arguments[1] * arguments[2] * arguments[4]) ||
      !arguments[5].is_constant() || !arguments[6].is_constant() ||
      !is_sane(values[static_cast<size_t>(procedure.reads[2])]))
    return std::nullopt;
  const auto classes =
      static_cast<double>(at_hints(arguments[1])) * static_cast<double>(at_hints(arguments[2]));
  const auto count = static_cast<double>(at_hints(arguments[3]));
  const auto most = static_cast<double>(at_hints(arguments[4]));
  const double sorted = count * std::log2(std::max(2.0, count));
  return ProcedureKernels{Suppression(procedure, values).run(), classes * count * (count + most),
                          classes * (sorted + count * most), false};
}

}  // namespace burin
