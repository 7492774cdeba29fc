#include "loops/verify/matrix_unit.h"

#include <set>

#include "isa/instruction.h"
#include "isa/matrix_rows.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

class Unit {
 public:
  explicit Unit(const Program& program) : program_(program), matrices_(matrices_in(program.body)) {}

  std::vector<std::string> run() {
    block(program_.body);
    if (open_) fault("the unit for matrices stays open");
    return std::move(faults_);
  }

 private:
  void fault(const std::string& text) { faults_.push_back(program_.name + ": " + text); }
  const std::string& name(BufferId id) const { return program_.buffers[burin::at(id)].name; }

  void block(const Stmts& stmts) {
    const std::set<BufferId> there = there_;
    for (const Stmt& stmt : stmts)
      std::visit([this](const auto& one) { statement(one); }, stmt.node);
    there_ = there;
  }
  // Whether the unit is open does not depend on the way that runs.
  void same_behind(const Stmts& stmts, bool before, bool wanted, const char* what) {
    open_ = before;
    block(stmts);
    if (open_ != wanted)
      fault(std::string("the unit for matrices is not left as it was by ") + what);
    open_ = wanted;
  }
  void statement(const For& loop) {
    if (open_ && loop.kind == Kind::thread)
      fault("a thread has no unit for matrices that another opened");
    same_behind(loop.body, open_, open_, "a loop");
  }
  void statement(const If& branch) {
    const bool before = open_;
    same_behind(branch.then, before, before, "a condition");
    same_behind(branch.otherwise, before, before, "a condition");
  }
  void statement(const Alloc& alloc) {
    if (!matrices_.contains(alloc.buffer)) return;
    for (const BufferId other : there_)
      fault(name(alloc.buffer) + " and " + name(other) + " are both in the unit for matrices");
    there_.insert(alloc.buffer);
  }
  // The machine multiplies what it was opened for, whatever a call says.
  void statement(const Call& call) {
    const std::optional<isa::MatrixShape> opened = isa::opened_matrix(*call.op);
    const bool closes = isa::closes_matrix(*call.op);
    if (opened && open_) fault(call.op->name + ": the unit for matrices is open");
    if (closes && !open_) fault(call.op->name + ": the unit for matrices is not open");
    if (opened || closes) open_ = opened.has_value();
    if (opened) {
      shape_ = *opened;
      groups_ = call.sizes[0];
    }
    for (size_t k = 0; k < call.operands.size(); ++k) {
      if (!isa::holds_matrix(*call.op, k)) continue;
      if (!open_) return fault(call.op->name + ": the unit for matrices is not open");
      const std::vector<Dim>& shape = call.op->values[k].shape;
      if (!shape[0].is_constant(shape_.rows * isa::kMatrixRows) ||
          !shape[1].is_constant(shape_.columns * isa::kMatrixColumns))
        fault(call.op->name + ": the unit for matrices is open for another shape");
      if (!call.sizes.empty() && !(call.sizes[0] == groups_))
        fault(call.op->name + ": the unit for matrices is open for steps of " +
              burin::to_string(groups_) + " groups");
    }
  }
  template <class Other>
  void statement(const Other&) {}

  const Program& program_;
  const std::set<BufferId> matrices_;
  std::vector<std::string> faults_;
  std::set<BufferId> there_;  // matrices that exist
  bool open_ = false;
  isa::MatrixShape shape_;
  Dim groups_ = 0;
};

}  // namespace

std::vector<std::string> faults_of_matrix_unit(const Program& program) {
  return Unit(program).run();
}

}  // namespace burin::loops
