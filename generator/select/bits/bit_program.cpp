#include "select/bits/bit_program.h"

#include <functional>
#include <map>

#include "kernel/index/index_limit.h"
#include "loops/idle.h"
#include "loops/kernel_buffers.h"
#include "loops/transforms/peel.h"
#include "loops/transforms/vectorise.h"
#include "loops/walk.h"
#include "select/programs/making.h"
#include "support/at.h"

namespace burin {
namespace {

using loops::BufferId;
using loops::Call;
using loops::For;
using loops::Kind;
using loops::Region;
using loops::Scope;
using loops::Stmt;
using loops::Stmts;

class BitStmts {
 public:
  BitStmts(const BitPlan& plan, const std::vector<Value>& values)
      : plan_(plan), buffers_(plan.kernel, values, program_) {
    buffers_.set_lets([this](int let, int, const std::vector<Index>&) { return lets_.at(let); });
    program_.name = plan.kernel.name;
  }

  loops::Program run() {
    row_ = variable("row", plan_.tile_rows);
    vector_ = variable("vector", plan_.vectors);
    if (plan_.shared >= 0) {
      first_ = variable("first", plan_.extent(plan_.shared));
      end_ = variable("last", plan_.extent(plan_.shared) + 1);
    }
    Stmts body = plan_.window ? of_planes() : of_rows();
    for (size_t k = plan_.around.size(); k-- > 0;) body = over(plan_.around[k], std::move(body));
    if (plan_.shared >= 0) body = parts(std::move(body));
    program_.scratch_bytes = scratch_;
    program_.body = loops::without_idle_lets(body);
    // Guards of what is staged are decided outside of the innermost loops.
    for (const int var : staging_) {
      std::optional<loops::Change> peeled =
          within_index_limits([&] { return loops::peel(program_, var); });
      if (peeled && peeled->done()) program_ = std::move(peeled->program);
    }
    for (const int var : results_loops_) {
      loops::Change done = loops::vectorise(program_, var, plan_.lanes());
      if (done.done()) program_ = std::move(done.program);
    }
    return std::move(program_);
  }

 private:
  Index var(int number) const { return program_.var(number); }
  int variable(const std::string& name, const Dim& extent) {
    return program_.add(loops::Var{name, extent});
  }
  // A variable that expressions know by the symbol of its name.
  int named(const std::string& name, const Dim& extent) {
    const int out = variable(name, extent);
    buffers_.set_symbol(name, var(out));
    return out;
  }
  BufferId buffer(Scope scope, const std::string& name, Type type, std::vector<Dim> shape) {
    constexpr int kLine = 64;
    loops::Buffer out;
    out.name = name;
    out.type = type;
    out.scope = scope;
    if (scope == Scope::scratch) {
      out.offset = scratch_;
      scratch_ += ceildiv(product(shape) * size_bytes(type, 1), kLine) * kLine;
    }
    out.shape = std::move(shape);
    const BufferId made = program_.add(std::move(out));
    if (scope == Scope::scratch) scratch_buffers_.push_back(made);
    return made;
  }

  // A loop over an axis, or over a part's points of it.
  Stmts over(int axis, Stmts body) const {
    if (axis < 0) return body;
    if (axis == plan_.shared) return {loop(axis, var(first_), var(end_), std::move(body))};
    return {loop(axis, 0, plan_.extent(axis), std::move(body))};
  }
  Stmts over_depth(Stmts body) const {
    for (size_t k = plan_.sum.reduced.size(); k-- > 0;)
      body = over(plan_.sum.reduced[k], std::move(body));
    return body;
  }
  Index depth_number() const {
    Index out = 0;
    for (const int axis : plan_.sum.reduced) out = out * plan_.extent(axis) + var(axis);
    return out;
  }
  Dim depth() const {
    Dim out = 1;
    for (const int axis : plan_.sum.reduced) out *= plan_.extent(axis);
    return out;
  }
  // A call has one part or several, each with scratch of its own: what is staged is so once.
  Stmts parts(Stmts body) {
    const Dim& extent = plan_.extent(plan_.shared);
    Stmts part{Stmt{loops::Let{end_, min(var(first_) + plan_.grain, extent)}}};
    for (const BufferId one : scratch_buffers_) part.push_back({loops::Alloc{one}});
    append(part, std::move(body));
    return {Stmt{For{first_, 0, extent, plan_.grain, Kind::thread, std::move(part), end_}}};
  }

