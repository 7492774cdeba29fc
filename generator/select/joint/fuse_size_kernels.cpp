// Kernels that find sizes and flags, fused where order allows (device_sizes.h).
//
// Steps are taken in order; each such kernel is fused with the last one before it, if nothing
// between the two writes what it loads or finds a size of the host that it uses. Its value becomes
// a let there:
//
//   let1 = flag of let0 is 1 ? value, with sizes of the same kernel as lets : the least
//   sizes[2] := let1, cut to its bounds;  sizes[3] := let1
#include <algorithm>
#include <set>

#include "kernel/index/size_bound.h"
#include "select/joint/device_sizes.h"

namespace burin {
namespace {

constexpr int64_t kTensorArgumentBytes = 16, kNumberArgumentBytes = 16;  // bytes, at most

// What one of the kernels is about.
struct SizeItem {
  size_t size = 0;  // its place among all sizes
  Kernel kernel;
  std::set<ValueId> loads;
  std::set<std::string> symbols, of_shapes;  // that the value uses; of what it loads
  Symbol behind;                             // the flag of the last check before it, or null
};

std::set<std::string> names_of(const std::vector<Symbol>& symbols) {
  std::set<std::string> out;
  for (const Symbol& symbol : symbols) out.insert(symbol->name);
  return out;
}

template <class T>
bool disjoint(const std::set<T>& a, const std::set<T>& b) {
  return std::none_of(a.begin(), a.end(), [&](const T& one) { return b.contains(one); });
}

class SizeFusion {
 public:
  SizeFusion(KernelGraph& graph, DeviceSizes& sizes, const Hardware& hardware)
      : graph_(graph), sizes_(sizes), hardware_(hardware) {}

  void run() {
    Symbol flag;
    for (const Step& step : graph_.steps) {
      if (const std::optional<size_t> size = found_by(step)) {
        take(item_of(std::get<Kernel>(step), *size, flag));
        continue;
      }
      if (std::holds_alternative<Check>(step)) {
        for (const Symbol& symbol : symbols_of(step)) {
          for (const DeviceSize& one : sizes_.sizes) {
            if (!one.check.empty() && one.symbol->name == symbol->name) flag = one.symbol;
          }
        }
      }
      look(step);
      steps_.push_back(step);
    }
    finish();
  }

 private:
  struct Batch {
    size_t step = 0;  // its place among the new steps
    std::vector<SizeItem> items;
  };

  std::optional<size_t> found_by(const Step& step) const {
    if (!std::holds_alternative<Kernel>(step)) return std::nullopt;
    const std::vector<ValueId> writes = writes_of(step);
    if (writes.size() != 1) return std::nullopt;
    const int place = sizes_.place_of(writes[0]);
    return place < 0 ? std::nullopt : std::optional(static_cast<size_t>(place));
  }

  SizeItem item_of(const Kernel& kernel, size_t size, const Symbol& flag) const {
    SizeItem out{size, kernel, {}, {}, {}, flag};
    for (const ValueId id : reads_of(Step(kernel))) {
      out.loads.insert(id);
      for (const Dim& dim : graph_.values[static_cast<size_t>(id)].shape) {
        std::vector<Symbol> symbols;
        dim.collect_symbols(symbols);
        out.of_shapes.merge(names_of(symbols));
      }
    }
    out.symbols = names_of(symbols_of(Step(kernel)));
    if (flag) out.symbols.insert(flag->name);
    return out;
  }

  // What stands between the last batch and the present place.
  void look(const Step& step) {
    for (const ValueId id : writes_of(step)) written_.insert(id);
    for_each_step({step}, [&](const Step& one) {
      if (const auto* bind = std::get_if<Bind>(&one)) {
        const bool own = std::any_of(sizes_.sizes.begin(), sizes_.sizes.end(), [&](const auto& s) {
          return s.symbol->name == bind->symbol->name;
        });
        if (!own) found_.insert(bind->symbol->name);
      }
      if (const auto* procedure = std::get_if<Procedure>(&one))
        found_.merge(names_of(procedure->results));
      const auto* loop = std::get_if<std::shared_ptr<Loop>>(&one);
      if (loop && (*loop)->executed) found_.insert((*loop)->executed->name);
    });
  }

