// NonZero: the elements are cut into blocks. One kernel counts each block, one adds the counts up,
// one walks through every block and writes the coordinates of what it finds behind those of the
// blocks before. Elements are looked at twice; the order is that of the procedure.
#include "kernel/layout.h"
#include "kernel/procedure_forms.h"

namespace burin {
namespace {

constexpr int64_t kBlock = 256;  // elements

class Compaction {
 public:
  Compaction(const Procedure& procedure, std::vector<Value>& values)
      : procedure_(procedure),
        values_(values),
        dims_(procedure.arguments.begin() + 2, procedure.arguments.end()),
        elements_(product(dims_)),
        blocks_(ceildiv(elements_, kBlock)) {}

  Steps run() {
    counts_ = add("counts", {blocks_});
    starts_ = add("starts", {blocks_ + 1});
    const Expr total = Expr::load(starts_, Type::i64, {blocks_});
    return {count(), start(), Bind{procedure_.results[0], total, procedure_.origins}, place()};
  }

 private:
  ValueId add(const char* name, std::vector<Dim> shape) {
    Value value;
    value.name = procedure_.name + "_" + name;
    value.type = Type::i64;
    value.shape = std::move(shape);
    values_.push_back(std::move(value));
    return static_cast<ValueId>(values_.size()) - 1;
  }

  Kernel kernel(const char* what) const {
    Kernel out;
    out.name = procedure_.name + "_" + what;
    out.origins = procedure_.origins;
    return out;
  }

  Index block() const { return Index::axis(0, blocks_); }

  // 1 for an element that is not zero, 0 for others and beyond the end.
  Expr one(const Index& flat) const {
    const ValueId id = procedure_.reads[0];
    const Value& from = values_[static_cast<size_t>(id)];
    std::vector<Index> at;
    if (!from.shape.empty()) at = delinearize(flat, dims_);
    Expr element = Expr::load(id, from.type, std::move(at));
    if (element.type() != Type::boolean)
      element = compare(Binary::ne, element, Expr::constant(element.type(), 0));
    return Expr::cases({{{{flat, 0, elements_}}, Expr::cast(Type::i64, element)}},
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
    out.axes = {{ends, AxisKind::sequential, "block"}};
    const Index b = Index::axis(0, ends);
    const Expr before = Expr::let(0, Type::i64, {b - 1}) + Expr::load(counts_, Type::i64, {b - 1});
    out.lets = {{{0},
                 {},
                 Combiner::none,
                 {Expr::cases({{{{b, 1, ends}}, before}}, Expr::constant(Type::i64, 0))},
                 {Type::i64}}};
    out.writes = {{{0}, starts_, {b}, Expr::let(0, Type::i64, {b}), {}, How::store}};
    return out;
  }

  Kernel place() const {
    Kernel out = kernel("place");
    out.axes = {{blocks_, AxisKind::parallel, "block"}, {kBlock, AxisKind::sequential, "within"}};
    const Index i = Index::axis(1, kBlock), flat = block() * kBlock + i;
    const Expr found = one(flat), before = Expr::let(0, Type::i64, {block(), i - 1});
    const Expr begin = Expr::load(starts_, Type::i64, {block()});
    out.lets = {{{0, 1},
                 {},
                 Combiner::none,
                 {Expr::cases({{{{i, 1, kBlock}}, before}}, begin) + found},
                 {Type::i64}}};
    const Expr last = Expr::let(0, Type::i64, {block(), i}) - Expr::constant(Type::i64, 1);
    const int64_t most = elements_.range().hi;
    const Index at = Index::data(last.ptr(), {0, most == kUnbounded ? most : most - 1});
    const Guard when = {{flat, 0, elements_}, {Index::data(found.ptr(), {0, 1}), 1, 2}};
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

  const Procedure& procedure_;
  std::vector<Value>& values_;
  std::vector<Dim> dims_;
  Dim elements_, blocks_;
  ValueId counts_ = kNoValue, starts_ = kNoValue;
};

}  // namespace

std::optional<ProcedureKernels> compaction_kernels(const Procedure& procedure,
                                                   std::vector<Value>& values) {
  if (procedure.results.size() != 1) return std::nullopt;
  const ValueKind kind = values[static_cast<size_t>(procedure.writes[0])].kind;
  const std::vector<Dim> dims(procedure.arguments.begin() + 2, procedure.arguments.end());
  if (kind != ValueKind::internal || !(procedure.arguments[0] == product(dims)))
    return std::nullopt;
  return ProcedureKernels{Compaction(procedure, values).run(), 0, 0, false};
}

}  // namespace burin
