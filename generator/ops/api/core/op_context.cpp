// Attributes and operands, as operators see them.
#include "ops/api/core/op_context.h"

#include <algorithm>
#include <cmath>

#include "kernel/expr/expr_text.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

double number(std::string_view attribute, double value) {
  if (std::isnan(value)) refuse("bad-attribute", "attribute " + quoted(attribute) + " is NaN");
  return value;
}

template <class T>
const T* get(const Node& node, std::string_view name, const char* kind) {
  const Attribute* attribute = node.find(name);
  if (!attribute) return nullptr;
  const T* value = std::get_if<T>(&attribute->value);
  if (!value) refuse("bad-attribute", "attribute " + quoted(name) + " is not " + kind);
  return value;
}

template <class T>
const T& need(const T* value, std::string_view name) {
  if (!value) refuse("bad-attribute", "attribute " + quoted(name) + " is missing");
  return *value;
}

}  // namespace

int64_t OpContext::integer(std::string_view attribute) const {
  return need(get<int64_t>(node_, attribute, "an integer"), attribute);
}

int64_t OpContext::integer(std::string_view attribute, int64_t otherwise) const {
  const int64_t* value = get<int64_t>(node_, attribute, "an integer");
  return value ? *value : otherwise;
}

double OpContext::real(std::string_view attribute, double otherwise) const {
  return number(attribute, real_or_nan(attribute, otherwise));
}

double OpContext::real_or_nan(std::string_view attribute, double otherwise) const {
  const float* value = get<float>(node_, attribute, "a float");
  return value ? static_cast<double>(*value) : otherwise;
}

std::string OpContext::text(std::string_view attribute, std::string_view otherwise) const {
  const std::string* value = get<std::string>(node_, attribute, "a string");
  return value ? *value : std::string(otherwise);
}

std::vector<int64_t> OpContext::integers(std::string_view attribute) const {
  return need(get<std::vector<int64_t>>(node_, attribute, "a list of integers"), attribute);
}

std::vector<int64_t> OpContext::integers(std::string_view attribute,
                                         std::vector<int64_t> otherwise) const {
  const auto* value = get<std::vector<int64_t>>(node_, attribute, "a list of integers");
  return value ? *value : std::move(otherwise);
}

std::vector<double> OpContext::reals(std::string_view attribute,
                                     std::vector<double> otherwise) const {
  if (!has(attribute)) return otherwise;
  std::vector<double> list = reals_or_nan(attribute);
  for (const double value : list) number(attribute, value);
  return list;
}

std::vector<double> OpContext::reals_or_nan(std::string_view attribute) const {
  const auto* value = get<std::vector<float>>(node_, attribute, "a list of floats");
  return value ? std::vector<double>(value->begin(), value->end()) : std::vector<double>();
}

std::vector<std::string> OpContext::texts(std::string_view attribute,
                                          std::vector<std::string> otherwise) const {
  const auto* value = get<std::vector<std::string>>(node_, attribute, "a list of strings");
  return value ? *value : std::move(otherwise);
}

const Tensor& OpContext::tensor(std::string_view attribute) const {
  return need(get<Tensor>(node_, attribute, "a tensor"), attribute);
}

const Block& OpContext::block(std::string_view attribute) const {
  return *need(get<std::shared_ptr<const Block>>(node_, attribute, "a graph"), attribute);
}

bool OpContext::has_input(int i) const {
  return i < input_count() && node_.inputs[static_cast<size_t>(i)] != kAbsent;
}

bool OpContext::has_output(int i) const {
  return i < output_count() && node_.outputs[static_cast<size_t>(i)] != kAbsent;
}

void OpContext::map(const Operand& to, const std::function<Expr(const Indices& at)>& value) {
  KernelBuilder kernel;
  const Indices at = kernel.axes(to.shape());
  kernel.write(to, at, value(at));
  emit(kernel);
}

// --- Operand ---

void collect_tensors(const Operand& operand, std::vector<Operand>& tensors) {
  if (!operand.tuple()) {
    tensors.push_back(operand);
    return;
  }
  const Tuple& tuple = *operand.tuple();
  for (const Operand& item : tuple.items) collect_tensors(item, tensors);
  if (!tuple.bounded) return;
  for (Operand& one : tensors_of(*tuple.bounded)) tensors.push_back(std::move(one));
}

std::vector<Operand> tensors_of(const Bounded& sequence) {
  std::vector<Operand> tensors = {sequence.rows};
  for (const Operand* one : {&sequence.ends, &sequence.extents, &sequence.holds}) {
    if (*one) tensors.push_back(*one);
  }
  return tensors;
}

const Dim& Operand::dim(int axis) const {
  const int at = axis < 0 ? axis + rank() : axis;
  if (at < 0 || at >= rank()) {
    refuse("shape-mismatch", "an operand has rank " + std::to_string(rank()) + ", dimension " +
                                 std::to_string(axis) + " of it is needed");
  }
  return shape_[static_cast<size_t>(at)];
}

