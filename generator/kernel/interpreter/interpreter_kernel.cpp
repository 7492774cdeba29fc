// One kernel, straight from its definition.
//
// Sequential axes run outermost, in ascending order. At each of their points every let is computed
// over its other axes, in order, then the writes run over theirs. A let over a sequential axis
// keeps the rows of earlier points. A let that depends on no sequential axis is computed once. A
// write whose `over` leaves out a sequential axis runs once for it: after its last point.
#include <algorithm>

#include "kernel/expr/expr_axes.h"
#include "kernel/index/index_node.h"
#include "kernel/interpreter/interpreter_reduce.h"
#include "kernel/interpreter/interpreter_steps.h"
#include "support/check.h"

namespace burin {
namespace {

class KernelRun {
 public:
  KernelRun(const Kernel& kernel, RunState& state) : kernel_(kernel), state_(state) {
    scope_ = state.scope();
    for (const Axis& axis : kernel.axes) {
      const int64_t extent = state.evaluate(axis.extent);
      BURIN_CHECK(extent >= 0, "extent of an axis");
      scope_.axes.push_back(extent);
    }
    for (size_t a = 0; a < kernel.axes.size(); ++a) {
      if (kernel.axes[a].kind == AxisKind::sequential) sequential_.push_back(static_cast<int>(a));
    }
    point_.resize(kernel.axes.size());
  }

  ~KernelRun() { state_.release_bytes(let_bytes_); }

  void run() {
    for (const Write& write : kernel_.writes) state_.writable(write.to);
    // Without a point nothing is read: what a loop of no iterations has not written may be asked
    // for.
    const bool has_points = std::any_of(kernel_.writes.begin(), kernel_.writes.end(),
                                        [&](const Write& write) { return points(write.over) > 0; });
    if (!has_points) return;
    make_lets();
    for (size_t i = 0; i < kernel_.lets.size(); ++i) compile_let(i);
    for (const Write& write : kernel_.writes) compile_write(write);
    run_level(0);
  }

 private:
  struct CompiledLet {
    Program program;
    PreparedReduction reduction;
    std::vector<int> inner;  // axes of `over` that are not sequential
    std::vector<int64_t> strides;
    bool once = false;  // depends on no sequential axis
    bool done = false;
  };
  struct CompiledWrite {
    Program program;  // results: offset, value
    std::vector<int> inner;
    size_t level = 0;  // how many sequential axes are outside: up to its last one
    HostTensor* to = nullptr;
    LoadFunction load = nullptr;
    StoreFunction store = nullptr;
    BinaryFunction combine = nullptr;
  };

  bool is_sequential(int axis) const { return contains(sequential_, axis); }

  std::vector<int> inner_axes(const std::vector<int>& over) const {
    std::vector<int> inner;
    for (const int axis : over) {
      if (!is_sequential(axis)) inner.push_back(axis);
    }
    return inner;
  }

  int64_t points(const std::vector<int>& axes) const {
    int64_t count = 1;
    for (const int axis : axes) count = saturating_mul(count, extent(axis));
    return count;
  }

  int64_t extent(int axis) const { return scope_.axes[static_cast<size_t>(axis)]; }

  void make_lets() {
    storage_.resize(kernel_.lets.size());
    for (size_t i = 0; i < kernel_.lets.size(); ++i) {
      const Let& let = kernel_.lets[i];
      BURIN_CHECK(!let.body.empty() && let.body.size() == let.accumulator.size());
      for (const int axis : let.over) storage_[i].extents.push_back(extent(axis));
      const int64_t elements = points(let.over);
      const auto components = static_cast<int64_t>(let.body.size());
      const int64_t each = components * static_cast<int64_t>(sizeof(ScalarValue)) + 1;
      state_.charge_bytes(saturating_mul(elements, each));
      let_bytes_ += elements * each;
      storage_[i].components.assign(let.body.size(),
                                    std::vector<ScalarValue>(static_cast<size_t>(elements)));
      storage_[i].computed.assign(static_cast<size_t>(elements), 0);
    }
    scope_.lets = &storage_;
  }

  void compile_let(size_t i) {
    const Let& let = kernel_.lets[i];
    CompiledLet out;
    ProgramBuilder builder(scope_);
    for (size_t c = 0; c < let.body.size(); ++c) {
      const Type from = let.body[c].type(), to = let.accumulator[c];
      builder.result(from == to ? let.body[c] : Expr::cast(to, let.body[c]));
    }
    out.program = builder.take();
    out.reduction = reduction_of(let);
    out.inner = inner_axes(let.over);
    out.strides = strides_of(storage_[i].extents);
    out.once = depends_on_nothing_sequential(let);
    lets_.push_back(std::move(out));
  }

  bool depends_on_nothing_sequential(const Let& let) const {
    bool free = std::none_of(let.over.begin(), let.over.end(),
                             [&](int axis) { return is_sequential(axis); });
    for (const Expr& body : let.body) {
      visit(body, [&](const ExprNode& node) {
        if (node.kind == ExprKind::let) {
          const auto number = static_cast<size_t>(node.id);
          free = free && number < lets_.size() && lets_[number].once;
        }
        if (node.kind == ExprKind::load) {
          free = free && std::none_of(kernel_.writes.begin(), kernel_.writes.end(),
                                      [&](const Write& write) { return write.to == node.id; });
        }
      });
      visit_indices(body, [&](const Index& index) {
        for (const int axis : sequential_) free = free && !index.uses_axis(axis);
      });
    }
    return free;
  }

