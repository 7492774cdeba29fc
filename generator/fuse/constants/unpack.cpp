#include "fuse/constants/unpack.h"

#include <algorithm>
#include <map>
#include <set>

#include "kernel/layout.h"
#include "kernel/rewrite_kernel.h"
#include "kernel/shared_bytes.h"
#include "kernel/tensor.h"

namespace burin {
namespace {

constexpr int64_t kLeastShared = 4096;  // elements: shifts take more than a few bytes

// Of which every number of the type is one.
Type byte_of(Type type) {
  if (!is_packed(type)) return type;
  return is_float(type) ? Type::f8e4m3fn : is_signed(type) ? Type::i8 : Type::u8;
}

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
  const int64_t elements = product(value.shape).constant();
  const LoadFunction load = load_function(value.type);
  const StoreFunction store = store_function(byte_of(value.type));
  std::vector<std::byte> bytes(static_cast<size_t>(elements));
  for (int64_t k = 0; k < elements; ++k) store(bytes.data(), k, load(value.constant.data, k));
  return make_constant(std::move(bytes));
}

// Values that kernels pack so, and those that they and other steps take single elements of.
struct Readers {
  std::set<ValueId> packed, single;
};

Readers find_readers(KernelGraph& graph) {
  Readers readers;
  for_each_kernel(graph.steps, [&](Kernel& kernel) {
    rewrite_exprs(kernel, [&](const Expr& expr) {
      if (expr.kind() == ExprKind::load && is_packed(expr->storage))
        (takes_single_elements(kernel, *expr) ? readers.single : readers.packed).insert(expr->id);
      return expr;
    });
  });
  for_each_step(graph.steps, [&](const Step& step) {
    if (std::holds_alternative<Kernel>(step)) return;
    for (const ValueId id : reads_of(step)) readers.packed.insert(id);
  });
  return readers;
}

bool are_many(const Value& value) {
  return is_packed(value.type) && value.kind == ValueKind::constant &&
         product(value.shape).constant() >= kLeastShared;
}

// Integers that stay several to a byte: many, of which single elements are taken out as they come
// (a table of embeddings). Sums of products pack theirs in a way of their own, and what maps read
// of these, too, is settled then (select/products/repacked.h).
std::set<ValueId> find_shared_bytes(KernelGraph& graph) {
  std::set<ValueId> shared;
  for (size_t id = 0; id < graph.values.size(); ++id) {
    if (are_many(graph.values[id]) && is_integer(graph.values[id].type))
      shared.insert(static_cast<ValueId>(id));
  }
  for (const ValueId id : find_readers(graph).packed) shared.erase(id);
  return shared;
}

void keep_shared_bytes(KernelGraph& graph, const std::set<ValueId>& shared) {
  for_each_kernel(graph.steps, [&](Kernel& kernel) {
    rewrite_exprs(kernel, [&](const Expr& expr) -> Expr {
      if (expr.kind() != ExprKind::load || !shared.contains(expr->id)) return expr;
      const Index place = linearize(expr->at, graph.values[static_cast<size_t>(expr->id)].shape);
      return out_of_byte(expr->id, place, size_bits(expr->storage), expr.type());
    });
  });
  for (const ValueId id : shared) {
    Value& value = graph.values[static_cast<size_t>(id)];
    value.type = Type::u8;
    value.shape = {static_cast<int64_t>(value.constant.bytes)};
  }
}

// Constants of floats of 4 bits as their codes, where there are many: they stay as small as other
// numbers of 4 bits do, and a table has what each stands for.
void take_codes(KernelGraph& graph) {
  std::set<ValueId> coded;
  for (size_t id = 0; id < graph.values.size(); ++id) {
    const Value& value = graph.values[id];
    if (value.type == Type::f4e2m1 && are_many(value)) coded.insert(static_cast<ValueId>(id));
  }
  for_each_step(graph.steps, [&](const Step& step) {
    if (std::holds_alternative<Kernel>(step)) return;
    for (const ValueId id : reads_of(step)) coded.erase(id);
  });
  if (coded.empty()) return;
  for (const ValueId id : coded) graph.values[static_cast<size_t>(id)].type = Type::u4;
  const std::vector<double> numbers = {0,    0.5,  1,  1.5,  2,  3,  4,  6,
                                       -0.0, -0.5, -1, -1.5, -2, -3, -4, -6};
  const HostTensor host = make_tensor(Type::f32, {16}, numbers);
  const auto table = static_cast<ValueId>(graph.values.size());
  Value& added = graph.values.emplace_back();
  added.kind = ValueKind::constant;
  added.name = "floats_of_4_bits";
  added.type = host.type;
  added.shape = {16};
  added.constant = to_constant(host);
  for_each_kernel(graph.steps, [&](Kernel& kernel) {
    rewrite_exprs(kernel, [&](const Expr& expr) -> Expr {
      if (expr.kind() != ExprKind::load || !coded.contains(expr->id)) return expr;
      const Expr code = Expr::cast(Type::i64, Expr::load(expr->id, Type::u4, expr->at));
      return Expr::load(table, Type::f32, {Index::data(code.ptr(), {0, 15})});
    });
  });
}

}  // namespace

KernelGraph unpack_nibbles(KernelGraph graph) {
  bool any = false;
  for (const Value& value : graph.values) any = any || is_packed(value.type);
  if (!any) return graph;
  take_codes(graph);
  keep_shared_bytes(graph, find_shared_bytes(graph));
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
