// Unique: every slice looks for the first that is equal to it, n^2 comparisons, all of them
// independent. Those that find themselves are the distinct ones; how many of them are less, or come
// first, is the place of all that are equal.
#include <cmath>

#include "kernel/layout.h"
#include "kernel/procedures/procedure_forms.h"

namespace burin {
namespace {

// Slices of several elements are compared in scratch for all pairs.
constexpr int64_t kMostPairs = 1 << 18;

class Distinct : public FormBuilder {
 public:
  Distinct(const Procedure& procedure, std::vector<Value>& values, std::optional<size_t> line)
      : FormBuilder(procedure, values),
        x_(procedure.reads[0]),
        type_(value(x_).type),
        dims_(value(x_).shape),
        line_(line),
        slices_(procedure.arguments[2]),
        sorted_(procedure.arguments[4].is_constant(1)) {}

  Steps run() {
    firsts_ = add("firsts", Type::i64, {slices_});
    groups_ = add("groups", Type::i64, {slices_});
    total_ = add("total", Type::i64, {1});
    const Expr total = Expr::load(total_, Type::i64, {Index(0)});
    Steps out = {firsts(), groups(), count()};
    out.emplace_back(Bind{procedure_.results[0], total, procedure_.origins});
    out.emplace_back(slices());
    out.emplace_back(numbers());
    return out;
  }

 private:
  Index i() const { return Index::axis(0, slices_); }
  Index j() const { return Index::axis(1, slices_); }
  static Expr number(const Index& index) { return Expr::index(index); }
  Expr first_of(const Index& slice) const { return Expr::load(firsts_, Type::i64, {slice}); }
  Expr is_first(const Index& slice) const {
    return compare(Binary::eq, first_of(slice), number(slice));
  }
  static Expr as_count(const Expr& boolean) { return Expr::cast(Type::i64, boolean); }

  // The element of a slice at the point of the axes from number 2 on.
  Expr element(const Index& slice) const {
    if (!line_)
      return Expr::load(x_, type_,
                        dims_.empty() ? std::vector<Index>{} : delinearize(slice, dims_));
    std::vector<Index> at;
    int axis = 2;
    for (size_t d = 0; d < dims_.size(); ++d)
      at.push_back(d == *line_ ? slice : Index::axis(axis++, dims_[d]));
    return Expr::load(x_, type_, at);
  }

  // Axes i and j, and those of the elements of slices of several.
  Kernel pairs(const char* name) const {
    Kernel out = kernel(name);
    out.axes = {{slices_, AxisKind::parallel, "slice"}, {slices_, AxisKind::reduce, "other"}};
    for (size_t d = 0; line_ && d < dims_.size(); ++d) {
      if (d != *line_) out.axes.push_back({dims_[d], AxisKind::reduce, ""});
    }
    return out;
  }
  static std::vector<int> elements_of(const Kernel& kernel) {
    std::vector<int> out;
    for (size_t axis = 2; axis < kernel.axes.size(); ++axis) out.push_back(static_cast<int>(axis));
    return out;
  }

  // By the first elements that differ: 1 where slice i is greater than slice j, -1 where it is
  // less, 0 where there are none. A let of the kernel where slices have several elements.
  Expr order(Kernel& kernel) const {
    const auto number_of = [](const Expr& e) {
      return e.type() == Type::boolean ? Expr::cast(Type::i64, e) : e;
    };
    const Expr a = number_of(element(i())), b = number_of(element(j()));
    const auto constant = [](int64_t n) { return Expr::constant(Type::i64, n); };
    const Expr sign = Expr::select(exceeds(a, b), constant(1),
                                   Expr::select(exceeds(b, a), constant(-1), constant(0)));
    const std::vector<int> reduced = elements_of(kernel);
    if (reduced.empty()) return sign;
    const auto let = static_cast<int>(kernel.lets.size());
    kernel.lets.push_back({{0, 1},
                           reduced,
                           Combiner::first_max,
                           {as_count(compare(Binary::ne, sign, constant(0))), sign},
                           {Type::i64, Type::i64}});
    return Expr::let(let, Type::i64, {i(), j()}, 1);
  }

  Kernel firsts() const {
    Kernel out = pairs("firsts");
    const Expr equal = compare(Binary::eq, order(out), Expr::constant(Type::i64, 0));
    const Expr found = Expr::select(equal, number(j()), Expr::index(slices_));
    return reduced(std::move(out), Combiner::min, found, firsts_);
  }

  // Distinct slices before each: less ones, or those that come first.
  Kernel groups() const {
    Kernel out = sorted_ ? pairs("groups") : kernel("groups");
    if (!sorted_)
      out.axes = {{slices_, AxisKind::parallel, "slice"}, {slices_, AxisKind::reduce, "other"}};
    const Expr before = sorted_ ? compare(Binary::gt, order(out), Expr::constant(Type::i64, 0))
                                : compare(Binary::lt, number(j()), first_of(i()));
    return reduced(std::move(out), Combiner::sum, as_count(both(is_first(j()), before)), groups_);
  }

