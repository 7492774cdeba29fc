// What programs of integer products share: buffers and loops, the part that a thread has, rows of a
// that the kernel stages, and a tile of sums. For the two kinds of program in this folder only.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isa/byte_rows.h"
#include "kernel/index/index_limit.h"
#include "loops/idle.h"
#include "loops/kernel_buffers.h"
#include "loops/lanewise.h"
#include "loops/program.h"
#include "loops/transforms/move.h"
#include "loops/transforms/peel.h"
#include "loops/transforms/vectorise.h"
#include "loops/walk.h"
#include "select/axes/guards.h"
#include "select/bytes/byte_stmts.h"
#include "select/integers/plan.h"
#include "select/integers/share.h"
#include "select/programs/making.h"
#include "support/at.h"

namespace burin {

// What a plane is made of: bytes within bounds, one number around them.
struct PlaneMargins {
  Expr value, fill;
  Bounds rows, columns;
};

class IntegerStmts {
 public:
  IntegerStmts(const IntegerPlan& plan, const std::vector<Value>& values)
      : plan_(plan), values_(values), buffers_(plan.kernel, values, program_) {
    buffers_.set_lets([this](int let, int, const std::vector<Index>&) { return lets_.at(let); });
    program_.name = plan.kernel.name;
  }
  virtual ~IntegerStmts() = default;

  loops::Program run() {
    Stmts body = whole();
    if (plan_.share != Share::none) body = parts(std::move(body));
    program_.scratch_bytes = scratch_;
    program_.body = loops::without_idle_lets(body);
    program_.told_apart = !plan_.moves.empty();
    // Guards of what is staged are decided outside of the innermost loops.
    for (const int var : staging_) {
      std::optional<loops::Change> peeled =
          within_index_limits([&] { return loops::peel(program_, var); });
      if (peeled && peeled->done()) program_ = std::move(peeled->program);
    }
    // Results are bytes and sums are words: compilers would take both for bytes.
    for (const int var : plan_.float_vectors ? results_loops_ : std::vector<int>{}) {
      loops::Change done = loops::vectorise(
          program_, var, plan_.lanes, plan_.masks ? loops::Rest::masked : loops::Rest::one_by_one);
      if (done.done()) program_ = std::move(done.program);
    }
    return loops::move_by_rows(program_, plan_.moves);
  }

 protected:
  using BufferId = loops::BufferId;
  using Call = loops::Call;
  using For = loops::For;
  using Kind = loops::Kind;
  using Region = loops::Region;
  using Scope = loops::Scope;
  using Stmt = loops::Stmt;
  using Stmts = loops::Stmts;

  // Everything for one point of the batch axes.
  virtual Stmts of_batch_point() = 0;

