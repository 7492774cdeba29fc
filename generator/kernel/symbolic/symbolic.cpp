// Kernels over symbols: every let and write at every point, elements as Dims.
#include "kernel/symbolic/symbolic.h"

#include <algorithm>

#include "kernel/index/index_node.h"
#include "kernel/symbolic/symbolic_evaluator.h"
#include "kernel/tensor.h"

namespace burin {
namespace {

// Floats stand for sizes only as scales and the like: a few per tensor.
constexpr int64_t kFloatElements = 64;
constexpr int kMostLooked = 64;  // nodes, before a kernel is evaluated

// The extents, when all are numbers and there are not too many elements.
std::optional<std::vector<int64_t>> constant_shape(const Value& value, int64_t limit) {
  if (value.type == Type::string) return std::nullopt;
  if (is_float(value.type)) limit = std::min(limit, kFloatElements);
  std::vector<int64_t> extents;
  int64_t count = 1;
  for (const Dim& dim : value.shape) {
    if (!dim.is_constant() || dim.constant() < 0) return std::nullopt;
    extents.push_back(dim.constant());
    count = saturating_mul(count, dim.constant());
  }
  if (count > limit) return std::nullopt;
  return extents;
}

SymbolicElements elements_of(const Value& value, const std::vector<int64_t>& shape) {
  const HostTensor tensor = to_tensor(value.type, shape, value.constant);
  SymbolicElements out;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    out.push_back(symbolic_constant(compute_type(value.type), tensor.get(i)));
  }
  return out;
}

class SymbolicRun {
 public:
  SymbolicRun(const std::vector<Value>& values, const std::map<ValueId, SymbolicElements>& known,
              const SymbolicOptions& options)
      : values_(values), given_(known), options_(options), left_(options.operations) {}

  std::map<ValueId, SymbolicElements> run(const Steps& steps) {
    for (const Step& step : steps) {
      const Kernel* kernel = std::get_if<Kernel>(&step);
      if (kernel != nullptr && may_know(*kernel) && in_order(step, *kernel)) {
        for (const Write& write : kernel->writes) begin(write.to);
        SymbolicEvaluator evaluator(*kernel, source(), left_);
        for (const Write& write : kernel->writes) perform(write, evaluator);
      } else {
        for (const ValueId id : writes_of(step)) written_[id].reset();
      }
    }
    std::map<ValueId, SymbolicElements> out;
    for (auto& [id, elements] : written_) {
      if (!elements) continue;
      const bool any = elements->empty() ||
                       std::any_of(elements->begin(), elements->end(),
                                   [](const MaybeElement& element) { return element.has_value(); });
      if (any) out.emplace(id, std::move(*elements));
    }
    return out;
  }

  MaybeElement run(const Expr& expr) {
    const Kernel nothing;
    return SymbolicEvaluator(nothing, source(), left_).element(expr);
  }

 private:
  static std::vector<ValueId> loads_of(const Kernel& kernel) {
    std::vector<ValueId> loaded;
    const auto on_node = [&](const ExprNode& node) {
      if (node.kind == ExprKind::load) loaded.push_back(node.id);
    };
    for (const Let& let : kernel.lets) {
      for (const Expr& body : let.body) visit(body, on_node);
    }
    for (const Write& write : kernel.writes) {
      visit(write.value, on_node);
      for (const Index& index : write.at) visit(index, on_node);
    }
    return loaded;
  }

  // A kernel that loads, but nothing of which an element is known, is not worth the time; nor is
  // one all of whose results take in something unknown, as products of an unknown matrix do.
  bool may_know(const Kernel& kernel) {
    const std::vector<ValueId> loaded = loads_of(kernel);
    if (!loaded.empty() &&
        std::none_of(loaded.begin(), loaded.end(), [&](ValueId id) { return has_some(id); }))
      return false;
    int left = kMostLooked;
    return !std::all_of(kernel.writes.begin(), kernel.writes.end(), [&](const Write& write) {
      return !given_.contains(write.to) && !written_.contains(write.to) &&
             is_unknown(write.value, kernel, left);
    });
  }

