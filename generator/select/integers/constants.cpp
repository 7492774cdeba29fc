#include "select/integers/constants.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "kernel/expr/scalar.h"
#include "kernel/layout.h"
#include "kernel/tensor.h"
#include "select/axes/affine_address.h"
#include "select/bytes/values_over.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

// Number of the points of `extents`, and where each of them lies by other strides.
template <class Visit>
void each_place(const std::vector<int64_t>& extents, int64_t base,
                const std::vector<int64_t>& strides, const Visit& visit) {
  int64_t count = 1;
  for (const int64_t extent : extents) count *= extent;
  std::vector<int64_t> point(extents.size(), 0);
  int64_t place = base;
  for (int64_t number = 0; number < count; ++number) {
    visit(number, place);
    for (size_t d = extents.size(); d-- > 0;) {
      place += strides[d];
      if (++point[d] < extents[d]) break;
      place -= point[d] * strides[d];
      point[d] = 0;
    }
  }
}

int32_t wrapped(int64_t a, int64_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

// i32 of a stored integer, as a load, or a cast of one; a load of bf16.
const ExprNode* loaded(const Expr& expr) {
  if (expr.kind() == ExprKind::load && (expr.type() == Type::i32 || expr->storage == Type::bf16))
    return &*expr;
  if (expr.kind() != ExprKind::cast || expr->storage != Type::i32) return nullptr;
  const Expr& from = expr->operands[0];
  const bool integer = from.type() == Type::u8 || from.type() == Type::i8;
  return from.kind() == ExprKind::load && integer ? &*from : nullptr;
}

// Of a number that bf16 has.
int32_t bits_of_bf16(double number) {
  return static_cast<int32_t>(std::bit_cast<uint32_t>(static_cast<float>(number)) >> 16);
}

class Reading {
 public:
  Reading(const Kernel& kernel, const std::vector<int>& axes, const std::vector<Value>& values,
          FactorNumbers& out)
      : kernel_(kernel), axes_(axes), values_(values), out_(out) {}

  bool add(const Expr& expr, int sign) {
    if (expr.is_constant()) {
      for (int32_t& one : out_.numbers) one = wrapped(one, sign * expr->integer);
      return true;
    }
    if (expr.kind() == ExprKind::binary && expr->binary() == Binary::sub)
      return add(expr->operands[0], sign) && add(expr->operands[1], -sign);
    const ExprNode* load = loaded(expr);
    if (!load) return false;
    const Value& value = values_[at(load->id)];
    if (!value.layout.is_row_major()) return false;
    const std::optional<AffineAddress> where =
        affine_address(linearize(load->at, value.shape), kernel_.axes.size());
    if (!where) return false;
    std::vector<int64_t> strides;
    for (const int axis : axes_) strides.push_back(where->strides[at(axis)]);
    const LoadFunction read = load_function(value.type);
    each_place(out_.extents, where->base, strides, [&](int64_t number, int64_t place) {
      int32_t& one = out_.numbers[static_cast<size_t>(number)];
      BURIN_CHECK(sign > 0 || value.type != Type::bf16, "bits are not subtracted");
      const ScalarValue element = read(value.constant.data, place);
      one = value.type == Type::bf16 ? bits_of_bf16(element.number)
                                     : wrapped(one, sign * element.integer);
    });
    return true;
  }

 private:
  const Kernel& kernel_;
  const std::vector<int>& axes_;
  const std::vector<Value>& values_;
  FactorNumbers& out_;
};

}  // namespace

int64_t FactorNumbers::stride(size_t axis) const {
  int64_t out = 1;
  for (size_t d = axis + 1; d < extents.size(); ++d) out *= extents[d];
  return out;
}

FactorNumbers numbers_of(const Expr& factor, const Kernel& kernel, const std::vector<int>& axes,
                         const std::vector<Value>& values) {
  FactorNumbers out;
  int64_t count = 1;
  for (const int axis : axes) {
    out.extents.push_back(kernel.axes[at(axis)].extent.constant());
    count *= out.extents.back();
  }
  out.numbers.assign(static_cast<size_t>(count), 0);
  if (!Reading(kernel, axes, values, out).add(factor, 1)) {
    std::fill(out.numbers.begin(), out.numbers.end(), 0);
    const HostTensor all = values_over(factor, kernel, axes, values);
    for (int64_t i = 0; i < count; ++i)
      out.numbers[static_cast<size_t>(i)] = is_float(all.type)
                                                ? bits_of_bf16(all.get(i).number)
                                                : static_cast<int32_t>(all.get(i).integer);
  }
  if (count > 0) {
    const auto [least, greatest] = std::minmax_element(out.numbers.begin(), out.numbers.end());
    out.least = *least;
    out.greatest = *greatest;
  }
  return out;
}

