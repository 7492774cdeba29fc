#include "select/bytes/exponent_rows.h"

#include "hardware/capabilities.h"
#include "isa/all_rows.h"
#include "isa/byte_rows.h"
#include "isa/fold_rows.h"
#include "isa/lane_rows.h"
#include "isa/requantise_rows.h"
#include "isa/sum_rows.h"
#include "loops/idle.h"
#include "loops/program_text.h"
#include "loops/transforms/move.h"
#include "loops/verify/verify_program.h"
#include "select/bytes/exponent_row.h"
#include "select/bytes/row_stmts.h"
#include "select/bytes/values_over.h"
#include "support/check.h"

namespace burin {
namespace {

Expr whole_number(int64_t number) { return Expr::constant(Type::i32, number); }

// Where the sum of exponents is something else.
Expr with_sum(const Expr& expr, const Expr& sum) {
  return rewrite(
      expr,
      [&](const Expr& one) { return one.kind() == ExprKind::let && one->id == 1 ? sum : one; },
      [](const Index& index) { return index; });
}

// The kernel as the program computes it: further lets are the greatest byte and the sums of planes;
// the byte is that of the entry's line, where that is not in doubt.
Kernel as_computed(Kernel kernel, const ExponentRow& row) {
  const Type type = row.load.type();
  std::vector<Index> point;
  for (const int axis : kernel.lets[0].over)
    point.push_back(Index::axis(axis, kernel.axes[at(axis)].extent));
  const auto add_let = [&](Combiner op, const Expr& body) {
    Let let = kernel.lets[0];
    let.op = op;
    let.body = {body};
    let.accumulator = {Type::i32};
    kernel.lets.push_back(let);
    return Expr::let(static_cast<int>(kernel.lets.size()) - 1, Type::i32, point);
  };
  const Expr greatest = add_let(Combiner::max, Expr::cast(Type::i32, row.load));
  const auto byte = [&](const Expr& of) {
    return Index::data(Expr::cast(Type::i64, of).ptr(), {lowest(type), highest(type)});
  };
  // Of bytes above the greatest there are none.
  const Index entry = min(max(byte(row.load) - byte(greatest) + (kEntries - 1), 0), kEntries - 1);
  std::vector<Expr> totals;
  for (const ValueId plane : row.planes)
    totals.push_back(
        add_let(Combiner::sum, Expr::cast(Type::i32, Expr::load(plane, Type::u8, {entry}))));
  const Expr sum = sum_of_planes([&](int plane) { return totals[at(plane)]; });
  Write& write = kernel.writes[0];
  const Expr most = with_sum(row.line.most_of_value, sum);
  const ShareLine line = share_line(row, kernel.axes[at(row.axis)].extent.constant(),
                                    with_sum(row.line.factor, sum), row.line.offset, most);
  const isa::LineParts part = [&](isa::LinePart which) {
    const Expr* const all[] = {&line.shift, &line.factor, &line.offset,
                               &line.near,  &line.least,  &line.greatest};
    return *all[which];
  };
  const Index within = mod(entry, isa::kBytesAtOnce);
  const Expr word = Expr::load(row.words, Type::i32,
                               {floordiv(entry, isa::kBytesAtOnce), mod(within, isa::kByteVectors),
                                floordiv(within, isa::kByteVectors)});
  const Expr position = isa::line_position(word, part);
  const Expr holds = compare(Binary::lt, most, Expr::constant(Type::f32, kMostShare));
  const Expr doubt = Expr::binary(Binary::logical_or, Expr::unary(Unary::logical_not, holds),
                                  isa::line_is_near(position, part(isa::kLineNear)));
  write.value =
      Expr::select(doubt, write.value, isa::line_byte(position, part, write.value.type()));
  return kernel;
}

class ExponentProgram : RowStmts {
 public:
  // `exact`: the write by floats.
  ExponentProgram(const Kernel& kernel, const Write& exact, const ExponentRow& row,
                  const std::vector<Value>& values)
      : RowStmts(kernel, row.axis, values),
        exact_(exact),
        row_(row),
        type_(row.load.type()),
        to_(exact.value.type()) {}

  loops::Program run(const isa::Rows& moves) {
    Stmts body = whole_row();
    program_.body = loops::without_idle_lets(over_rows(std::move(body)));
    return loops::move_by_rows(program_, moves);
  }

 private:
  using Region = loops::Region;