Expr Operand::byte_at(Indices indices, const Index& byte) const {
  BURIN_CHECK(type_ == Type::string && indices.size() == shape_.size(), "a byte of a string");
  indices.push_back(byte);
  return Expr::load(value_, Type::u8, std::move(indices));
}

Expr Operand::at(Indices indices) const {
  BURIN_CHECK(indices.size() == shape_.size(), "rank of a load");
  if (type_ == Type::string) return byte_at(std::move(indices), byte_axis());
  return Expr::load(value_, type_, std::move(indices));
}

Indices Operand::broadcast_indices(const Indices& indices) const {
  if (indices.size() < shape_.size()) {
    refuse("shape-mismatch", "an operand of rank " + std::to_string(rank()) +
                                 " is not broadcast to rank " + std::to_string(indices.size()));
  }
  const size_t skip = indices.size() - shape_.size();
  Indices at;
  for (size_t d = 0; d < shape_.size(); ++d)
    at.push_back(burin::min(indices[skip + d], shape_[d] - 1));
  return at;
}

Expr Operand::scalar() const { return at(Indices(shape_.size(), Index(0))); }
Expr Operand::constant(double value) const { return Expr::constant(compute(), value); }
Expr Operand::constant(int64_t value) const { return Expr::constant(compute(), value); }

// --- Shapes and axes ---

namespace {

// 1 where a and b differ, else 0: products of these do not overflow, those of differences may.
Dim differ(const Dim& a, const Dim& b) { return min(max(a - b, b - a), 1); }

}  // namespace

Shape broadcast(OpContext& op, const std::vector<Shape>& shapes) {
  size_t rank = 0;
  for (const Shape& shape : shapes) rank = std::max(rank, shape.size());
  Shape out(rank, Dim(1));
  for (const Shape& shape : shapes) {
    const size_t skip = rank - shape.size();
    for (size_t d = 0; d < shape.size(); ++d) {
      Dim& all = out[skip + d];
      const Dim& one = shape[d];
      if (one.is_constant(1) || one == all) continue;
      if (all.is_constant(1)) {
        all = one;
        continue;
      }
      // Both are at least 2, or both are the same: equality is all that is left.
      const bool never_one = proven_le(2, one) && proven_le(2, all);
      if (never_one) {
        op.require_equal(all, one, "broadcast dimension");
      } else if (proven_le(2, one)) {
        op.require({{differ(all, 1) * differ(all, one), 0, 1}}, "broadcast dimension");
        all = one;
      } else if (proven_le(2, all)) {
        op.require({{differ(one, 1) * differ(one, all), 0, 1}}, "broadcast dimension");
      } else {
        op.require({{differ(all, 1) * differ(one, 1) * differ(all, one), 0, 1}},
                   "broadcast dimension");
        // The longer one; 0 where either is 0.
        all = max(all, one) * min(min(all, one), Dim(1));
      }
    }
  }
  return out;
}

void require_one_or_equal(OpContext& op, const Dim& from, const Dim& to, std::string_view what) {
  if (from.is_constant(1) || from == to) return;
  if (to.is_constant(1) || from.is_constant() || proven_le(2, from))
    op.require_equal(from, to, what);
  else
    op.require({{differ(from, 1) * differ(from, to), 0, 1}}, what);
}

int normalize_axis(int64_t axis, int rank, std::string_view what) {
  if (axis < -rank || axis >= rank) {
    refuse("bad-attribute", std::string(what) + " is " + std::to_string(axis) +
                                " for a tensor of rank " + std::to_string(rank));
  }
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

void check_rank(int64_t rank) {
  if (rank <= kMostDimensions) return;
  refuse("limit", "output has " + std::to_string(rank) + " dimensions; the most are " +
                      std::to_string(kMostDimensions));
}

std::vector<int> normalize_axes(const std::vector<int64_t>& axes, int rank, bool sorted) {
  std::vector<int> out;
  for (const int64_t axis : axes) {
    const int normal = normalize_axis(axis, rank);
    if (std::find(out.begin(), out.end(), normal) != out.end()) {
      refuse("bad-attribute", "axes name dimension " + std::to_string(normal) + " twice");
    }
    out.push_back(normal);
  }
  if (sorted) std::sort(out.begin(), out.end());
  return out;
}

Expr constant_of(Type type, double value, std::string_view attribute) {
  if (is_float(type)) return Expr::constant(type, value);
  // both ends as they are in f64; the upper one may round up, so it is left out
  const bool truth = type == Type::boolean;
  const auto low = truth ? 0 : static_cast<double>(lowest(type)),
             high = truth ? 1 : static_cast<double>(highest(type));
  if (value != std::floor(value) || value < low || value > high || value >= 0x1p63)
    refuse("bad-attribute", "attribute " + quoted(attribute) + " is " + number_text(value) +
                                ", which " + std::string(to_string(type)) + " does not hold");
  return Expr::constant(type, static_cast<int64_t>(value));
}

}  // namespace burin
