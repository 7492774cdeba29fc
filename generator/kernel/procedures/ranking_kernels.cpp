// TopK: an element's place is the number of elements that come before it, so each counts those of
// its line and, where that is less than k, writes itself there. A line of n takes n^2 comparisons,
// all of them independent.
//
// A long line of which few are wanted is cut into blocks of m first: the k best of each block are
// found so, and then the best of these, n m + (n k / m)^2 comparisons.
#include <algorithm>
#include <cmath>

#include "kernel/layout.h"
#include "kernel/procedures/procedure_forms.h"

namespace burin {
namespace {

constexpr int64_t kLeastBlock = 64, kMostBlock = 1 << 16;

class Ranking : public FormBuilder {
 public:
  Ranking(const Procedure& procedure, std::vector<Value>& values, size_t line, int64_t block)
      : FormBuilder(procedure, values),
        type_(value(procedure.reads[0]).type),
        dims_(value(procedure.reads[0]).shape),
        line_(line),
        extent_(procedure.arguments[1]),
        k_(procedure.arguments[3]),
        blocks_(block == 0 ? Dim(1) : ceildiv(extent_, block)),
        block_(block == 0 ? extent_ : Dim(block)),
        largest_(!procedure.arguments[4].is_constant(0)) {}

  Steps one_kernel() const {
    const ValueId x = procedure_.reads[0];
    return {rank(procedure_.name, extent_, {}, [&](const std::vector<Index>& at) {
      return Candidate{Expr::load(x, type_, at), Expr::index(at[line_]), {}};
    })};
  }

  Steps in_blocks() {
    std::vector<Dim> shape = dims_;
    shape[line_] = k_;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(line_), blocks_);
    const ValueId best = add("best", type_, shape), places = add("best_places", Type::i64, shape);
    const ValueId x = procedure_.reads[0];
    const Kernel first = rank(
        procedure_.name + "_of_blocks", block_, {{best, places}},
        [&](const std::vector<Index>& at) {
          std::vector<Index> from = at;
          from.erase(from.begin() + static_cast<std::ptrdiff_t>(line_));
          const Index flat = at[line_] * block_ + at[line_ + 1];
          from[line_] = flat;
          return Candidate{Expr::load(x, type_, from), Expr::index(flat), {{flat, 0, extent_}}};
        });
    // The candidates of a line, block by block: equal ones stay in order.
    const Dim count = blocks_ * k_;
    const Kernel last = rank(procedure_.name, count, {}, [&](const std::vector<Index>& at) {
      const Index of_block = floordiv(at[line_], k_), own = mod(at[line_], k_);
      std::vector<Index> from = at;
      from[line_] = own;
      from.insert(from.begin() + static_cast<std::ptrdiff_t>(line_), of_block);
      return Candidate{Expr::load(best, type_, from),
                       Expr::load(places, Type::i64, from),
                       {{of_block * block_ + own, 0, extent_}}};
    });
    return {first, last};
  }

 private:
  struct Candidate {
    Expr value, place;
    Guard exists;
  };
  struct Results {
    ValueId values = kNoValue, places = kNoValue;
  };

  // The best k of `count` candidates of each line, or of each block of it where `to` is there.
  template <class Get>
  Kernel rank(const std::string& name, const Dim& count, std::optional<Results> to,
              const Get& get) const {
    Kernel out;
    out.name = name;
    out.origins = procedure_.origins;
    std::vector<Dim> extents = dims_;
    extents[line_] = count;
    if (to) extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(line_), blocks_);
    const size_t along = line_ + (to ? 1 : 0);
    std::vector<int> over;
    std::vector<Index> at;
    for (const Dim& extent : extents) {
      over.push_back(static_cast<int>(over.size()));
      out.axes.push_back({extent, AxisKind::parallel, ""});
      at.push_back(Index::axis(over.back(), extent));
    }
    const auto other = static_cast<int>(over.size());
    out.axes.push_back({count, AxisKind::reduce, "other"});
    std::vector<Index> beside = at;
    beside[along] = Index::axis(other, count);
    const Candidate own = get(at), one = get(beside);
    const Expr before = largest_ ? exceeds(one.value, own.value) : exceeds(own.value, one.value);
    const Expr behind = largest_ ? exceeds(own.value, one.value) : exceeds(one.value, own.value);
    const Expr first = compare(Binary::lt, Expr::index(beside[along]), Expr::index(at[along]));
    const Expr equal = both(Expr::unary(Unary::logical_not, behind), first);
    Expr counts = Expr::cast(Type::i64, Expr::binary(Binary::logical_or, before, equal));
    if (!one.exists.empty()) {
      Guard exist = one.exists;
      exist.insert(exist.end(), own.exists.begin(), own.exists.end());
      counts = Expr::cases({{std::move(exist), counts}}, Expr::constant(Type::i64, 0));
    }
    out.lets = {{over, {other}, Combiner::sum, {counts}, {Type::i64}}};
    const Index place = number_below(Expr::let(0, Type::i64, at), count);
    std::vector<Index> target = at;
    target[along] = place;
    Guard when = own.exists;
    when.push_back({place, 0, k_});
    const Results results = to ? *to : Results{procedure_.writes[0], procedure_.writes[1]};
    out.writes = {{over, results.values, target, own.value, when, How::store},
                  {over, results.places, target, own.place, when, How::store}};
    return out;
  }

  Type type_;
  std::vector<Dim> dims_;
  size_t line_;
  Dim extent_, k_, blocks_, block_;
  bool largest_;
};

// Of a block, for the fewest comparisons; 0: of all at once.
int64_t best_block(double points, double k, double& comparisons) {
  int64_t best = 0;
  for (int64_t block = kLeastBlock; block <= kMostBlock; block *= 2) {
    const auto size = static_cast<double>(block);
    if (size < 2 * k || size > points / 2) continue;
    const double candidates = std::ceil(points / size) * std::max(1.0, k);
    const double all = points * size + candidates * candidates;
    if (all >= comparisons / 2) continue;
    comparisons = all;
    best = block;
  }
  return best;
}

}  // namespace

std::optional<ProcedureKernels> ranking_kernels(const Procedure& procedure,
                                                std::vector<Value>& values) {
  const Value& x = values[static_cast<size_t>(procedure.reads[0])];
  const Dim &outer = procedure.arguments[0], &extent = procedure.arguments[1];
  const Dim &inner = procedure.arguments[2], &k = procedure.arguments[3];
  const std::optional<size_t> line = line_of(x.shape, outer, inner);
  if (!line || !(x.shape[*line] == extent) || !procedure.arguments[4].is_constant())
    return std::nullopt;
  const bool doubles = x.type == Type::f64;
  const auto lines = static_cast<double>(at_hints(outer)) * static_cast<double>(at_hints(inner));
  const auto points = static_cast<double>(at_hints(extent));
  double comparisons = points * points;
  // A block has all of its k best.
  const int64_t most = k.range().hi;
  const bool positive = k.range().lo > 0;
  const int64_t block = positive && most <= kMostBlock
                            ? best_block(points, static_cast<double>(most), comparisons)
                            : 0;
  const double heap = std::log2(std::max(2.0, static_cast<double>(at_hints(k))));
  Ranking ranking(procedure, values, *line, block);
  return ProcedureKernels{block > 0 ? ranking.in_blocks() : ranking.one_kernel(),
                          lines * comparisons, lines * points * heap, doubles};
}

}  // namespace burin
