#include "loops/kernel_buffers.h"

#include <algorithm>

#include "kernel/combiner.h"
#include "support/at.h"
#include "support/check.h"

namespace burin::loops {
namespace {

// Tensors in the order in which lets and writes read them.
std::vector<ValueId> reads_in_order(const Kernel& kernel) {
  std::vector<ValueId> out;
  const auto on_node = [&](const ExprNode& node) {
    if (node.kind == ExprKind::load && std::count(out.begin(), out.end(), node.id) == 0)
      out.push_back(node.id);
  };
  for (const burin::Let& let : kernel.lets) {
    for (const Expr& body : let.body) visit(body, on_node);
  }
  for (const Write& write : kernel.writes) {
    for (const Index& index : write.at) visit(index, on_node);
    for (const Condition& condition : write.when) visit(condition.index, on_node);
    visit(write.value, on_node);
  }
  return out;
}

Combiner combiner_of(How how) {
  static constexpr Combiner kCombiners[] = {Combiner::none, Combiner::sum, Combiner::product,
                                            Combiner::min, Combiner::max};
  return kCombiners[static_cast<size_t>(how)];
}

}  // namespace

KernelBuffers::KernelBuffers(const Kernel& kernel, const std::vector<Value>& values,
                             Program& program, const ImageMaps& images) {
  program.name = kernel.name;
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis)
    program.add(Var{"i" + std::to_string(axis), kernel.axes[axis].extent});
  std::vector<ValueId> writes;
  for (const Write& write : kernel.writes) {
    if (std::count(writes.begin(), writes.end(), write.to) == 0) writes.push_back(write.to);
  }
  const auto add = [&](ValueId id, const std::string& name, bool written) {
    const Value& value = values[burin::at(id)];
    Layout layout = value.layout;
    std::erase_if(layout.blocks, [](const Layout::Block& block) { return block.factor == 1; });
    Buffer buffer{name, value.type, value.shape, layout, Scope::argument, id, written, 0};
    if (const auto image = images.find(id); image != images.end()) {
      const ImageExtent extent = image_extent(image->second, value.shape);
      buffer.image = image->second;
      buffer.layout = {};
      buffer.shape = {extent.height, extent.width, kTexel};
    }
    tensors_[id] = {program.add(buffer), buffer.image, value.shape};
  };
  int reads = 0;
  const auto add_read = [&](ValueId id) {
    if (!tensors_.contains(id) && std::count(writes.begin(), writes.end(), id) == 0)
      add(id, "x" + std::to_string(reads++), false);
  };
  for (const ValueId id : reads_in_order(kernel)) add_read(id);
  // Bounds of guards may look at tensors, too.
  for (const ValueId id : burin::reads_of(kernel)) add_read(id);
  for (size_t k = 0; k < writes.size(); ++k) add(writes[k], "y" + std::to_string(k), true);
}

Expr KernelBuffers::leaf(const Expr& node) const {
  if (node.kind() == ExprKind::load) {
    const BufferId buffer = buffer_of(node->id);
    std::vector<Index> at = place(node->id, node->at);
    return node->type == Type::f16 ? Expr::fp16_load(buffer, std::move(at))
                                   : Expr::load(buffer, node->storage, std::move(at));
  }
  if (node.kind() != ExprKind::let) return node;
  BURIN_CHECK(static_cast<bool>(let_), "a let without a place");
  return let_(node->id, node->component, node->at);
}

std::vector<Index> KernelBuffers::place(ValueId value, const std::vector<Index>& at) const {
  const Tensor& tensor = tensors_.at(value);
  if (!tensor.image) return at;
  const ImagePoint point = image_point(*tensor.image, tensor.shape, at);
  return {point.y, point.x, point.component};
}

Index KernelBuffers::symbol(const Index& leaf) const {
  if (leaf.kind() != IndexKind::symbol) return leaf;
  const auto found = symbols_.find(leaf.as_symbol()->name);
  return found == symbols_.end() ? leaf : found->second;
}

Expr KernelBuffers::expr(const Expr& expr) const {
  return rewrite(
      expr, [this](const Expr& node) { return leaf(node); },
      [this](const Index& one) { return symbol(one); });
}

Index KernelBuffers::index(const Index& index) const {
  return rewrite(
      index, [this](const Expr& node) { return leaf(node); },
      [this](const Index& one) { return symbol(one); });
}

std::vector<Index> KernelBuffers::indices(const std::vector<Index>& indices) const {
  std::vector<Index> out;
  for (const Index& one : indices) out.push_back(index(one));
  return out;
}

Guard KernelBuffers::guard(const Guard& guard) const {
  Guard out;
  for (const Condition& one : guard)
    out.push_back({index(one.index), index(one.lo), index(one.hi)});
  return out;
}

std::string let_name(const burin::Let& let, int number, int component) {
  static constexpr const char* kNames[] = {"v",        "sum",   "product", "least",
                                           "greatest", "all",   "any",     "greatest",
                                           "greatest", "least", "least"};
  return kNames[static_cast<size_t>(let.op)] + std::to_string(number) +
         (component > 0 ? "_" + std::to_string(component) : "");
}

Stmt store_of(const Write& write, const KernelBuffers& buffers) {
  Stmt store{Store{{buffers.buffer_of(write.to)},
                   buffers.place(write.to, buffers.indices(write.at)),
                   {buffers.expr(write.value)},
                   combiner_of(write.how)}};
  if (write.when.empty()) return store;
  return {If{buffers.guard(write.when), {std::move(store)}, {}}};
}

Stmt accumulate(const burin::Let& let, std::vector<BufferId> to, std::vector<Index> at,
                std::vector<Expr> value) {
  for (size_t c = 0; c < value.size(); ++c) {
    if (value[c].type() != let.accumulator[c]) value[c] = Expr::cast(let.accumulator[c], value[c]);
  }
  return {Store{std::move(to), std::move(at), std::move(value), let.op}};
}

Stmts begin(const burin::Let& let, const std::vector<BufferId>& to, const std::vector<Index>& at) {
  Stmts out;
  for (size_t c = 0; c < let.body.size(); ++c) {
    const bool payload = is_keyed(let.op) && c > 0;
    const Expr neutral =
        payload ? Expr::constant(let.accumulator[c], 0) : identity_of(let.op, let.accumulator[c]);
    out.push_back({Store{{to[c]}, at, {neutral}, Combiner::none}});
  }
  if (is_keyed(let.op))
    out.push_back({Store{{to.back()}, at, {Expr::boolean(false)}, Combiner::none}});
  return out;
}

}  // namespace burin::loops
