#include "loops/run/run.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>

#include "kernel/combiner.h"
#include "kernel/index/index_node.h"
#include "kernel/interpreter/interpreter_steps.h"
#include "loops/run/expand_calls.h"
#include "loops/run/expand_items.h"
#include "loops/walk.h"
#include "support/at.h"
#include "support/check.h"

namespace burin::loops {
namespace {

// A compiled piece of a statement, and the variables that it looks at.
struct Piece {
  burin::Program code;
  std::vector<Register> vars;
};

struct Memory {
  TensorView view;
  std::byte* to = nullptr;  // where stores go; nullptr: it is only read
  LoadFunction load = nullptr;
  StoreFunction store = nullptr;
  HostTensor own;  // of stack, registers and locals
};

class LoopRun {
 public:
  LoopRun(const Program& program, const std::vector<Value>& values, Environment& environment,
          PartOrder order)
      : program_(program), state_(values, environment), order_(order) {
    scope_ = state_.scope();
    for (const Var& var : program.vars) scope_.axes.push_back(state_.evaluate(var.extent));
    scope_.tensor = [this](BufferId id) { return memory_[burin::at(id)].view; };
    point_.resize(program.vars.size());
  }
  ~LoopRun() { state_.release_bytes(bytes_); }

  void run() {
    make_memory();
    execute(compile(program_.body));
    for (size_t b = 0; b < memory_.size(); ++b) {
      if (program_.buffers[b].image && program_.buffers[b].written) take_image(b);
    }
  }

 private:
  // One node of the compiled tree; which members are in use depends on the statement.
  struct Node {
    const Stmt* stmt = nullptr;
    Piece piece, counting;
    BinaryFunction combine = nullptr, better = nullptr;
    std::vector<Node> first, second;  // blocks
  };

  // --- Memory ---
  std::vector<int64_t> shape_of(const Buffer& buffer) const {
    std::vector<int64_t> out;
    for (const Dim& dim : buffer.shape) out.push_back(state_.evaluate(dim));
    return out;
  }

  void make_memory() {
    const int64_t scratch = state_.evaluate(program_.scratch_bytes);
    take_bytes(scratch);
    scratch_.assign(burin::at(static_cast<int>(scratch)), std::byte{0xff});
    memory_.resize(program_.buffers.size());
    const std::set<BufferId> allocated = allocated_in(program_.body);
    // Results first: making room for one may move it.
    for (const Buffer& buffer : program_.buffers) {
      if (buffer.scope == Scope::argument && buffer.written) state_.writable(buffer.value);
    }
    for (size_t b = 0; b < memory_.size(); ++b) {
      const Buffer& buffer = program_.buffers[b];
      Memory& memory = memory_[b];
      if (buffer.image) {
        make_image(buffer, memory);
      } else if (buffer.scope == Scope::argument) {
        memory.view = state_.view(buffer.value);
        if (buffer.written) memory.to = state_.writable(buffer.value).bytes.data();
      } else {
        memory.own = {buffer.type, shape_of(buffer), {}};
        const int64_t bytes = size_bytes(buffer.type, memory.own.elements());
        if (buffer.scope == Scope::scratch) {
          const int64_t offset = state_.evaluate(buffer.offset);
          // What a block allocates need not be there for sizes with which it does not run.
          const bool inside = offset >= 0 && offset + bytes <= scratch;
          BURIN_CHECK(inside || allocated.contains(static_cast<BufferId>(b)),
                      buffer.name + " in its scratch");
          if (inside) memory.to = scratch_.data() + offset;
        } else {
          take_bytes(bytes);
          memory.own.bytes.assign(static_cast<size_t>(bytes), std::byte{0xff});
          memory.to = memory.own.bytes.data();
        }
        memory.view = {buffer.type, memory.own.shape, memory.to, buffer.name};
      }
      memory.view.name = buffer.name;
      memory.load = load_function(memory.view.type);
      memory.store = store_function(memory.view.type);
    }
  }

  // An image is a tensor of its own while the program runs.
  void make_image(const Buffer& buffer, Memory& memory) {
    memory.own = {buffer.type, shape_of(buffer), {}};
    const int64_t bytes = size_bytes(buffer.type, memory.own.elements());
    take_bytes(bytes);
    memory.own.bytes.assign(static_cast<size_t>(bytes), std::byte{0});
    memory.to = memory.own.bytes.data();
    memory.view = {buffer.type, memory.own.shape, memory.to, buffer.name};
    copy_image(buffer, state_.view(buffer.value).data, memory.to, false);
  }
  void take_image(size_t b) {
    const Buffer& buffer = program_.buffers[b];
    copy_image(buffer, memory_[b].to, state_.writable(buffer.value).bytes.data(), true);
  }
  void copy_image(const Buffer& buffer, const std::byte* from, std::byte* to, bool back) {
    const auto bytes = static_cast<size_t>(size_bits(buffer.type) / 8);
    size_t element = 0;
    for (const int64_t place : image_places(*buffer.image, state_.view(buffer.value).shape)) {
      const size_t in_image = static_cast<size_t>(place) * bytes, in_tensor = element++ * bytes;
      std::memcpy(to + (back ? in_tensor : in_image), from + (back ? in_image : in_tensor), bytes);
    }
  }