  // --- Making ---
  const Dim& extent(int axis) const { return plan_.kernel.axes[at(axis)].extent; }
  Index var(int number) const { return program_.var(number); }
  int variable(const std::string& name, const Dim& extent) {
    return program_.add(loops::Var{name, extent});
  }
  BufferId buffer(Scope scope, const std::string& name, Type type, std::vector<Dim> shape) {
    loops::Buffer out;
    out.name = loops::free_name(program_, name);
    out.type = type;
    out.scope = scope;
    if (scope == Scope::scratch) {
      Dim elements = 1;
      for (const Dim& dim : shape) elements *= dim;
      out.offset = scratch_;
      const int line = plan_.bundle.whole != nullptr ? std::max(kLine, 4 * plan_.lanes) : kLine;
      scratch_ += ceildiv(elements * size_bytes(type, 1), line) * line;
    }
    out.shape = std::move(shape);
    const BufferId made = program_.add(std::move(out));
    if (scope == Scope::scratch) scratch_buffers_.push_back(made);
    return made;
  }
  // Statements that stage something over the groups, with a loop of their own over these:
  // conditions of what the last group lacks are decided outside of the loops inside.
  Stmts over_groups_apart(Stmts body) {
    const int axis = plan_.k.back();
    if (extent(axis).is_constant(1)) return body;
    const int own = variable("staged_group", extent(axis));
    staging_.push_back(own);
    return {loop(own, 0, extent(axis), loops::substitute(body, axis, var(own)))};
  }
  // A loop over all of an axis, where it has several points.
  Stmts over(int axis, Stmts body) const {
    if (axis < 0 || extent(axis).is_constant(1)) return body;
    return {loop(axis, 0, extent(axis), std::move(body))};
  }
  Stmts over_group(Stmts body) const {
    return {loop(plan_.within, 0, plan_.group, std::move(body), Kind::unrolled)};
  }
  Stmts over_depth(Stmts body) const {
    for (size_t k = plan_.k.size(); k-- > 0;) body = over(plan_.k[k], std::move(body));
    return body;
  }
  // ... of a tile, several groups in a turn of the innermost loop (tile_stmts.cpp).
  Stmts over_depth_of_tile(Stmts body);
  static Call call(const isa::Instruction* row, std::vector<Region> operands) {
    return Call{row, std::move(operands), {}};
  }
  // Some rows and vectors of a tile, written out.
  Stmts each_place(int rows,
                   const std::function<Stmt(const Index& row, const Index& vector)>& one) {
    Stmts body{one(rows > 1 ? var(row_) : Index(0), vector_in_tile())};
    if (plan_.vectors > 1)
      body = {loop(vector_, 0, plan_.vectors, std::move(body), Kind::unrolled)};
    if (rows > 1) body = {loop(row_, 0, rows, std::move(body), Kind::unrolled)};
    return body;
  }
  Index group_number() const {
    Index out = 0;
    for (const int axis : plan_.k) out = out * extent(axis) + var(axis);
    return out;
  }

  // --- Parts that threads share ---
  Index begin_of(Share how) const { return plan_.share == how ? var(first_) : Index(0); }
  Index end_of(Share how, const Dim& extent) const {
    return plan_.share == how ? var(end_) : Index(extent);
  }
  Dim shared_extent() const { return burin::shared_extent(plan_); }
  void open_parts() {
    row_ = variable("row", plan_.tile_rows);
    vector_ = variable("vector", plan_.vectors);
    lane_ = variable("lane", plan_.lanes);
    if (plan_.bundle) bundle_ = variable("bundle", plan_.tile_rows / plan_.bundle.rows);
    if (plan_.share == Share::none) return;
    const bool counts = plan_.counts_parts();
    if (counts) part_ = variable("part", plan_.parts);
    // Else they are the function's parameters.
    first_ = variable(counts ? "part_first" : "first", shared_extent() + (counts ? 1 : 0));
    end_ = variable(counts ? "part_end" : "last", shared_extent() + 1);
  }
  // What a call stages is read by all of its parts, but where it counts these.
  Stmts parts(Stmts body) {
    Stmts part;
    // Every part has scratch of its own.
    for (const BufferId one : scratch_buffers_) part.push_back({loops::Alloc{one}});
    if (plan_.counts_parts()) part.push_back({loops::Let{first_, var(part_) * plan_.grain}});
    part.push_back({loops::Let{end_, min(var(first_) + plan_.grain, shared_extent())}});
    append(part, std::move(body));
    if (plan_.counts_parts()) return {loop(part_, 0, plan_.parts, std::move(part), Kind::thread)};
    return {
        Stmt{For{first_, 0, shared_extent(), plan_.grain, Kind::thread, std::move(part), end_}}};
  }

  Stmts whole();

  // --- Rows of a that the kernel stages: [rows of a part][groups][group] ---
  Index first_row() const { return begin_of(Share::rows); }
  Index end_row() const { return end_of(Share::rows, plan_.rows); }

  Stmts stage_rows();
  // A group of row number `row` of the present block, which all lanes get.
  Region group_of_a(const Index& row) const;

  // --- A tile ---
  using VectorOfB = std::function<Region(const Index& vector)>;
  Region sums_of_tile(BufferId registers, const Index& row, const Index& vector) const {
    return {registers, {row, vector, 0}, {1, 1, plan_.lanes}};
  }
  Region lanes_in_memory(BufferId to, const Index& row, const Index& vector) const {
    return {to, {row, vector * plan_.lanes}, {1, plan_.lanes}};
  }

