// NonZero: the elements are cut into blocks. One kernel counts each block, one adds up the counts
// before each, one has every element count those before it in its block, which says where its
// coordinates go. All work-items of each kernel run side by side; an element is looked at by half
// of its block on average. The order is that of the procedure.
#include "kernel/layout.h"
#include "kernel/procedures/procedure_forms.h"

namespace burin {
namespace {

constexpr int64_t kBlock = 128;  // elements

class Compaction : public FormBuilder {
 public:
  Compaction(const Procedure& procedure, std::vector<Value>& values)
      : FormBuilder(procedure, values),
        dims_(procedure.arguments.begin() + 2, procedure.arguments.end()),
        elements_(product(dims_)),
        blocks_(ceildiv(elements_, kBlock)) {}

  Steps run() {
    counts_ = add("counts", Type::i64, {blocks_});
    starts_ = add("starts", Type::i64, {blocks_ + 1});
    const Expr total = Expr::load(starts_, Type::i64, {blocks_});
    return {count(), start(), Bind{procedure_.results[0], total, procedure_.origins}, place()};
  }

 private:
  Index block() const { return Index::axis(0, blocks_); }

  Expr is_set(const Index& flat) const {
    const ValueId id = procedure_.reads[0];
    const Value& from = value(id);
    std::vector<Index> at;
    if (!from.shape.empty()) at = delinearize(flat, dims_);
    const Expr element = Expr::load(id, from.type, std::move(at));
    return element.type() == Type::boolean
               ? element
               : compare(Binary::ne, element, Expr::constant(element.type(), 0));
  }
  // 1 for an element that is not zero, 0 for others, beyond the end and where `when` does not hold.
  Expr one(const Index& flat, Guard when = {}) const {
    when.push_back({flat, 0, elements_});
    return Expr::cases({{std::move(when), Expr::cast(Type::i64, is_set(flat))}},
                       Expr::constant(Type::i64, 0));
  }

  Kernel count() const {
    Kernel out = kernel("count");
    out.axes = {{blocks_, AxisKind::parallel, "block"}, {kBlock, AxisKind::reduce, "within"}};
    const Index flat = block() * kBlock + Index::axis(1, kBlock);
    out.lets = {{{0}, {1}, Combiner::sum, {one(flat)}, {Type::i64}}};
    out.writes = {{{0}, counts_, {block()}, Expr::let(0, Type::i64, {block()}), {}, How::store}};
    return out;
  }

  Kernel start() const {
    Kernel out = kernel("start");
    const Dim ends = blocks_ + 1;
    out.axes = {{ends, AxisKind::parallel, "block"}, {blocks_, AxisKind::reduce, "before"}};
    const Index b = Index::axis(0, ends), before = Index::axis(1, blocks_);
    const Expr own = Expr::cases({{{{before, 0, b}}, Expr::load(counts_, Type::i64, {before})}},
                                 Expr::constant(Type::i64, 0));
    out.lets = {{{0}, {1}, Combiner::sum, {own}, {Type::i64}}};
    out.writes = {{{0}, starts_, {b}, Expr::let(0, Type::i64, {b}), {}, How::store}};
    return out;
  }

  Kernel place() const {
    Kernel out = kernel("place");
    out.axes = {{blocks_, AxisKind::parallel, "block"},
                {kBlock, AxisKind::parallel, "within"},
                {kBlock, AxisKind::reduce, "before"}};
    const Index i = Index::axis(1, kBlock), before = Index::axis(2, kBlock);
    const Index flat = block() * kBlock + i;
    out.lets = {{{0, 1},
                 {2},
                 Combiner::sum,
                 {one(block() * kBlock + before, {{before, 0, i}})},
                 {Type::i64}}};
    const Index at = number_below(
        Expr::load(starts_, Type::i64, {block()}) + Expr::let(0, Type::i64, {block(), i}),
        elements_);
    const Guard when = {{flat, 0, elements_}, where(is_set(flat))};
    const std::vector<Index> coordinates = delinearize(flat, dims_);
    for (size_t d = 0; d < dims_.size(); ++d) {
      out.writes.push_back({{0, 1},
                            procedure_.writes[0],
                            {static_cast<int64_t>(d), at},
                            Expr::index(coordinates[d]),
                            when,
                            How::store});
    }
    return out;
  }

  std::vector<Dim> dims_;
  Dim elements_, blocks_;
  ValueId counts_ = kNoValue, starts_ = kNoValue;
};

}  // namespace

std::optional<ProcedureKernels> compaction_kernels(const Procedure& procedure,
                                                   std::vector<Value>& values) {
  if (procedure.results.size() != 1) return std::nullopt;
  const std::vector<Dim> dims(procedure.arguments.begin() + 2, procedure.arguments.end());
  if (!(procedure.arguments[0] == product(dims))) return std::nullopt;
  return ProcedureKernels{Compaction(procedure, values).run(), 0, 0, false};
}

}  // namespace burin