  // --- A tile ---
  Stmts each_place(const std::function<Stmt(const Index& row, const Index& vector)>& one) {
    Stmts body{one(plan_.tile_rows > 1 ? var(row_) : Index(0),
                   plan_.vectors > 1 ? var(vector_) : Index(0))};
    if (plan_.vectors > 1)
      body = {loop(vector_, 0, plan_.vectors, std::move(body), Kind::unrolled)};
    if (plan_.tile_rows > 1)
      body = {loop(row_, 0, plan_.tile_rows, std::move(body), Kind::unrolled)};
    return body;
  }
  static Call call(const isa::Instruction* row, std::vector<Region> operands) {
    return Call{row, std::move(operands), {}};
  }
  // Sums in registers, by calls that `product` makes of their place, then in rows of `to` from
  // `column` on.
  Stmts sums(
      const char* name,
      const std::function<Call(const Region& sum, const Index& row, const Index& vector)>& product,
      BufferId to, const Index& column) {
    const BufferId registers =
        buffer(Scope::registers, name, Type::i32, {plan_.tile_rows, plan_.vectors, plan_.lanes()});
    const auto own = [&, registers](const Index& row, const Index& vector) {
      return Region{registers, {row, vector, 0}, {1, 1, plan_.lanes()}};
    };
    Stmts out{Stmt{loops::Alloc{registers}}};
    append(out, each_place([&](const Index& row, const Index& vector) {
             return Stmt{call(plan_.zero, {own(row, vector)})};
           }));
    append(out, over_depth(each_place([&](const Index& row, const Index& vector) {
             return Stmt{product(own(row, vector), row, vector)};
           })));
    append(out, each_place([&](const Index& row, const Index& vector) {
             const Region there{to, {row, column + vector * plan_.lanes()}, {1, plan_.lanes()}};
             return Stmt{call(plan_.store, {there, own(row, vector)})};
           }));
    return out;
  }

  // Blocks of rows; `one` gets the first of the block and one past its last.
  Stmts row_blocks(const std::function<Stmts(const Index& first, const Index& end)>& one) {
    if (plan_.row < 0) return one(0, 1);
    const Dim& rows = plan_.extent(plan_.row);
    const bool is_shared = plan_.row == plan_.shared;
    const int first = variable("first_row", rows), end = variable("end_row", rows + 1);
    const Index last = is_shared ? var(end_) : Index(rows);
    Stmts body{Stmt{loops::Let{end, min(var(first) + plan_.tile_rows, last)}}};
    append(body, one(var(first), var(end)));
    return {Stmt{For{first, is_shared ? var(first_) : Index(0), last, plan_.tile_rows, Kind::serial,
                     std::move(body)}}};
  }
  // Row `row` of a block; those behind the last are the last one.
  Index of_block(const Index& first, const Index& row) const {
    const Dim& rows = plan_.extent(plan_.row);
    const bool whole = mod(rows, plan_.tile_rows).is_constant(0);
    return whole ? first + row : min(first + row, rows - 1);
  }
  // The place of a word, with one axis somewhere else.
  Region word(const Expr& load, int axis, const Index& value) const {
    const Expr there = buffers_.expr(load);
    Region out{there->id, {}, std::vector<Dim>(there->at.size(), Dim(1))};
    for (const Index& index : there->at)
      out.first.push_back(axis < 0 ? index : loops::with_var(index, axis, value));
    return out;
  }