  // Where sums of a column begin, in memory: products with what was taken off a, of each tile once
  // for all rows (start_stmts.cpp).
  void make_room_for_starts(Scope scope, const Dim& columns);
  Stmts starts_of(const VectorOfB& b, const Index& column);
  Region start(const Index& vector) const;
  // Copies of a staged plane, each a position further than the one before: vectors that a tap reads
  // are aligned then as the plane is.
  int64_t copies() const;
  Stmts copied_plane(BufferId staged);
  // Calls of the instruction for all of a tile and one group.
  Stmts products_of_group(int rows, const std::function<Region(const Index& row)>& a,
                          const VectorOfB& b);
  // What is done with the rows of each bundle of a tile, written out; the first one of them.
  Stmts each_bundle(int rows,
                    const std::function<Stmts(const Index& first, const Index& vector)>& one);
  // Accumulators of bundles as rows, which are `sums_` then. Empty: they are rows.
  Stmts settled(int rows, const char* name);
  // Sums of `rows` rows in registers; the buffer is `sums_` then (tile_stmts.cpp).
  Stmts products(int rows, const char* name, const std::function<Region(const Index& row)>& a,
                 const VectorOfB& b);
  Stmts panels_asked_for(const std::function<Region(const Index& row)>& a, const VectorOfB& b);
  Stmts results_asked_for(const Index& column);
  // ... with vectors of b that are loaded in the turn before (held_stmts.cpp). Empty: there are no
  // such rows, or the depth is no even number of groups.
  Stmts products_of_held(int rows, const std::function<Region(const Index& row)>& a,
                         const VectorOfB& b);
  Stmts products_by_fours(int rows, const std::function<Region(const Index& row)>& a,
                          const VectorOfB& b);
  // ... then in memory, where results find them.
  Stmts spilled(int rows, BufferId to);
  // Where the sum of a column is in a tile in memory, whose vectors are stored as they are.
  Index place_in_tile(const Index& column) const;
  // ... by a unit for matrices, in the tile in memory; what happens while the thread has it
  // (matrix_stmts.cpp).
  Stmts products_of_matrix(const VectorOfB& b);
  Stmts with_matrix(Stmts body) const;
  // The sums of the present block of rows.
  Stmts products_of_rows(const VectorOfB& b) {
    if (plan_.matrix) return products_of_matrix(b);
    return products(
        plan_.tile_rows, "sums", [this](const Index& in_block) { return group_of_a(in_block); }, b);
  }