  void take_bytes(int64_t bytes) {
    state_.charge_bytes(bytes);
    bytes_ += bytes;
  }

  // --- Compiling ---
  Piece finish(ProgramBuilder& builder) const {
    Piece out{builder.take(), {}};
    for (const AffineTerm& term : out.code.terms) note(out.vars, term.from);
    for (const burin::Instruction& one : out.code.code) {
      for (const Register used : {one.a, one.b, one.c}) note(out.vars, used);
    }
    for (const Register result : out.code.results) note(out.vars, result);
    return out;
  }
  void note(std::vector<Register>& vars, Register used) const {
    if (burin::at(used) < point_.size() && std::count(vars.begin(), vars.end(), used) == 0)
      vars.push_back(used);
  }

  std::vector<Node> compile(const Stmts& stmts) {
    std::vector<Node> out;
    for (const Stmt& stmt : stmts) {
      Node node;
      node.stmt = &stmt;
      std::visit([&](const auto& one) { compile(one, node); }, stmt.node);
      out.push_back(std::move(node));
    }
    return out;
  }

  void compile(const For& loop, Node& node) {
    ProgramBuilder builder(scope_);
    builder.result(Expr::index(loop.begin));
    builder.result(Expr::index(loop.end));
    node.piece = finish(builder);
    if (!loop.inductions.empty()) {
      ProgramBuilder inductions(scope_);
      for (const InductionVariable& induction : loop.inductions) {
        for (const Index& one : {induction.dividend, induction.divisor, induction.step})
          inductions.result(Expr::index(one));
      }
      node.counting = finish(inductions);
    }
    node.first = compile(loop.body);
  }
  void compile(const If& branch, Node& node) {
    ProgramBuilder builder(scope_);
    builder.guard(branch.when);
    node.piece = finish(builder);
    node.first = compile(branch.then);
    node.second = compile(branch.otherwise);
  }
  void compile(const Let& let, Node& node) {
    ProgramBuilder builder(scope_);
    builder.result(Expr::index(let.value));
    node.piece = finish(builder);
  }
  void compile(const Name&, Node&) {}
  void compile(const Alloc&, Node&) {}
  void compile(const Barrier&, Node&) {}
  // Results: the offset in each buffer, then the values.
  void compile(const Store& store, Node& node) {
    ProgramBuilder builder(scope_);
    for (const BufferId to : store.to) builder.result_offset(memory_[burin::at(to)].view, store.at);
    for (const Expr& value : store.value) builder.result(value);
    node.piece = finish(builder);
    const Type type = store.value[0].type();
    if (is_keyed(store.combine)) {
      node.better = function_of(better_key(store.combine), type);
    } else if (store.combine != Combiner::none) {
      node.combine = function_of(*combining(store.combine), type);
    }
  }
  void compile(const Call&, Node&) { BURIN_CHECK(false, "calls are expanded"); }

  // --- Running ---
  bool run(Piece& piece) {
    for (const Register var : piece.vars)
      piece.code.registers[burin::at(var)].integer = point_[burin::at(var)];
    return piece.code.run();
  }
  static int64_t result(const Piece& piece, size_t i) { return piece.code.result(i).integer; }

  void set(int var, int64_t value) {
    BURIN_CHECK(0 <= value && value < scope_.axes[burin::at(var)],
                program_.name + ": i" + std::to_string(var) + " is " + std::to_string(value));
    point_[burin::at(var)] = value;
  }

  void execute(std::vector<Node> nodes) { run_block(nodes); }
  void run_block(std::vector<Node>& nodes) {
    for (Node& node : nodes)
      std::visit([&](const auto& one) { run_one(one, node); }, node.stmt->node);
  }