  // Whether the evaluator knows nothing of the expression at any point. False where `left` nodes do
  // not tell.
  bool is_unknown(const Expr& expr, const Kernel& kernel, int& left) {
    if (--left < 0) return false;
    const auto of = [&](size_t operand) {
      return is_unknown(expr->operands[operand], kernel, left);
    };
    switch (expr.kind()) {
      case ExprKind::load:
        return !has_some(expr->id);
      case ExprKind::unary:
      case ExprKind::cast:
        return of(0);
      case ExprKind::binary:  // one truth can be enough
        return expr->operands[0].type() != Type::boolean && (of(0) || of(1));
      case ExprKind::select:
        return of(1) && of(2);
      case ExprKind::let: {
        const Let& let = kernel.lets[static_cast<size_t>(expr->id)];
        const bool some = std::none_of(let.reduced.begin(), let.reduced.end(), [&](int axis) {
          return kernel.axes[static_cast<size_t>(axis)].extent.range().lo <= 0;
        });
        return some && (let.op == Combiner::none || let.op == Combiner::sum) &&
               is_unknown(let.body[static_cast<size_t>(expr->component)], kernel, left);
      }
      default:
        return false;
    }
  }

  // Writes are performed one after the other; that is their order unless several go to one value at
  // each point of a sequential axis, or the kernel reads what it writes.
  static bool in_order(const Step& step, const Kernel& kernel) {
    const bool sequential = is_sequential(kernel);
    const std::vector<ValueId> loaded = loads_of(kernel);
    for (const ValueId id : writes_of(step)) {
      if (std::find(loaded.begin(), loaded.end(), id) != loaded.end()) return false;
      const auto count = std::count_if(kernel.writes.begin(), kernel.writes.end(),
                                       [&](const Write& write) { return write.to == id; });
      if (sequential && count > 1) return false;
    }
    return true;
  }

  SymbolicEvaluator::Source source() {
    return [this](ValueId id, const std::vector<int64_t>& at) { return element(id, at); };
  }

  const SymbolicElements* find(ValueId id) {
    if (const auto at = written_.find(id); at != written_.end()) {
      return at->second ? &*at->second : nullptr;
    }
    if (const auto at = given_.find(id); at != given_.end()) return &at->second;
    if (const auto at = constants_.find(id); at != constants_.end()) return &at->second;
    const Value& value = values_[static_cast<size_t>(id)];
    if (value.kind != ValueKind::constant) return nullptr;
    const auto shape = constant_shape(value, options_.elements);
    if (!shape) return nullptr;
    return &(constants_[id] = elements_of(value, *shape));
  }

  // Whether find() has something.
  bool has_some(ValueId id) const {
    if (const auto at = written_.find(id); at != written_.end()) return at->second.has_value();
    if (given_.contains(id)) return true;
    const Value& value = values_[static_cast<size_t>(id)];
    return value.kind == ValueKind::constant && constant_shape(value, options_.elements);
  }

  // Row-major position; nullopt when the point lies outside or the shape is not constant.
  std::optional<size_t> position(ValueId id, const std::vector<int64_t>& at) const {
    const std::vector<Dim>& shape = values_[static_cast<size_t>(id)].shape;
    if (shape.size() != at.size()) return std::nullopt;
    size_t position = 0;
    for (size_t d = 0; d < at.size(); ++d) {
      if (!shape[d].is_constant() || at[d] < 0 || at[d] >= shape[d].constant()) return std::nullopt;
      position = position * static_cast<size_t>(shape[d].constant()) + static_cast<size_t>(at[d]);
    }
    return position;
  }

