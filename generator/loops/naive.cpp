#include "loops/naive.h"

#include <algorithm>

#include "kernel/combiner.h"
#include "kernel/expr/expr_axes.h"
#include "loops/kernel_buffers.h"
#include "support/at.h"

namespace burin::loops {
namespace {

constexpr int64_t kAlignment = 64;  // of buffers in scratch, in bytes

class NaiveProgram {
 public:
  NaiveProgram(const Kernel& kernel, const std::vector<Value>& values)
      : kernel_(kernel), buffers_(kernel, values, program_) {
    for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
      if (kernel.axes[axis].kind == AxisKind::sequential)
        sequential_.push_back(static_cast<int>(axis));
    }
    for (size_t number = 0; number < kernel.lets.size(); ++number) add_let(number);
    buffers_.set_lets([this](int let, int component, const std::vector<Index>& at) {
      const BufferId buffer = lets_[burin::at(let)][burin::at(component)];
      return program_.element(buffer,
                              kernel_.lets[burin::at(let)].accumulator[burin::at(component)], at);
    });
  }

  Program run() {
    program_.body = level(0);
    return std::move(program_);
  }

 private:
  std::vector<Dim> extents(const std::vector<int>& axes) const {
    std::vector<Dim> out;
    for (const int axis : axes) out.push_back(kernel_.axes[burin::at(axis)].extent);
    return out;
  }

  void add_let(size_t number) {
    const burin::Let& let = kernel_.lets[number];
    std::vector<BufferId> own;
    for (size_t c = 0; c < let.body.size(); ++c) {
      Buffer buffer;
      buffer.name = let_name(let, static_cast<int>(number), static_cast<int>(c)) + "_rows";
      buffer.type = let.accumulator[c];
      buffer.shape = extents(let.over);
      buffer.scope = Scope::scratch;
      buffer.offset = program_.scratch_bytes;
      const Dim bytes = product(buffer.shape) * (size_bits(buffer.type) / 8);
      program_.scratch_bytes += ceildiv(bytes, kAlignment) * kAlignment;
      own.push_back(program_.add(std::move(buffer)));
    }
    lets_.push_back(std::move(own));
  }

  Stmts around(const std::vector<int>& axes, Stmts body) const {
    for (size_t k = axes.size(); k-- > 0;) {
      const Dim& extent = kernel_.axes[burin::at(axes[k])].extent;
      body = {Stmt{For{axes[k], 0, extent, 1, Kind::serial, std::move(body)}}};
    }
    return body;
  }

  std::vector<int> inner(const std::vector<int>& axes) const {
    std::vector<int> out;
    for (const int axis : axes) {
      if (!contains(sequential_, axis)) out.push_back(axis);
    }
    return out;
  }

  // Everything at one point of the first `depth` sequential axes.
  Stmts level(size_t depth) {
    Stmts out;
    if (depth < sequential_.size()) {
      out = around({sequential_[depth]}, level(depth + 1));
    } else {
      for (size_t number = 0; number < kernel_.lets.size(); ++number) {
        for (Stmt& stmt : let(number)) out.push_back(std::move(stmt));
      }
    }
    for (const Write& write : kernel_.writes) {
      if (level_of(write) != depth) continue;
      Stmts body = around(inner(write.over), {store_of(write, buffers_)});
      if (const Guard last = last_point(write, depth); !last.empty())
        body = {Stmt{If{last, std::move(body), {}}}};
      for (Stmt& stmt : body) out.push_back(std::move(stmt));
    }
    return out;
  }

  // How many sequential axes are outside of a write: up to the last one that it has.
  size_t level_of(const Write& write) const {
    size_t out = 0;
    for (size_t k = 0; k < sequential_.size(); ++k) {
      if (contains(write.over, sequential_[k])) out = k + 1;
    }
    return out;
  }

  // Sequential axes outside of a write that it has not: it runs at their last points.
  Guard last_point(const Write& write, size_t depth) const {
    Guard out;
    for (size_t k = 0; k < depth; ++k) {
      if (contains(write.over, sequential_[k])) continue;
      const Dim& extent = kernel_.axes[burin::at(sequential_[k])].extent;
      out.push_back({program_.var(sequential_[k]), extent - 1, extent});
    }
    return out;
  }

  Stmts let(size_t number) {
    const burin::Let& let = kernel_.lets[number];
    std::vector<Index> at;
    for (const int axis : let.over) at.push_back(program_.var(axis));
    std::vector<Expr> body;
    for (const Expr& one : let.body) body.push_back(buffers_.expr(one));
    if (let.op == Combiner::none) {
      for (size_t c = 0; c < body.size(); ++c) {
        if (body[c].type() != let.accumulator[c]) body[c] = Expr::cast(let.accumulator[c], body[c]);
      }
      Stmts stores;
      for (size_t c = 0; c < body.size(); ++c)
        stores.push_back({Store{{lets_[number][c]}, at, {body[c]}, Combiner::none}});
      return around(inner(let.over), std::move(stores));
    }
    std::vector<BufferId> sums;
    for (size_t c = 0; c < let.body.size(); ++c)
      sums.push_back(
          local(let_name(let, static_cast<int>(number), static_cast<int>(c)), let.accumulator[c]));
    if (is_keyed(let.op)) sums.push_back(local("taken" + std::to_string(number), Type::boolean));
    Stmts out;
    for (const BufferId sum : sums) out.push_back({Alloc{sum}});
    for (Stmt& stmt : begin(let, sums, {})) out.push_back(std::move(stmt));
    for (Stmt& stmt : around(let.reduced, {accumulate(let, sums, {}, body)}))
      out.push_back(std::move(stmt));
    for (size_t c = 0; c < let.body.size(); ++c)
      out.push_back({Store{{lets_[number][c]},
                           at,
                           {program_.element(sums[c], let.accumulator[c], {})},
                           Combiner::none}});
    return around(inner(let.over), std::move(out));
  }

  BufferId local(const std::string& name, Type type) {
    Buffer buffer;
    buffer.name = name;
    buffer.type = type;
    return program_.add(std::move(buffer));
  }

  const Kernel& kernel_;
  Program program_;
  KernelBuffers buffers_;
  std::vector<int> sequential_;
  std::vector<std::vector<BufferId>> lets_;  // by let and component
};

}  // namespace

Program naive_program(const Kernel& kernel, const std::vector<Value>& values) {
  return NaiveProgram(kernel, values).run();
}

}  // namespace burin::loops