  static Region run_of(loops::BufferId of, const Index& first, const Dim& count) {
    return {of, {first}, {count}};
  }
  static Stmt call(const std::string& row, std::vector<Region> operands,
                   std::vector<Dim> sizes = {}) {
    return Stmt{loops::Call{isa::find_row(row), std::move(operands), std::move(sizes)}};
  }
  loops::BufferId allocated(Stmts& out, const char* name, Type type, std::vector<Dim> shape,
                            loops::Scope scope = loops::Scope::stack) {
    const loops::BufferId made = buffer(name, type, std::move(shape));
    program_.buffers[at(made)].scope = scope;
    out.push_back({loops::Alloc{made}});
    return made;
  }

  Stmts whole_row() {
    Stmts out;
    bytes_ = buffer("row_of", type_, {whole()});
    loops::append(out, staged(bytes_, row_.load));
    const loops::BufferId best = greatest_byte(out);
    out.push_back({loops::Alloc{lets_[0]}});
    out.push_back(store(lets_[0], {Index(0)},
                        replaced(buffers_.expr(row_.of_byte), buffers_.expr(row_.load),
                                 program_.element(best, {Index(0)}))));
    base_ = variable("base", kEntries);
    const Expr wide = Expr::cast(Type::i64, program_.element(best, {Index(0)}));
    out.push_back({loops::Let{
        base_, highest(type_) - Index::data(wide.ptr(), {lowest(type_), highest(type_)})}});
    loops::append(out, near_sum());
    loops::append(out, shares());
    return out;
  }

  loops::BufferId greatest_byte(Stmts& out) {
    const loops::BufferId best = allocated(out, "best", type_, {1});
    out.push_back(call(isa::fold_run_name(true, type_),
                       {run_of(best, 0, 1), run_of(bytes_, 0, length())}, {length()}));
    return best;
  }

  // A table by the bits of x, of a window that has entry number 255 - (m - x) at base + x, x
  // counted from the least byte.
  Region table_of(Stmts& out, loops::BufferId window, Type type) {
    if (type_ == Type::u8) return run_of(window, program_.var(base_), kEntries);
    const loops::BufferId table = allocated(out, "table", type, {kEntries});
    const int half = variable("half", kEntries / 2);
    const Index place = program_.var(half), from = program_.var(base_) + place;
    out.push_back(loop(half, 0, kEntries / 2,
                       {store(table, {place}, program_.element(window, {from + kEntries / 2}))}));
    out.push_back(loop(half, 0, kEntries / 2,
                       {store(table, {place + kEntries / 2}, program_.element(window, {from}))}));
    return run_of(table, 0, kEntries);
  }

  // What a table of bytes has for those of the row, summed.
  loops::BufferId sum_looked_up(Stmts& out, const Region& table) {
    out.push_back(call(isa::look_up_name(type_, Type::u8),
                       {run_of(looked_, 0, length()), run_of(bytes_, 0, length()), table},
                       {length()}));
    const loops::BufferId total = allocated(out, "total", Type::i32, {1});
    out.push_back(store(total, {Index(0)}, whole_number(0)));
    out.push_back(call(isa::sum_name(Type::u8), {run_of(total, 0, 1), run_of(looked_, 0, length())},
                       {length()}));
    return total;
  }

  Stmts near_sum() {
    Stmts out;
    looked_ = allocated(out, "looked_up_bytes", Type::u8, {whole()});
    std::vector<loops::BufferId> totals;
    for (int p = 0; p < kPlanes; ++p) {
      const loops::BufferId total =
          sum_looked_up(out, table_of(out, buffers_.buffer_of(row_.planes[p]), Type::u8));
      totals.push_back(total);
    }
    near_sum_ = allocated(out, "near_sum", Type::f32, {1});
    out.push_back(store(near_sum_, {Index(0)}, sum_of_planes([&](int plane) {
                          return program_.element(totals[at(plane)], {Index(0)});
                        })));
    return out;
  }

  Stmts shares() {
    Stmts out;
    // The line with the near sum.
    buffers_.set_lets([this](int let, int, const std::vector<Index>&) {
      return program_.element(let == 1 ? near_sum_ : lets_[at(let)], {Index(0)});
    });
    const loops::BufferId share = allocated(out, "share", Type::f32, {2});
    out.push_back(store(share, {Index(0)}, buffers_.expr(row_.line.factor)));
    out.push_back(store(share, {Index(1)}, buffers_.expr(row_.line.most_of_value)));
    const Expr offset = buffers_.expr(row_.line.offset);
    buffers_.set_lets([this](int let, int, const std::vector<Index>&) {
      return program_.element(lets_[at(let)], {Index(0)});
    });
    const Expr factor = program_.element(share, {Index(0)}),
               most = program_.element(share, {Index(1)});
    Stmts exact = let(1, false);
    loops::append(exact, one_by_one(exact_));
    const Expr holds = compare(Binary::lt, most, Expr::constant(Type::f32, kMostShare));
    // What is rare comes first: costs take a condition of data not to hold.
    out.push_back({loops::If{is_true(Expr::unary(Unary::logical_not, holds)), std::move(exact),
                             by_table(factor, offset, most)}});
    return out;
  }