  MaybeElement element(ValueId id, const std::vector<int64_t>& at) {
    const SymbolicElements* elements = find(id);
    const std::optional<size_t> where = position(id, at);
    if (elements == nullptr || !where || *where >= elements->size()) return std::nullopt;
    return (*elements)[*where];
  }

  // Makes room for what is written to a value that is small enough.
  void begin(ValueId id) {
    if (written_.contains(id)) return;
    std::optional<SymbolicElements>& elements = written_[id];
    const auto shape = constant_shape(values_[static_cast<size_t>(id)], options_.elements);
    if (!shape) return;
    if (const auto at = given_.find(id); at != given_.end()) {
      elements = at->second;
      return;
    }
    int64_t count = 1;
    for (const int64_t extent : *shape) count *= extent;
    elements.emplace(static_cast<size_t>(count));
  }

  void perform(const Write& write, SymbolicEvaluator& evaluator) {
    if (!written_[write.to]) return;
    SymbolicElements& elements = *written_[write.to];
    const Type storage = values_[static_cast<size_t>(write.to)].type;
    const bool walked = evaluator.each_point(write.over, [&] {
      const std::optional<bool> when = evaluator.holds(write.when);
      if (when && !*when) return true;
      std::vector<int64_t> at;
      for (const Index& index : write.at) {
        const std::optional<Dim> dim = evaluator.index(index);
        if (!dim || !dim->is_constant()) return false;
        at.push_back(dim->constant());
      }
      const std::optional<size_t> where = position(write.to, at);
      if (!where) return false;
      MaybeElement& element = elements[*where];
      element = when ? combined(write, element, evaluator.element(write.value)) : std::nullopt;
      const Type compute = compute_type(storage);
      if (compute != storage) element = cast(compute, storage, CastMode::convert, element);
      return true;
    });
    if (!walked) std::fill(elements.begin(), elements.end(), std::nullopt);
  }

  static MaybeElement combined(const Write& write, const MaybeElement& before,
                               const MaybeElement& value) {
    const Type type = write.value.type();
    switch (write.how) {
      case How::store:
        return value;
      case How::add:
        return apply(Binary::add, type, before, value);
      case How::mul:
        return apply(Binary::mul, type, before, value);
      case How::min:
        return apply(Binary::min, type, before, value);
      case How::max:
        return apply(Binary::max, type, before, value);
    }
    return std::nullopt;
  }

  const std::vector<Value>& values_;
  const std::map<ValueId, SymbolicElements>& given_;
  const SymbolicOptions& options_;
  int64_t left_;  // operations
  std::map<ValueId, SymbolicElements> constants_;
  std::map<ValueId, std::optional<SymbolicElements>> written_;  // nullopt: nothing is known
};

}  // namespace

std::map<ValueId, SymbolicElements> evaluate_symbolically(
    const Steps& steps, const std::vector<Value>& values,
    const std::map<ValueId, SymbolicElements>& known, const SymbolicOptions& options) {
  return SymbolicRun(values, known, options).run(steps);
}

std::optional<SymbolicElement> evaluate_symbolically(
    const Expr& expr, const std::vector<Value>& values,
    const std::map<ValueId, SymbolicElements>& known) {
  const SymbolicOptions options;
  return SymbolicRun(values, known, options).run(expr);
}

std::optional<std::vector<Dim>> all_known(const SymbolicElements& elements) {
  std::vector<Dim> out;
  for (const MaybeElement& element : elements) {
    if (!element || element->number || element->denominator != 1 || !element->is_known())
      return std::nullopt;
    out.push_back(element->numerator);
  }
  return out;
}

SymbolicElements to_elements(const std::vector<Dim>& elements) {
  SymbolicElements out;
  for (const Dim& dim : elements) out.push_back(SymbolicElement{dim});
  return out;
}

SymbolicElement element_between(ElementBounds bounds) {
  SymbolicElement out;
  out.bounds = std::make_shared<const ElementBounds>(std::move(bounds));
  return out;
}

}  // namespace burin