  // --- Lanes of the run ---
  Stmts of_planes() {
    const SlidingWindow& window = *plan_.window;
    Stmts out;
    if (!(band_size(window) == window.band)) {
      const int band = named("band", plan_.extent(window.rows.output) + 1);
      out.push_back({loops::Let{band, buffers_.index(window.band)}});
    }
    const Dim elements = window.staged_elements() + plan_.tile_columns();
    present_ = buffer(Scope::scratch, "present", Type::u32, {elements});
    negative_ = buffer(Scope::scratch, "negative", Type::u32, {elements});
    const Dim places = positions_of(window.band) + plan_.tile_columns();
    if (plan_.sum.ones >= 0) ones_ = buffer(Scope::scratch, "ones", Type::i32, {1, places});
    sums_ = buffer(Scope::scratch, "sums", Type::i32, {plan_.tile_rows, places});
    append(out, bands());
    return out;
  }
  Dim positions_of(const Dim& rows) const {
    const SlidingWindow& window = *plan_.window;
    return (rows - 1) * window.places() + window.columns.outputs;
  }
  Stmts bands() {
    const SlidingWindow& window = *plan_.window;
    if (!window.banded()) return band(0, window.rows.outputs);
    const Dim reach = plan_.extent(window.rows.output), height = buffers_.index(band_size(window));
    const int number = variable("band_number", reach + 1);
    const int first = named("band_first", reach + 1), end = named("band_end", reach + 1);
    Stmts body{Stmt{loops::Let{first, var(number) * height}},
               Stmt{loops::Let{end, min(var(first) + height, window.rows.outputs)}}};
    append(body, band(var(first), var(end)));
    return {loop(number, 0, ceildiv(window.rows.outputs, height), std::move(body))};
  }
  // Both words of [planes][row phase][column phase][row][column].
  Stmts stage_planes(const Index& band_rows) {
    const SlidingWindow& window = *plan_.window;
    Index place = 0;
    for (const int axis : window.planes) place = place * plan_.extent(axis) + var(axis);
    for (const SlidingAxis* axis : {&window.rows, &window.columns}) {
      if (axis->phases > 1) place = place * axis->phases + var(axis->phase);
    }
    const bool has_rows = window.rows.output >= 0;
    place = place * buffers_.index(window.rows_of(band_size(window)));
    if (has_rows) place += var(window.rows.position);
    place = place * window.pitch() + var(window.columns.position);
    Stmts out{store(present_, {place}, buffers_.expr(plan_.present)),
              store(negative_, {place}, buffers_.expr(plan_.negative))};
    out = over(window.columns.position, std::move(out));
    if (has_rows)
      out = {
          loop(window.rows.position, 0, buffers_.index(window.rows_of(band_rows)), std::move(out))};
    if (window.columns.phases > 1) out = over(window.columns.phase, std::move(out));
    if (window.rows.phases > 1) out = over(window.rows.phase, std::move(out));
    for (size_t k = window.planes.size(); k-- > 0;) out = over(window.planes[k], std::move(out));
    staging_.push_back(window.columns.position);
    return out;
  }
  // Rows [first, end) of the plane's results.
  Stmts band(const Index& first, const Index& end) {
    const SlidingWindow& window = *plan_.window;
    Stmts out = stage_planes(end - first);
    const Dim most = positions_of(window.rows.outputs) + window.places() + 1;
    const int positions = variable("positions", most);
    const int position = variable("position", most + plan_.tile_columns());
    const Index size = buffers_.index(positions_of(end - first));
    out.push_back({loops::Let{positions, size}});
    const auto staged = [&](BufferId from, const Index& vector) {
      const Index shift = buffers_.index(window.shift);
      return Region{from, {shift + var(position) + vector * plan_.lanes()}, {plan_.lanes()}};
    };
    const auto tiles = [&](Stmts body) {
      return Stmts{Stmt{
          For{position, 0, var(positions), plan_.tile_columns(), Kind::serial, std::move(body)}}};
    };
    if (ones_ >= 0) append(out, tiles(counted(staged, position)));
    Stmts body = row_blocks([&](const Index& first_row, const Index& end_row) {
      Stmts block = tiles(sums(
          "counted",
          [&](const Region& sum, const Index& row, const Index& vector) {
            const Region other = word(plan_.sum.other, plan_.row,
                                      plan_.row < 0 ? Index(0) : of_block(first_row, row));
            return call(plan_.rows.lanes,
                        {sum, staged(present_, vector), staged(negative_, vector), other});
          },
          sums_, var(position)));
      append(block, results(first, end, first_row, end_row));
      return block;
    });
    for (size_t k = plan_.beside.size(); k-- > 0;) body = over(plan_.beside[k], std::move(body));
    append(out, std::move(body));
    return out;
  }
  // What is present at each position of a tile.
  Stmts counted(const std::function<Region(BufferId from, const Index& vector)>& staged,
                int position) {
    const BufferId registers =
        buffer(Scope::registers, "all", Type::i32, {plan_.vectors, plan_.lanes()});
    const Index vector = plan_.vectors > 1 ? var(vector_) : Index(0);
    const Region own{registers, {vector, 0}, {1, plan_.lanes()}};
    const auto each = [&](Call one) {
      Stmts body{Stmt{std::move(one)}};
      if (plan_.vectors == 1) return body;
      return Stmts{loop(vector_, 0, plan_.vectors, std::move(body), Kind::unrolled)};
    };
    Stmts out{Stmt{loops::Alloc{registers}}};
    append(out, each(call(plan_.zero, {own})));
    append(out, over_depth(each(call(plan_.rows.ones, {own, staged(present_, vector)}))));
    const Region to{ones_, {0, var(position) + vector * plan_.lanes()}, {1, plan_.lanes()}};
    append(out, each(call(plan_.store, {to, own})));
    return out;
  }
  Stmts results(const Index& first, const Index& end, const Index& first_row,
                const Index& end_row) {
    const SlidingWindow& window = *plan_.window;
    const int plane_row = window.rows.output, column = window.columns.output;
    Index place = var(column);
    if (plane_row >= 0) place += (var(plane_row) - first) * buffers_.index(window.places());
    const Index row = plan_.row < 0 ? Index(0) : var(plan_.row) - first_row;
    lets_[plan_.sum.negatives] = program_.element(sums_, {row, place});
    if (ones_ >= 0) lets_[plan_.sum.ones] = program_.element(ones_, {0, place});
    Stmts body{written()};
    body = {loop(column, 0, window.columns.outputs, std::move(body))};
    results_loops_.push_back(column);
    if (plane_row >= 0) body = {loop(plane_row, first, end, std::move(body))};
    if (plan_.row >= 0) body = {loop(plan_.row, first_row, end_row, std::move(body))};
    return body;
  }
  Stmt written() const { return loops::store_of(plan_.kernel.writes[0], buffers_); }