  // Whether a store has a form for vectors along a variable; one under a guard has none.
  bool lanewise(const Stmt& one, int along) const;
  // Lanes of floats that have no vectors would be code for each of them.
  bool has_vectors_for(const Stmt& one) const;
  // What follows the sums of a tile, all of whose columns and rows are there: vector by vector,
  // from registers. `one` is the store of a result whose sum is in registers, over m and variable
  // `point`, of which the tile's first is `first`. Empty: it has no form for vectors.
  Stmts leave(Stmts one, int point, const Index& first);
  // ... or by a line, four vectors at a time: `one` is the store again, `from_memory` is it with
  // the sum in the tile in memory, over m and `point`, for the bytes that the line does not know
  // (line_stmts.cpp). Empty: there is no line, or results lie apart.
  Stmts leave_by_line(const Stmts& one, const Stmts& from_memory, int point, const Index& first,
                      const Index& row_end);
  Stmts lines_of_tile(Stmts one, int point, const Index& first, isa::Doubts doubts,
                      const Region& known);
  Stmts marked_results(const Stmts& one, const Stmts& from_memory, int point, const Index& first,
                       const Index& row_end);
  bool makes_sums_again() const;
  Stmts unless_far(const std::function<Stmts(const Region& lowest)>& made,
                   const std::function<Stmts()>& rare);
  Expr result_beside() const;  // what a result is made of, as loads whose places are no data
  bool is_byte_by_line() const { return plan_.line && !has_tables_only() && has_all_rows(); }
  // Where the plan says so, `tiles` are made of which only the nearest to an end is known: if that
  // is in doubt all are made again, and looked at one by one.
  Stmts looked_at_once(const std::function<Stmts()>& tiles);
  // Of lines of corrected sums.
  Stmts missing_of_columns(const Index& first);
  Stmts missing_of_rows(const Index& row_end);
  Stmts corrected(std::vector<Region>& sums, int vector);
  Region part_of_line(ValueId constant, const Index& row, int parts) const;
  Guard is_set(BufferId of, const Index& at) const;
  // The first one and how many, of vectors that are made bytes at a time. Of a window's last tile
  // there is room behind an odd one; else the last two are made together, whichever was made
  // before.
  std::vector<std::pair<int, int>> line_blocks() const;
  // Columns of a tile, and what rows of isa/ read and write behind them.
  int whole_columns() const {
    constexpr int kBytes = isa::kBytesAtOnce;
    return (plan_.tile_columns() + kBytes - 1) / kBytes * kBytes;
  }
  // Whether all of what is written is the line.
  bool is_line() const { return plan_.line && plan_.line->byte == plan_.line->exact; }
  // The bytes of a line that the rest of what is written is computed from, in an array of the tile
  // over m and `point`; with_bytes() is what is written then. Empty: there is no such line.
  Stmts bytes_of_line(const Index& column, int point, const Index& first, const Index& row_end);
  Expr with_bytes(const Index& column);
  // ... by floats, of columns `first` to `end` over m and `point`: all of a tile's from its
  // registers, where they may be computed (`whole`). `as_read`: what loads beside the sums become.
  Stmts bytes_by_floats(const Index& column, int point, const Index& first, const Index& end,
                        const Index& row_end, bool whole,
                        const std::function<Expr(const Expr&)>& as_read);
  // The tables of `count` bytes of the present row, to a place in a row of a buffer.
  Stmts tables_of_row(const Index& count, const std::function<BytePlace(const Index& first)>& to);
  bool has_tables_only() const { return plan_.line && plan_.line->rows.empty(); }
  // ... or where all of it is made of bytes, 128 columns of the present row at a time by rows of
  // isa/, of leaves at `leaf`, the result at `to`; both of the first of these columns. `column`:
  // the first one of the tile. Sums are where lets_at() says. Empty: it is not.
  using PlaceOfLeaf = std::function<BytePlace(const Expr& leaf, const Index& first)>;
  Stmts rest_by_rows(const PlaceOfLeaf& leaf,
                     const std::function<BytePlace(const Index& first)>& to, const Index& column);
  // What is written, by floats.
  Write written_exactly() const {
    Write out = plan_.kernel.writes[0];
    if (plan_.line) out.value = plan_.line->exact;
    return out;
  }
  // Whether every block has as many rows as a tile.
  bool has_all_rows() const {
    return plan_.m < 0 || (mod(plan_.rows, plan_.tile_rows).is_constant(0) &&
                           (plan_.share != Share::rows || plan_.grain % plan_.tile_rows == 0));
  }