  bool may_fuse(const SizeItem& item) const {
    if (batches_.empty() || !disjoint(item.loads, written_) || !disjoint(item.symbols, found_))
      return false;
    std::set<std::string> own, used = item.symbols;
    std::set<ValueId> loads = item.loads;
    for (const SizeItem& other : batches_.back().items) {
      own.insert(sizes_.sizes[other.size].symbol->name);
      loads.insert(other.loads.begin(), other.loads.end());
      used.insert(other.symbols.begin(), other.symbols.end());
    }
    const auto bytes = kTensorArgumentBytes * static_cast<int64_t>(loads.size() + 1) +
                       kNumberArgumentBytes * static_cast<int64_t>(used.size());
    return disjoint(item.of_shapes, own) && bytes <= hardware_.opencl.parameter_bytes_max;
  }

  void take(SizeItem item) {
    if (may_fuse(item)) {
      batches_.back().items.push_back(std::move(item));
      return;
    }
    batches_.push_back({steps_.size(), {std::move(item)}});
    steps_.emplace_back(Kernel{});
    written_.clear();
    found_.clear();
  }

  // A size as a let of its batch, within its bounds.
  Expr inside(const Symbol& symbol, int let) const {
    const Expr most = Expr::index(*bound_before_run(Index::symbol(symbol)));
    return min(max(Expr::let(let, Type::i64, {}), Expr::constant(Type::i64, symbol->min)), most);
  }

  Kernel kernel_of(const Batch& batch, ValueId to) const {
    if (batch.items.size() == 1) return batch.items[0].kernel;
    Kernel out;
    out.name = std::to_string(batch.items.size()) + " sizes from " +
               sizes_.sizes[batch.items[0].size].symbol->name;
    for (size_t i = 0; i < batch.items.size(); ++i) {
      const SizeItem& item = batch.items[i];
      const Symbol& symbol = sizes_.sizes[item.size].symbol;
      Expr value = item.kernel.writes[1].value;  // before it is cut to its bounds
      // A flag says 0 where the one before it does.
      if (item.behind && sizes_.sizes[item.size].check.empty())
        value = Expr::cases({{{{Index::symbol(item.behind), 1, 2}}, value}},
                            Expr::constant(Type::i64, symbol->min));
      for (size_t k = 0; k < i; ++k) {
        const Symbol& other = sizes_.sizes[batch.items[k].size].symbol;
        if (!item.symbols.contains(other->name)) continue;
        const Range range = Index::symbol(other).range();
        value = substitute_symbol(
            value, other->name,
            Index::data(inside(other, static_cast<int>(k)).ptr(), {range.lo, range.hi}));
      }
      const auto let = static_cast<int>(i);
      const int64_t at = 2 * int64_t{let};
      out.lets.push_back({{}, {}, Combiner::none, {value}, {Type::i64}});
      out.writes.push_back({{}, to, {Index(at)}, inside(symbol, let), {}, How::store});
      out.writes.push_back(
          {{}, to, {Index(at + 1)}, Expr::let(let, Type::i64, {}), {}, How::store});
      out.origins = Origins::merged(out.origins, item.kernel.origins);
    }
    return out;
  }

  // Values, places and what Binds read.
  void finish() {
    std::vector<DeviceSize> sizes;
    std::map<std::string, const DeviceSize*> by_name;
    for (const Batch& batch : batches_) {
      const ValueId to = sizes_.sizes[batch.items[0].size].value;
      steps_[batch.step] = kernel_of(batch, to);
      graph_.values[static_cast<size_t>(to)].shape = {2 * static_cast<int64_t>(batch.items.size())};
      int64_t at = 0;
      for (const SizeItem& item : batch.items) {
        sizes.push_back(sizes_.sizes[item.size]);
        sizes.back().value = to;
        sizes.back().at = at;
        at += 2;
      }
    }
    for (const DeviceSize& one : sizes) by_name[one.symbol->name] = &one;
    for (Step& step : steps_) {
      auto* bind = std::get_if<Bind>(&step);
      const auto size = bind ? by_name.find(bind->symbol->name) : by_name.end();
      if (size != by_name.end())
        bind->value = Expr::load(size->second->value, Type::i64, {Index(size->second->at + 1)});
    }
    graph_.steps = std::move(steps_);
    sizes_.sizes = std::move(sizes);
  }

  KernelGraph& graph_;
  DeviceSizes& sizes_;
  const Hardware& hardware_;
  Steps steps_;
  std::vector<Batch> batches_;
  std::set<ValueId> written_;    // since the last batch
  std::set<std::string> found_;  // sizes of the host, since then
};

}  // namespace

KernelGraph fuse_size_kernels(KernelGraph graph, DeviceSizes& sizes, const Hardware& hardware) {
  if (!sizes.sizes.empty()) SizeFusion(graph, sizes, hardware).run();
  return graph;
}

}  // namespace burin