  void run_one(const For& loop, Node& node) {
    run(node.piece);
    const int64_t begin = result(node.piece, 0), end = result(node.piece, 1);
    if (loop.kind == Kind::vector) return run_lanes(loop, node, begin, end);
    if (loop.kind == Kind::independent || loop.kind == Kind::item || loop.kind == Kind::group)
      return run_backwards(loop, node, begin, end);
    if (loop.kind == Kind::thread) return run_parts(loop, node, begin, end);
    std::vector<int64_t> counted;
    for (int64_t at = begin; at < end; at += loop.step) {
      set(loop.var, at);
      if (!loop.inductions.empty()) count(loop, node, counted);
      run_block(node.first);
    }
  }
  // Of one step, two and three where the loop knows parts: what callers may ask for.
  void run_parts(const For& loop, Node& node, int64_t begin, int64_t end) {
    std::vector<std::pair<int64_t, int64_t>> parts;
    int64_t steps = 1;
    for (int64_t at = begin; at < end; at += steps * loop.step) {
      if (loop.part_end >= 0) steps = steps % 3 + 1;
      parts.emplace_back(at, std::min(at + steps * loop.step, end));
    }
    if (order_ == PartOrder::backward) std::reverse(parts.begin(), parts.end());
    std::vector<int64_t> counted;
    for (const auto& [first, last] : parts) {
      set(loop.var, first);
      if (loop.part_end >= 0) part_ends_[loop.part_end] = last;
      if (order_ == PartOrder::backward) counted.clear();  // a part begins where it is asked to
      if (!loop.inductions.empty()) count(loop, node, counted);
      run_block(node.first);
    }
  }
  // Any order would do.
  void run_backwards(const For& loop, Node& node, int64_t begin, int64_t end) {
    const int64_t points = end <= begin ? 0 : (end - begin + loop.step - 1) / loop.step;
    for (int64_t k = points; k-- > 0;) {
      set(loop.var, begin + k * loop.step);
      run_block(node.first);
    }
  }
  // All lanes of a statement before the next one, as vectors are computed.
  void run_lanes(const For& loop, Node& node, int64_t begin, int64_t end) {
    for (Node& stmt : node.first) {
      for (int64_t at = begin; at < end; at += loop.step) {
        set(loop.var, at);
        std::visit([&](const auto& one) { run_one(one, stmt); }, stmt.stmt->node);
      }
    }
  }
  // Induction variables move as they say: what code that steps them relies on.
  void count(const For& loop, Node& node, std::vector<int64_t>& last) {
    run(node.counting);
    std::vector<int64_t> now;
    for (size_t k = 0; k < 3 * loop.inductions.size(); ++k) now.push_back(result(node.counting, k));
    const auto quotient = [](const std::vector<int64_t>& of, int induction) {
      const size_t k = 3 * burin::at(induction);
      return floor_divide(of[k], of[k + 1]);
    };
    for (size_t k = 0; k < loop.inductions.size() && !last.empty(); ++k) {
      const InductionVariable& induction = loop.inductions[k];
      if (induction.moved == InductionVariable::Moved::by_much) continue;
      int64_t gain = now[3 * k + 2];
      if (induction.parent >= 0)
        gain *= std::abs(quotient(now, induction.parent) - quotient(last, induction.parent));
      BURIN_CHECK(now[3 * k] == last[3 * k] + gain && now[3 * k + 1] == last[3 * k + 1],
                  program_.name + ": " + induction.quotient + " moves otherwise");
    }
    last = std::move(now);
  }
  void run_one(const If&, Node& node) { run_block(run(node.piece) ? node.first : node.second); }
  void run_one(const Let& let, Node& node) {
    run(node.piece);
    const auto part_end = part_ends_.find(let.var);
    set(let.var, part_end == part_ends_.end() ? result(node.piece, 0) : part_end->second);
  }
  void run_one(const Name&, Node&) {}
  void run_one(const Barrier&, Node&) {}
  void run_one(const Alloc& alloc, Node&) {
    const Memory& memory = memory_[burin::at(alloc.buffer)];
    const int64_t bytes = size_bytes(memory.view.type, memory.own.elements());
    if (bytes == 0) return;  // rows of which there are none here
    BURIN_CHECK(memory.to != nullptr, memory.view.name + " in its scratch");
    std::fill_n(memory.to, bytes, std::byte{0xff});
  }

  void run_one(const Store& store, Node& node) {
    state_.charge(1, static_cast<int64_t>(node.piece.code.code.size()) + 1);
    run(node.piece);
    const burin::Program& code = node.piece.code;
    const size_t count = store.to.size();
    const auto memory = [&](size_t k) -> Memory& { return memory_[burin::at(store.to[k])]; };
    const auto put = [&](size_t k, ScalarValue value) {
      memory(k).store(memory(k).to, code.result(k).integer, value);
    };
    const auto there = [&](size_t k) {
      return memory(k).load(memory(k).to, code.result(k).integer);
    };
    if (node.better != nullptr) {
      const bool taken = there(count - 1).integer != 0;
      if (taken && node.better(code.result(count), there(0)).integer == 0) return;
      for (size_t k = 0; k + 1 < count; ++k) put(k, code.result(count + k));
      put(count - 1, {0, 1});
      return;
    }
    ScalarValue value = code.result(count);
    if (node.combine != nullptr) value = node.combine(there(0), value);
    put(0, value);
  }

  void run_one(const Call&, Node&) {}

  const Program& program_;
  RunState state_;
  ProgramScope scope_;
  std::vector<Memory> memory_;
  std::vector<std::byte> scratch_;
  std::vector<int64_t> point_;  // of the variables
  const PartOrder order_;
  std::map<int, int64_t> part_ends_;  // of the parts of threads' loops that run now
  int64_t bytes_ = 0;
};

}  // namespace

RunResult run_loops(const Program& program, const std::vector<Value>& values,
                    Environment& environment, PartOrder order) {
  RunResult out;
  try {
    const Program expanded = expand_items(expand_calls(program));
    LoopRun(expanded, values, environment, order).run();
  } catch (const RunStopped& stopped) {
    out.status = stopped.status;
    out.message = stopped.message;
    out.beyond = stopped.beyond;
  }
  return out;
}

}  // namespace burin::loops