  static Kernel reduced(Kernel kernel, Combiner op, const Expr& body, ValueId to) {
    const Index i = Index::axis(0, kernel.axes[0].extent);
    const auto let = static_cast<int>(kernel.lets.size());
    kernel.lets.push_back({{0}, {1}, op, {body}, {Type::i64}});
    kernel.writes = {{{0}, to, {i}, Expr::let(let, Type::i64, {i}), {}, How::store}};
    return kernel;
  }

  Kernel count() const {
    Kernel out = kernel("count");
    out.axes = {{slices_, AxisKind::reduce, "slice"}};
    out.lets = {{{}, {0}, Combiner::sum, {as_count(is_first(i()))}, {Type::i64}}};
    out.writes = {{{}, total_, {Index(0)}, Expr::let(0, Type::i64, {}), {}, How::store}};
    return out;
  }

  Index group() const { return number_below(Expr::load(groups_, Type::i64, {i()}), slices_); }

  // Y.
  Kernel slices() const {
    Kernel out = kernel("slices");
    out.axes = {{slices_, AxisKind::parallel, "slice"}, {Dim(1), AxisKind::parallel, ""}};
    std::vector<Index> to;
    for (size_t d = 0; line_ && d < dims_.size(); ++d) {
      if (d == *line_) {
        to.push_back(group());
        continue;
      }
      const auto axis = static_cast<int>(out.axes.size());
      out.axes.push_back({dims_[d], AxisKind::parallel, ""});
      to.push_back(Index::axis(axis, dims_[d]));
    }
    if (!line_) to = {group()};
    std::vector<int> over;
    for (size_t axis = 0; axis < out.axes.size(); ++axis) over.push_back(static_cast<int>(axis));
    out.writes = {
        {over, procedure_.writes[0], to, element(i()), {where(is_first(i()))}, How::store}};
    return out;
  }

  // First places, numbers of slices, how often each occurs.
  Kernel numbers() const {
    Kernel out = kernel("numbers");
    out.axes = {{slices_, AxisKind::parallel, "slice"}, {slices_, AxisKind::reduce, "other"}};
    const Expr equal = compare(Binary::eq, first_of(j()), first_of(i()));
    out.lets = {{{0}, {1}, Combiner::sum, {as_count(equal)}, {Type::i64}}};
    const Guard first = {where(is_first(i()))};
    const std::vector<ValueId>& to = procedure_.writes;
    out.writes = {{{0}, to[1], {group()}, number(i()), first, How::store},
                  {{0}, to[2], {i()}, Expr::load(groups_, Type::i64, {i()}), {}, How::store},
                  {{0}, to[3], {group()}, Expr::let(0, Type::i64, {i()}), first, How::store}};
    return out;
  }

  ValueId x_;
  Type type_;
  std::vector<Dim> dims_;
  std::optional<size_t> line_;
  Dim slices_;
  bool sorted_;
  ValueId firsts_ = kNoValue, groups_ = kNoValue, total_ = kNoValue;
};

}  // namespace

std::optional<ProcedureKernels> distinct_kernels(const Procedure& procedure,
                                                 std::vector<Value>& values) {
  const Value& x = values[static_cast<size_t>(procedure.reads[0])];
  const Dim &outer = procedure.arguments[1], &extent = procedure.arguments[2];
  const Dim& inner = procedure.arguments[3];
  if (procedure.results.size() != 1 || procedure.writes.size() != 4 ||
      !(procedure.arguments[0] == extent) || !procedure.arguments[4].is_constant() ||
      size_bits(x.type) < 8)
    return std::nullopt;
  // Y has the rank of X, or is the list of its distinct elements.
  const size_t rank = values[static_cast<size_t>(procedure.writes[0])].shape.size();
  std::optional<size_t> line;
  if (rank == x.shape.size()) {
    line = line_of(x.shape, outer, inner);
    if (!line || !(x.shape[*line] == extent)) return std::nullopt;
  } else if (rank != 1 || !(product(x.shape) == extent)) {
    return std::nullopt;
  }
  const auto slices = static_cast<double>(at_hints(extent));
  const double elements =
      static_cast<double>(at_hints(outer)) * static_cast<double>(at_hints(inner));
  const Dim pairs = extent * extent;
  if (!(outer * inner).is_constant(1) && pairs.range().hi > kMostPairs) return std::nullopt;
  const double sorting = std::log2(std::max(2.0, slices));
  const bool doubles = x.type == Type::f64;
  return ProcedureKernels{Distinct(procedure, values, line).run(),
                          slices * slices * (2 * elements + 1), slices * sorting * elements,
                          doubles};
}

}  // namespace burin