  // --- Lanes of constants ---
  Stmts of_rows() {
    const int column = plan_.sum.column;
    present_ = buffer(Scope::scratch, "present", Type::u32, {plan_.tile_rows, depth()});
    negative_ = buffer(Scope::scratch, "negative", Type::u32, {plan_.tile_rows, depth()});
    if (plan_.sum.ones >= 0)
      ones_ = buffer(Scope::scratch, "ones", Type::i32, {1, plan_.tile_rows});
    const Dim columns = plan_.extent(column);
    return row_blocks([&](const Index& first_row, const Index& end_row) {
      Stmts out = stage_rows(first_row, end_row);
      const int first = variable("first_column", columns);
      sums_ = buffer(Scope::stack, "sums", Type::i32, {plan_.tile_rows, plan_.tile_columns()});
      const auto staged = [&](BufferId from, const Index& row) {
        return Region{from, {row, depth_number()}, {1, 1}};
      };
      const auto panel = [&](const Index& vector) {
        Region one{buffers_.buffer_of(plan_.panels), {}, {}};
        for (const std::vector<int>* axes : {&plan_.sum.batch, &plan_.beside}) {
          for (const int axis : *axes) one.first.push_back(var(axis));
        }
        one.first.push_back(floordiv(var(first), plan_.tile_columns()));
        one.first.push_back(depth_number());
        one.first.push_back(vector * plan_.lanes());
        one.extent.assign(one.first.size(), 1);
        one.extent.back() = plan_.lanes();
        return one;
      };
      Stmts tile{Stmt{loops::Alloc{sums_}}};
      append(tile, sums(
                       "counted",
                       [&](const Region& sum, const Index& row, const Index& vector) {
                         return call(plan_.rows.group, {sum, staged(present_, row),
                                                        staged(negative_, row), panel(vector)});
                       },
                       sums_, 0));
      const Index row = plan_.row < 0 ? Index(0) : var(plan_.row) - first_row;
      lets_[plan_.sum.negatives] = program_.element(sums_, {row, var(column) - var(first)});
      if (ones_ >= 0) lets_[plan_.sum.ones] = program_.element(ones_, {0, row});
      Stmts body{
          loop(column, var(first), min(var(first) + plan_.tile_columns(), columns), {written()})};
      results_loops_.push_back(column);
      if (plan_.row >= 0) body = {loop(plan_.row, first_row, end_row, std::move(body))};
      append(tile, std::move(body));
      Stmts blocks{
          Stmt{For{first, 0, columns, plan_.tile_columns(), Kind::serial, std::move(tile)}}};
      for (size_t k = plan_.beside.size(); k-- > 0;)
        blocks = over(plan_.beside[k], std::move(blocks));
      append(out, std::move(blocks));
      return out;
    });
  }
  Stmts stage_rows(const Index& first_row, const Index& end_row) {
    const Index row = plan_.row < 0 ? Index(0) : var(plan_.row) - first_row;
    Stmts body =
        over_depth({store(present_, {row, depth_number()}, buffers_.expr(plan_.sum.present)),
                    store(negative_, {row, depth_number()}, buffers_.expr(plan_.sum.negative))});
    if (ones_ >= 0) {
      const Expr ones =
          Expr::unary(Unary::popcount, program_.element(present_, {row, depth_number()}));
      body.push_back(store(ones_, {0, row}, Expr::constant(Type::i32, 0)));
      append(body,
             over_depth({store(ones_, {0, row}, Expr::cast(Type::i32, ones), Combiner::sum)}));
    }
    if (plan_.row >= 0) body = {loop(plan_.row, first_row, end_row, std::move(body))};
    return body;
  }

  const BitPlan& plan_;
  loops::Program program_;
  loops::KernelBuffers buffers_;
  std::map<int, Expr> lets_;  // where they are at the present point
  Dim scratch_ = 0;
  std::vector<BufferId> scratch_buffers_;
  BufferId present_ = -1, negative_ = -1, ones_ = -1, sums_ = -1;
  std::vector<int> staging_;        // loops that stage
  std::vector<int> results_loops_;  // loops along a row of results
  int row_ = -1, vector_ = -1, first_ = -1, end_ = -1;
};

}  // namespace

loops::Program bit_program(const BitPlan& plan, const std::vector<Value>& values) {
  return BitStmts(plan, values).run();
}

}  // namespace burin