std::optional<int32_t> offset_for(const FactorNumbers& factor, Type type) {
  if (type == Type::bf16) return 0;
  const int64_t lo = lowest(type), hi = highest(type);
  if (lo <= factor.least && factor.greatest <= hi) return 0;
  const int64_t offset = int64_t{factor.least} - lo;
  if (factor.greatest - offset > hi || std::abs(offset) > std::numeric_limits<int16_t>::max())
    return std::nullopt;
  return static_cast<int32_t>(offset);
}

Panels pack_panels(const FactorNumbers& factor, const PanelShape& shape, int32_t offset,
                   Type type) {
  const auto product = [&](size_t from, size_t count) {
    int64_t out = 1;
    for (size_t d = from; d < from + count; ++d) out *= factor.extents[d];
    return out;
  };
  const size_t first_depth = shape.outers + shape.lanes;
  const int64_t outer = product(0, shape.outers), lanes = product(shape.outers, shape.lanes);
  const int64_t blocks = (lanes + shape.width - 1) / shape.width;
  const size_t grouped = first_depth + shape.grouped;
  const bool has_depth = shape.depths > 0;
  const int64_t length = has_depth ? factor.extents[grouped] : 1;
  const int64_t groups = std::max(shape.groups, (length + shape.group - 1) / shape.group);
  const int64_t group_stride = has_depth ? factor.stride(grouped) : 0;
  // The reduced axes that stay whole.
  std::vector<int64_t> whole, strides;
  Panels out;
  for (size_t d = 0; d < shape.outers; ++d) out.shape.push_back(factor.extents[d]);
  out.shape.push_back(blocks);
  for (size_t d = first_depth; d < first_depth + shape.depths; ++d) {
    if (d == grouped) continue;
    whole.push_back(factor.extents[d]);
    strides.push_back(factor.stride(d));
    out.shape.push_back(factor.extents[d]);
  }
  for (const int64_t one : {groups, int64_t{shape.width}, int64_t{shape.group}})
    out.shape.push_back(one);

  int64_t elements = 1;
  for (const int64_t one : out.shape) elements *= one;
  const int64_t size = size_bytes(type, 1);
  std::vector<std::byte> bytes(static_cast<size_t>(elements * size));
  std::vector<int32_t> sums(static_cast<size_t>(outer * lanes), 0);
  const StoreFunction store = store_function(type == Type::bf16 ? Type::u16 : type);
  const int64_t lane_elements = product(first_depth, shape.depths);
  int64_t to = 0;
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t block = 0; block < blocks; ++block) {
      each_place(whole, 0, strides, [&](int64_t, int64_t place) {
        for (int64_t g = 0; g < groups; ++g) {
          for (int64_t r = 0; r < shape.width; ++r) {
            const int64_t lane = block * shape.width + r;
            for (int64_t q = 0; q < shape.group; ++q, ++to) {
              const int64_t along = g * shape.group + q;
              if (lane >= lanes || along >= length) {
                if (shape.begins) store(bytes.data(), to, {0, -offset});
                continue;
              }
              const int64_t from =
                  (o * lanes + lane) * lane_elements + place + along * group_stride;
              const int64_t number = int64_t{factor.numbers[static_cast<size_t>(from)]} - offset;
              store(bytes.data(), to, {0, number});
              int32_t& sum = sums[static_cast<size_t>(o * lanes + lane)];
              sum = wrapped(sum, shape.begins ? number + offset : number);
            }
          }
        }
      });
    }
  }
  std::vector<std::byte> sum_bytes(sums.size() * sizeof(int32_t));
  std::memcpy(sum_bytes.data(), sums.data(), sum_bytes.size());
  out.bytes = make_constant(std::move(bytes));
  out.sums = make_constant(std::move(sum_bytes));
  return out;
}

}  // namespace burin
