#include "loops/run/expand_calls.h"

#include <map>

#include "isa/instruction.h"
#include "kernel/layout.h"
#include "loops/footprint.h"
#include "loops/naive.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

// The naive program of an instruction, whose variables and own buffers follow those of a program.
struct Expansion {
  Program naive;
  int first_var = 0;
  BufferId first_buffer = 0;
};

class Expander {
 public:
  explicit Expander(const Program& program) : out_(program) {}

  Program run() {
    out_.body = rewrite(out_.body, [this](Stmt stmt) {
      const auto* call = std::get_if<Call>(&stmt.node);
      return call == nullptr ? Stmts{std::move(stmt)} : expanded(*call);
    });
    return std::move(out_);
  }

 private:
  // Calls of one instruction stand behind each other, so they share variables and buffers.
  const Expansion& expansion_of(const Call& call) {
    const auto known = known_.find({call.op, call.sizes});
    if (known != known_.end()) return known->second;
    Expansion made;
    made.naive = naive_program(call.op->meaning, call.op->values);
    made.first_var = static_cast<int>(out_.vars.size());
    made.first_buffer = static_cast<BufferId>(out_.buffers.size());
    const std::string number = std::to_string(known_.size());
    for (Var var : made.naive.vars) {
      var.name = "call" + number + "_" + var.name;
      // Sizes may follow variables; those of variables may not.
      var.extent = sized(var.extent, call);
      if (var.extent.has_axes()) var.extent = var.extent.upper_bound().value_or(kUnbounded);
      out_.add(std::move(var));
    }
    for (Buffer one : made.naive.buffers) {
      // What was an operand is redirected; nothing reads it here.
      if (one.scope != Scope::local) one.scope = Scope::stack;
      one.name = "call" + number + "_" + one.name;
      one.value = kNoValue;
      one.written = false;
      for (Dim& dim : one.shape) {
        dim = sized(dim, call);
        if (one.scope == Scope::stack && dim.has_axes()) dim = 1;  // which nobody looks at
      }
      out_.add(std::move(one));
    }
    return known_.emplace(std::pair(call.op, call.sizes), std::move(made)).first->second;
  }

  static Index sized(const Index& index, const Call& call) {
    Index out = index;
    for (size_t s = 0; s < call.sizes.size(); ++s)
      out = out.substitute_symbol(call.op->sizes[s]->name, call.sizes[s]);
    return out;
  }

  // A texel beyond an image may be asked for where nothing takes what it gives.
  Region inside(Region region) const {
    const Buffer& of = out_.buffers[burin::at(region.buffer)];
    if (!of.image) return region;
    for (size_t d = 0; d + 1 < region.first.size(); ++d)
      region.first[d] = max(0, min(region.first[d], of.shape[d] - 1));
    return region;
  }

  Stmts expanded(const Call& call) {
    const Expansion& of = expansion_of(call);
    const auto on_leaf = [&](const Index& leaf) {
      return leaf.kind() == IndexKind::axis ? out_.var(of.first_var + leaf.axis_id())
                                            : sized(leaf, call);
    };
    const auto on_node = [&](const Expr& node) {
      if (node.kind() != ExprKind::load) return node;
      const BufferId buffer = of.first_buffer + static_cast<BufferId>(node->id);
      return node.type() == Type::f16 ? Expr::fp16_load(buffer, node->at)
                                      : Expr::load(buffer, node->storage, node->at);
    };
    Stmts body = rewrite(of.naive.body, [&](Stmt stmt) {
      stmt = map(
          std::move(stmt),
          [&](const Index& index) { return burin::rewrite(index, on_node, on_leaf); },
          [&](const Expr& expr) { return burin::rewrite(expr, on_node, on_leaf); });
      if (auto* loop = std::get_if<For>(&stmt.node)) loop->var += of.first_var;
      if (auto* let = std::get_if<Let>(&stmt.node)) let->var += of.first_var;
      if (auto* alloc = std::get_if<Alloc>(&stmt.node)) alloc->buffer += of.first_buffer;
      if (auto* store = std::get_if<Store>(&stmt.node)) {
        for (BufferId& to : store->to) to += of.first_buffer;
      }
      return Stmts{std::move(stmt)};
    });
    for (size_t b = 0; b < of.naive.buffers.size(); ++b) {
      const Buffer& one = of.naive.buffers[b];
      if (one.scope != Scope::argument) continue;
      const size_t operand = burin::at(static_cast<int>(one.value));
      const Region region = inside(call.operands[operand]);
      const size_t outer = region.first.size() - one.shape.size();
      const std::vector<Dim>& shape = out_.buffers[burin::at(region.buffer)].shape;
      const bool on = runs_on(out_, call, operand);
      body = redirect(body, of.first_buffer + static_cast<BufferId>(b), region.buffer,
                      [&](const std::vector<Index>& at) {
                        if (on) return delinearize(linearize(region.first, shape) + at[0], shape);
                        std::vector<Index> out = region.first;
                        for (size_t d = 0; d < at.size(); ++d) out[outer + d] += at[d];
                        return out;
                      });
    }
    return body;
  }

  Program out_;
  std::map<std::pair<const isa::Instruction*, std::vector<Dim>>, Expansion> known_;
};

}  // namespace

Program expand_calls(const Program& program) { return Expander(program).run(); }

}  // namespace burin::loops