  // --- Planes (pad_stmts.cpp) ---
  // All of `element` over `rows` rows and the columns of a pitch to `to`, whose first element is at
  // `first`: by a row of isa/ that gives rows another pitch. Empty: they are no such rows.
  struct PlaneRows {
    int row = -1, column = -1;  // variables of the element
    Index rows, pitch;
    Index width;  // columns that there are; what is behind them is filled
    // Whether the outermost conditions of the element are where the window ends.
    bool has_limit = false;
    // Whether what lies behind it in its buffer is made later, or never.
    bool is_first = false;
  };
  Stmts pad_plane(const PlaneRows& plane, const Expr& element, BufferId to,
                  std::vector<Index> first);
  // ... of an element within groups, four planes at a time.
  Stmts pad_fours(const PlaneRows& plane, const Expr& element, BufferId to, const Index& first);
  // What the last row of a plane lacks where rows share margins: no row begins behind it.
  Stmts margin_behind(BufferId staged, const Index& rows, const Index& place);
  // What is read of a plane: rows that lie `step` apart, every `stride`-th byte of them.
  struct PlaneBytes {
    Region read;
    Type type = Type::none;
    Index width, step;
    Dim count = 0;
    int64_t stride = 1;
    bool same(const PlaneBytes& b) const {
      return type == b.type && width == b.width && step == b.step && count == b.count &&
             stride == b.stride;
    }
  };
  std::optional<PlaneBytes> plane_bytes(const PlaneRows& plane, const PlaneMargins& margins,
                                        Type to) const;
  Stmts padded(const PlaneRows& plane, const Bounds& rows, const Expr& fill, BufferId to,
               const std::function<Region(const Index& row)>& from_row,
               const std::function<Call(const Region& fill)>& call);
  // An expression at one point of an axis.
  Expr with_axis(const Expr& expr, int axis, const Index& value) const {
    std::vector<Index> axes;
    for (size_t v = 0; v < program_.vars.size(); ++v) axes.push_back(var(static_cast<int>(v)));
    axes[at(axis)] = value;
    return substitute_axes(expr, axes);
  }

  // Blocks of rows with a tile in memory for each; `one` gets one past the last row of the block.
  Stmts row_blocks(const std::function<Stmts(const Index& row_end)>& one);

  void make_room_for_sums_of_b();
  // What lanes of b sum, where the kernel stages them: products with ones.
  Stmts sums_of_b(const VectorOfB& b);

  // The write, with the sums at `row`, `column` of the tile in memory, or in registers.
  Stmts written(const Index& column, bool in_registers = false) {
    lets_at(column, in_registers);
    return {loops::store_of(written_exactly(), buffers_)};
  }
  void lets_at(const Index& column, bool in_registers);
  Index row_in_block() const { return plan_.m < 0 ? Index(0) : var(plan_.m) - block_row_; }
  Index vector_in_tile() const { return plan_.vectors > 1 ? var(vector_) : Index(0); }
  Index row_in_tile() const { return plan_.tile_rows > 1 ? var(row_) : Index(0); }

  // Bytes that buffers in scratch are aligned to; whole vectors, where instructions ask for that.
  static constexpr int kLine = 64;

  IntegerPlan plan_;  // whose tile has fewer vectors while the last one of a band is made
  const std::vector<Value>& values_;
  loops::Program program_;
  loops::KernelBuffers buffers_;
  std::map<int, Expr> lets_;  // where they are at the present point
  Dim scratch_ = 0;
  std::vector<BufferId> scratch_buffers_;
  std::optional<ByteStmts> byte_stmts_;
  BufferId bytes_ = -1, rows_ = -1, row_sums_ = -1, column_sums_ = -1, tile_ = -1, sums_ = -1;
  BufferId columns_missing_ = -1, rows_missing_ = -1;
  std::optional<Region> lowest_of_all_;  // where tiles are not looked at one by one
  std::function<Stmts()> sums_again_;    // of a panel; of windows clang makes more packets so
  std::vector<int> staging_;             // loops that stage, innermost first
  std::vector<int> results_loops_;       // loops along a row of results
  BufferId starts_ = -1;                 // [1][columns], where there are any
  Index first_start_ = 0;                // among them, of the present tile
  // Of rows that are staged bundle by bundle: of the present block, of all.
  int first_bundle_ = -1, last_bundle_ = -1;
  int row_ = -1, bundle_ = -1, vector_ = -1, lane_ = -1, part_ = -1, first_ = -1, end_ = -1;
  Index block_row_ = 0;  // the first of the present block
};

std::unique_ptr<IntegerStmts> panel_stmts(const IntegerPlan& plan,
                                          const std::vector<Value>& values);
std::unique_ptr<IntegerStmts> window_stmts(const IntegerPlan& plan,
                                           const std::vector<Value>& values);

}  // namespace burin