  void compile_write(const Write& write) {
    CompiledWrite out;
    const TensorView view = state_.view(write.to);
    BURIN_CHECK(writes_type(write, view.type), "type of a write to " + view.name);
    ProgramBuilder builder(scope_);
    builder.guard(write.when);
    builder.result_offset(view, write.at);
    builder.result(write.value);
    out.program = builder.take();
    out.inner = inner_axes(write.over);
    for (size_t level = 0; level < sequential_.size(); ++level) {
      if (contains(write.over, sequential_[level])) out.level = level + 1;
    }
    out.to = &state_.writable(write.to);
    out.load = load_function(view.type);
    out.store = store_function(view.type);
    const Type compute = compute_type(view.type);
    switch (write.how) {
      case How::store:
        break;
      case How::add:
        out.combine = function_of(Binary::add, compute);
        break;
      case How::mul:
        out.combine = function_of(Binary::mul, compute);
        break;
      case How::min:
        out.combine = function_of(Binary::min, compute);
        break;
      case How::max:
        out.combine = function_of(Binary::max, compute);
        break;
    }
    writes_.push_back(std::move(out));
  }

  // Everything at one point of the first `level` sequential axes.
  void run_level(size_t level) {
    if (level < sequential_.size()) {
      int64_t& at = point_[static_cast<size_t>(sequential_[level])];
      for (at = 0; at < extent(sequential_[level]); ++at) run_level(level + 1);
    } else {
      for (size_t i = 0; i < lets_.size(); ++i) compute(i);
    }
    for (size_t i = 0; i < writes_.size(); ++i) {
      if (writes_[i].level == level && at_last_of_the_others(kernel_.writes[i])) perform(i);
    }
  }

  // Outer sequential axes that a write leaves out: it runs at their last point.
  bool at_last_of_the_others(const Write& write) const {
    return std::all_of(sequential_.begin(), sequential_.end(), [&](int axis) {
      return contains(write.over, axis) || extent(axis) == 0 ||
             point_[static_cast<size_t>(axis)] >= extent(axis) - 1;
    });
  }

  // Calls `body` for every point of `axes`, the last one fastest; their registers hold the point.
  template <class Body>
  void each_point(const std::vector<int>& axes, Program& program, const Body& body) {
    for (const int axis : axes) {
      if (extent(axis) == 0) return;
      program.registers[static_cast<size_t>(axis)].integer = 0;
    }
    for (;;) {
      body();
      size_t digit = axes.size();
      for (; digit > 0; --digit) {
        int64_t& at = program.registers[static_cast<size_t>(axes[digit - 1])].integer;
        if (++at < extent(axes[digit - 1])) break;
        at = 0;
      }
      if (digit == 0) return;
    }
  }

  void set_sequential(Program& program) const {
    for (const int axis : sequential_) {
      program.registers[static_cast<size_t>(axis)].integer = point_[static_cast<size_t>(axis)];
    }
  }

  void compute(size_t i) {
    CompiledLet& let = lets_[i];
    if (let.once && let.done) return;
    let.done = true;
    const Let& definition = kernel_.lets[i];
    LetStorage& storage = storage_[i];
    Program& program = let.program;
    state_.charge(saturating_mul(points(let.inner), points(definition.reduced)),
                  static_cast<int64_t>(program.code.size()) + 1);
    if (let.inner.size() == definition.over.size()) {
      std::fill(storage.computed.begin(), storage.computed.end(), 0);
    }
    set_sequential(program);
    std::vector<ScalarValue> accumulator(definition.body.size());
    each_point(let.inner, program, [&] {
      if (!let.reduction.neutral.empty()) accumulator = let.reduction.neutral;
      bool first = true;
      each_point(definition.reduced, program, [&] {
        program.run();
        combine(let.reduction, program, first, accumulator);
        first = false;
      });
      size_t element = 0;
      for (size_t d = 0; d < definition.over.size(); ++d) {
        const auto axis = static_cast<size_t>(definition.over[d]);
        element += static_cast<size_t>(let.strides[d] * program.registers[axis].integer);
      }
      for (size_t c = 0; c < accumulator.size(); ++c) {
        storage.components[c][element] = accumulator[c];
      }
      storage.computed[element] = 1;
    });
  }

  void perform(size_t i) {
    CompiledWrite& write = writes_[i];
    Program& program = write.program;
    state_.charge(points(write.inner), static_cast<int64_t>(program.code.size()) + 1);
    set_sequential(program);
    std::byte* const data = write.to->bytes.data();
    each_point(write.inner, program, [&] {
      if (!program.run()) return;
      const int64_t offset = program.result(0).integer;
      ScalarValue value = program.result(1);
      if (write.combine != nullptr) value = write.combine(write.load(data, offset), value);
      write.store(data, offset, value);
    });
  }

  const Kernel& kernel_;
  RunState& state_;
  ProgramScope scope_;
  std::vector<int> sequential_;
  std::vector<int64_t> point_;  // of the sequential axes
  std::vector<LetStorage> storage_;
  std::vector<CompiledLet> lets_;
  std::vector<CompiledWrite> writes_;
  int64_t let_bytes_ = 0;
};

}  // namespace

void run_kernel(const Kernel& kernel, RunState& state) { KernelRun(kernel, state).run(); }

}  // namespace burin
