// A schedule on its way to a program: its buffers, and what its parts share.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "loops/kernel_buffers.h"
#include "loops/program.h"
#include "loops/walk.h"
#include "select/schedule/loop_plan.h"

namespace burin {

class Making {
 public:
  Making(const LoopPlan& schedule, const std::vector<Value>& values, const ImageMaps& images = {});
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;

  const LoopPlan& schedule() const { return schedule_; }
  const Kernel& kernel() const { return schedule_.kernel; }
  const Let& let(int number) const { return kernel().lets[static_cast<size_t>(number)]; }
  const LetPlace& place(int number) const { return schedule_.places[static_cast<size_t>(number)]; }
  const Dim& extent(int axis) const { return kernel().axes[static_cast<size_t>(axis)].extent; }
  loops::Program& program() { return program_; }
  const loops::Program& program() const { return program_; }
  loops::KernelBuffers& buffers() { return buffers_; }
  const loops::KernelBuffers& buffers() const { return buffers_; }

  // Of a let whose elements are somewhere else than in a buffer of its own, such as a tile.
  void read_let_from(int let, loops::LetElement element) { others_[let] = std::move(element); }
  void read_let_from_its_place(int let) { others_.erase(let); }

  // Rows that wait for what follows them begin with this one in their arrays
  // (select/rows/row_epilogue.h).
  void count_rows_from(const Index& first) { first_row_ = first; }
  const Index& first_row() const { return first_row_; }
  bool is_image(ValueId value) const {
    return program_.buffers[static_cast<size_t>(buffers_.buffer_of(value))].image.has_value();
  }
  // The points of an axis that a call computes.
  Index begin_of(int axis) const;
  Index end_of(int axis) const;

  // --- The buffers of a let: one for each component; of keyed lets then whether there is a key.
  // --- Where it is accumulated, which is where it stays if its place is a variable.
  const std::vector<loops::BufferId>& variables(int let);
  // The array of a component whose place is none.
  loops::BufferId array(int let, int component) const;
  std::vector<Index> array_point(int let, const std::vector<Index>& at) const;
  std::vector<Index> own_point(int let) const;  // that of its own axes

  // --- New ones; names that are taken get a number. ---
  int variable(const std::string& name, const Dim& extent);
  // The one of that name and extent that is there already, or a new one: loops that stand one
  // behind the other may count with the same.
  int shared_variable(const std::string& name, const Dim& extent);
  // A variable that loops around and expressions know by the symbol of its name.
  int named_variable(const std::string& name, const Dim& extent);
  loops::BufferId buffer(loops::Scope scope, const std::string& name, Type type,
                         std::vector<Dim> shape, const Dim& offset = 0);
  // The buffer that was made last, under this name: nothing needs it after all.
  void forget(loops::BufferId buffer, const std::string& name);
  // An array that the work-items of a group share, and so do sums of one launch.
  loops::BufferId group_array(const std::string& name, Type type, const std::vector<Dim>& shape);
  // Those of the present launch; the next one has its own.
  std::vector<loops::BufferId> take_group_arrays();
  // An array of floats of the function, which blocks that stand one behind the other share.
  loops::BufferId shared_array(const std::string& name, const std::vector<Dim>& shape);
  Index at(int variable) const { return program_.var(variable); }
  Expr element(loops::BufferId buffer, Type type, std::vector<Index> at) const;

  // The finished program around `body`: where threads share the kernel, a loop over chunks.
  loops::Program finish(loops::Stmts body);

 private:
  // `at` is over buffers already.
  Expr element_of(int let, int component, const std::vector<Index>& at);
  const RowEpilogue* row_epilogue() const;
  bool waits_for_rows(int let) const;
  void add_arrays(int let);
  std::string free_name(const std::string& name);

  const LoopPlan& schedule_;
  loops::Program program_;
  loops::KernelBuffers buffers_;
  std::map<int, loops::LetElement> others_;
  std::vector<std::vector<loops::BufferId>> variables_, arrays_;  // by let
  std::map<std::string, int> taken_;                              // names
  std::map<std::pair<std::string, Dim>, int> shared_;             // variables
  std::map<std::pair<std::string, std::vector<Dim>>, loops::BufferId> shared_arrays_;
  std::map<std::pair<std::string, std::vector<Dim>>, loops::BufferId> group_arrays_;
  // The points of a call along an axis that is cut: variables.
  struct Part {
    CutAxis cut;
    int first, last;
  };
  std::vector<Part> parts_;
  Index first_row_ = 0;
};

// for var in begin .. end; to[at] = value, or combined with what is there.
loops::Stmt loop(int var, const Index& begin, const Index& end, loops::Stmts body,
                 loops::Kind kind = loops::Kind::serial);
// Around all points of these axes, outermost first, that a call computes.
loops::Stmts around(const Making& making, const std::vector<int>& axes, loops::Stmts body);
loops::Stmt store(loops::BufferId to, std::vector<Index> at, Expr value,
                  Combiner combine = Combiner::none);

// The statements of generic loops.
loops::Stmts generic_stmts(Making& making, const LoopNodes& nodes);
loops::Stmts lane_stmts(Making& making, const LaneLoop& row);
// The sums of a tile, of which `outermost` is the loop over rows, or over columns of one row.
loops::Stmts sum_tile_stmts(Making& making, const SumTile& tile, const ForLoop& outermost);
// Those of a kernel with a product or a window, without fused copies.
loops::Stmts product_stmts(Making& making);
loops::Stmts window_stmts(Making& making);
loops::Stmts winograd_stmts(Making& making);

}  // namespace burin