  Stmts by_table(const Expr& factor, const Expr& offset, const Expr& most) {
    Stmts out;
    const loops::BufferId line = allocated(out, "line", Type::i32, {isa::kLineParts});
    const ShareLine of = share_line(row_, length().constant(), factor, offset, most);
    const Expr parts[] = {of.shift, of.factor, of.offset, of.near, of.least, of.greatest};
    for (int k = 0; k < isa::kLineParts; ++k)
      out.push_back(store(line, {Index(k)}, parts[static_cast<size_t>(k)]));
    const loops::BufferId window = allocated(out, "window", to_, {kWindow});
    out.push_back(store(window, {Index(kEntries)}, Expr::constant(to_, 0)));
    out.push_back(call(isa::fill_name(to_),
                       {run_of(window, kEntries + 1, kEntries - 1), run_of(window, kEntries, 1)},
                       {Dim(kEntries - 1)}));
    const loops::BufferId marks = allocated(out, "marks", Type::u8, {kWindow});
    const loops::BufferId any = allocated(out, "any", Type::i32, {2});
    for (int block = 0; block * isa::kBytesAtOnce < kEntries; ++block)
      loops::append(out, entries(block, line, window, marks, any));
    loops::append(out, looked_up(window));
    const Expr doubt = Expr::binary(Binary::bit_or, program_.element(any, {Index(0)}),
                                    program_.element(any, {Index(1)}));
    out.push_back({loops::If{is_true(compare(Binary::ne, doubt, whole_number(0))),
                             if_marked(marks, line, most, window),
                             {}}});
    return out;
  }

  // The row by its entries' bytes.
  Stmts looked_up(loops::BufferId window) {
    Stmts out;
    const Region table = table_of(out, window, to_);
    const Write& write = kernel_.writes[0];
    Region row{buffers_.buffer_of(write.to), {}, {}};
    for (const Index& index : buffers_.indices(write.at))
      row.first.push_back(loops::with_var(index, axis_, 0));
    row.extent.assign(row.first.size(), Dim(1));
    row.extent.back() = length();
    out.push_back(
        call(isa::look_up_name(type_, to_), {row, run_of(bytes_, 0, length()), table}, {length()}));
    return out;
  }

  // The bytes of 128 entries, and which of them are in doubt.
  Stmts entries(int block, loops::BufferId line, loops::BufferId window, loops::BufferId marks,
                loops::BufferId any) {
    Stmts out;
    const loops::BufferId words = allocated(
        out, "words", Type::i32, {isa::kByteVectors, isa::kByteLanes}, loops::Scope::registers);
    std::vector<Region> vectors;
    for (int q = 0; q < isa::kByteVectors; ++q)
      vectors.push_back({words, {q, 0}, {1, isa::kByteLanes}});
    std::vector<Region> operands = vectors;
    operands.push_back(
        {buffers_.buffer_of(row_.words), {block, 0, 0}, {1, isa::kByteVectors, isa::kByteLanes}});
    out.push_back(call(isa::kStartAlong, std::move(operands)));
    const loops::BufferId seen =
        allocated(out, "seen", Type::i32, {isa::kByteLanes}, loops::Scope::registers);
    const Region all = run_of(seen, 0, isa::kByteLanes);
    out.push_back(call(isa::lane_row_name("zero", Type::i32, isa::kByteLanes), {all}));
    operands = {run_of(window, block * isa::kBytesAtOnce, isa::kBytesAtOnce), all};
    operands.insert(operands.end(), vectors.begin(), vectors.end());
    operands.push_back(run_of(line, 0, isa::kLineParts));
    out.push_back(call(isa::requantise_name(to_, isa::LaneOrder::by_fours), std::move(operands)));
    out.push_back(
        call(isa::kMarksRow, {run_of(marks, block * isa::kBytesAtOnce, isa::kBytesAtOnce), all}));
    out.push_back(call(isa::kAnyRow, {run_of(any, block, 1), all}));
    return out;
  }

