#include "fuse/unpack.h"

#include <set>

#include "kernel/layout.h"
#include "kernel/rewrite_kernel.h"
#include "kernel/tensor.h"

namespace burin {
namespace {

constexpr int64_t kLeastPairs = 2048;  // bytes that they save: shifts take more than a few bytes

bool is_packed(Type type) { return size_bits(type) == 4; }

Type byte_of(Type type) { return type == Type::i4 ? Type::i8 : type == Type::u4 ? Type::u8 : type; }

Expr unpacked(const Expr& expr) {
  if (expr.kind() != ExprKind::load || !is_packed(expr->storage)) return expr;
  const Expr byte = Expr::load(expr->id, byte_of(expr->storage), expr->at);
  return Expr::cast(expr.type(), byte);
}

Expr unpacked_everywhere(const Expr& expr) {
  return rewrite(expr, unpacked, [](const Index& leaf) { return leaf; });
}

Index unpacked_everywhere(const Index& index) {
  return rewrite(index, unpacked, [](const Index& leaf) { return leaf; });
}

void unpack(Guard& guard) {
  for (Condition& condition : guard) {
    for (Index* part : {&condition.index, &condition.lo, &condition.hi})
      *part = unpacked_everywhere(*part);
  }
}

// What a write to 4 bits stores: the number wrapped into them, as a byte.
Expr stored(const Expr& value, Type type) {
  if (value.kind() == ExprKind::load && value->storage == type)
    return Expr::load(value->id, byte_of(type), value->at);
  return Expr::cast(byte_of(type), Expr::cast(type, unpacked_everywhere(value)));
}

void unpack(Kernel& kernel, const std::vector<Value>& before) {
  for (Let& let : kernel.lets) {
    for (Expr& body : let.body) body = unpacked_everywhere(body);
  }
  for (Write& write : kernel.writes) {
    const Type type = before[static_cast<size_t>(write.to)].type;
    write.value = is_packed(type) ? stored(write.value, type) : unpacked_everywhere(write.value);
    for (Index& at : write.at) at = unpacked_everywhere(at);
    unpack(write.when);
  }
}

void unpack(Steps& steps, const std::vector<Value>& before) {
  for (Step& step : steps) {
    if (Kernel* kernel = std::get_if<Kernel>(&step)) unpack(*kernel, before);
    if (Procedure* procedure = std::get_if<Procedure>(&step))
      procedure->element = byte_of(procedure->element);
    if (Bind* bind = std::get_if<Bind>(&step)) bind->value = unpacked_everywhere(bind->value);
    if (Check* check = std::get_if<Check>(&step)) unpack(check->guard);
    if (auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      (*branch)->condition = unpacked_everywhere((*branch)->condition);
      unpack((*branch)->then_steps, before);
      unpack((*branch)->else_steps, before);
    }
    if (auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      (*loop)->condition = unpacked_everywhere((*loop)->condition);
      unpack((*loop)->body, before);
    }
  }
}

Constant unpacked_constant(const Value& value) {
  int64_t elements = 1;
  for (const Dim& dim : value.shape) elements *= dim.constant();
  std::vector<std::byte> bytes(static_cast<size_t>(elements));
  for (int64_t k = 0; k < elements; ++k) {
    const auto pair = static_cast<unsigned>(value.constant.data[k / 2]);
    const unsigned nibble = (k % 2 != 0 ? pair >> 4 : pair) & 15u;
    const bool negative = value.type == Type::i4 && nibble > 7;
    bytes[static_cast<size_t>(k)] = static_cast<std::byte>(negative ? nibble | 240u : nibble);
  }
  return make_constant(std::move(bytes));
}

// Of two to a byte: shifted against the top, and down again with the sign that it has there.
Expr out_of_pair(const Expr& load, const std::vector<Dim>& shape) {
  const Index place = linearize(load->at, shape);
  const Expr byte = Expr::cast(load.type(), Expr::load(load->id, Type::u8, {floordiv(place, 2)}));
  const Expr up = Expr::cast(load.type(), Expr::index(28 - mod(place, 2) * 4));
  return Expr::binary(Binary::shift_right, Expr::binary(Binary::shift_left, byte, up),
                      Expr::constant(load.type(), 28));
}

// Constants that stay two to a byte: many, and only maps read them, which take single elements out
// as they come (a table of embeddings). Sums of products pack theirs in a way of their own.
std::set<ValueId> find_pairs(const KernelGraph& graph) {
  std::set<ValueId> pairs;
  for (size_t id = 0; id < graph.values.size(); ++id) {
    const Value& value = graph.values[id];
    if (is_packed(value.type) && value.kind == ValueKind::constant &&
        product(value.shape).constant() >= kLeastPairs * 2)
      pairs.insert(static_cast<ValueId>(id));
  }
  for_each_step(graph.steps, [&](const Step& step) {
    const Kernel* kernel = std::get_if<Kernel>(&step);
    if (kernel && kernel->lets.empty()) return;
    for (const ValueId id : reads_of(step)) pairs.erase(id);
  });
  return pairs;
}

void keep_pairs(KernelGraph& graph, const std::set<ValueId>& pairs) {
  for_each_kernel(graph.steps, [&](Kernel& kernel) {
    rewrite_exprs(kernel, [&](const Expr& expr) -> Expr {
      if (expr.kind() != ExprKind::load || !pairs.contains(expr->id)) return expr;
      return out_of_pair(expr, graph.values[static_cast<size_t>(expr->id)].shape);
    });
  });
  for (const ValueId id : pairs) {
    Value& value = graph.values[static_cast<size_t>(id)];
    value.type = Type::u8;
    value.shape = {ceildiv(product(value.shape), 2)};
  }
}

}  // namespace

KernelGraph unpack_nibbles(KernelGraph graph) {
  bool any = false;
  for (const Value& value : graph.values) any = any || is_packed(value.type);
  if (!any) return graph;
  keep_pairs(graph, find_pairs(graph));
  const std::vector<Value> before = graph.values;
  unpack(graph.steps, before);
  for (Value& value : graph.values) {
    if (!is_packed(value.type)) continue;
    if (value.kind == ValueKind::constant) value.constant = unpacked_constant(value);
    value.type = byte_of(value.type);
  }
  return graph;
}

}  // namespace burin