  // If a byte of the row has a marked entry, or one beside it: the bytes of entries that are not in
  // doubt by their own share, others by floats with the sum that these have, and the row by these.
  Stmts if_marked(loops::BufferId marks, loops::BufferId line, const Expr& most,
                  loops::BufferId window) {
    Stmts out;
    const loops::BufferId none = allocated(out, "unmarked", Type::u8, {1});
    out.push_back(store(none, {Index(0)}, Expr::constant(Type::u8, 0)));
    out.push_back(call(isa::fill_name(Type::u8),
                       {run_of(marks, kEntries, kEntries), run_of(none, 0, 1)}, {Dim(kEntries)}));
    const auto if_asked = [&](Stmts& to, Stmts then) {
      const loops::BufferId asked = sum_looked_up(to, table_of(to, marks, Type::u8));
      const Expr any = compare(Binary::ne, program_.element(asked, {Index(0)}), whole_number(0));
      to.push_back({loops::If{is_true(any), std::move(then), {}}});
    };
    Stmts exact = let(1, false);
    loops::append(exact, marked_entries(marks, window));
    Stmts own = unmarked(marks, line, most, window);
    if_asked(own, std::move(exact));
    loops::append(own, looked_up(window));
    if_asked(out, std::move(own));
    return out;
  }
  Expr is_marked(loops::BufferId marks, const Index& entry) const {
    return compare(Binary::ne, Expr::cast(Type::i32, program_.element(marks, {entry})),
                   whole_number(0));
  }
  // Marks of entries that are far enough from the end of a byte for their own share go. Positions
  // are higher by the reach of the greatest share.
  Stmts unmarked(loops::BufferId marks, loops::BufferId line, const Expr& most,
                 loops::BufferId window) {
    const int number = variable("marked", kEntries);
    const Index entry = program_.var(number), within = mod(entry, isa::kBytesAtOnce);
    const Expr word =
        program_.element(buffers_.buffer_of(row_.words),
                         {floordiv(entry, isa::kBytesAtOnce), mod(within, isa::kByteVectors),
                          floordiv(within, isa::kByteVectors)});
    const isa::LineParts part = [&](isa::LinePart which) {
      return program_.element(line, {Index(static_cast<int64_t>(which))});
    };
    const Expr position = isa::line_position(word, part) - part(isa::kLineNear) / whole_number(2);
    const Expr own = reach_of_entry(row_, length().constant(), word, most);
    const Expr far = Expr::unary(Unary::logical_not, isa::line_is_near(position + own, own + own));
    Stmts one{Stmt{loops::If{is_true(far),
                             {store(marks, {entry}, Expr::constant(Type::u8, 0)),
                              store(window, {entry}, isa::line_byte(position, part, to_))},
                             {}}}};
    one = {Stmt{loops::If{is_true(is_marked(marks, entry)), std::move(one), {}}}};
    return {loop(number, program_.var(base_), kEntries, std::move(one))};
  }
  Stmts marked_entries(loops::BufferId marks, loops::BufferId window) {
    const int number = variable("entry", kEntries);
    const Index entry = program_.var(number);
    const Expr read = buffers_.expr(row_.load),
               byte = Expr::cast(type_, Expr::index(entry - program_.var(base_) + lowest(type_)));
    const Expr value = rewrite(
        buffers_.expr(exact_.value), [&](const Expr& one) { return one == read ? byte : one; },
        [](const Index& index) { return index; });
    // Entries below the first are of no byte.
    return {loop(
        number, program_.var(base_), kEntries,
        {Stmt{loops::If{is_true(is_marked(marks, entry)), {store(window, {entry}, value)}, {}}}})};
  }

  const Write exact_;
  const ExponentRow& row_;
  const Type type_, to_;
  loops::BufferId bytes_ = -1, looked_ = -1, near_sum_ = -1;
  int base_ = -1;
};

}  // namespace

std::optional<LoopPlan> schedule_exponent_rows(const Kernel& kernel, std::vector<Value>& values,
                                               const Hardware& hardware) {
  if (has_device(hardware) || !hardware.integer_vector || hardware.vector.vector_bytes > 0)
    return std::nullopt;
  for (const char* const row : {isa::kTableInstruction, isa::kLineInstruction,
                                isa::kFoldInstruction, isa::kSumInstruction}) {
    if (!has_row(hardware, row)) return std::nullopt;
  }
  const std::optional<ExponentRow> row = find_exponent_row(kernel, values);
  if (!row) return std::nullopt;
  LoopPlan out;
  out.kernel = as_computed(kernel, *row);
  loops::Program program =
      ExponentProgram(out.kernel, kernel.writes[0], *row, values).run(rows_that_move(hardware));
  const std::vector<std::string> faults = loops::verify(program);
  BURIN_CHECK(faults.empty(), faults.front() + " in " + loops::to_string(program));
  out.scratch_bytes = program.scratch_bytes;
  out.program = std::make_shared<const loops::Program>(std::move(program));
  out.places.resize(out.kernel.lets.size());
  out.family = "bytes";
  out.reason = "shares of exponents of rows of bytes, by tables";
  out.no_alias = true;
  return out;
}

}  // namespace burin
