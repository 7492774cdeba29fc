#include "ops/api/strings/strings.h"

namespace burin {

Index clipped(const Expr& place, int64_t extent) {
  const Expr inside = max(min(place, whole(extent - 1)), whole(0));
  return Index::data(inside.ptr(), {0, extent - 1});
}

Operand list_of(OpContext& op, std::string_view what, const std::vector<std::string>& strings) {
  return op.constant_operand(what,
                             {Type::string, {static_cast<int64_t>(strings.size())}, {}, strings});
}

Expr length_of(OpContext& op, KernelBuilder& kernel, const ByteReader& string) {
  const Index byte = kernel.reduce_axis(op.string_bytes(), "byte of string");
  const Expr there = compare(Binary::ne, string(byte), Expr::constant(Type::u8, 0));
  return kernel.reduce(Combiner::sum, {byte}, Expr::cast(Type::i64, there));
}

Expr is_same(OpContext& op, KernelBuilder& kernel, const ByteReader& a, const ByteReader& b) {
  const Index byte = kernel.reduce_axis(op.string_bytes(), "byte of string");
  const Expr equal = compare(Binary::eq, a(byte), b(byte));
  const Expr all = kernel.reduce(Combiner::min, {byte}, Expr::cast(Type::i64, equal));
  return compare(Binary::gt, all, whole(0));
}

Expr place_in(OpContext& op, KernelBuilder& kernel, const Operand& list, const ByteReader& string) {
  const Index k = kernel.reduce_axis(list.dim(0), "string of list");
  const Expr same = is_same(op, kernel, string, bytes_at(list, {k}));
  const Expr none = Expr::index(list.dim(0));
  return kernel.reduce(Combiner::min, {k}, Expr::select(same, Expr::index(k), none));
}

Operand places_in(OpContext& op, const Operand& list, const Operand& strings) {
  const Operand places = op.temporary("places", Type::i64, strings.shape());
  KernelBuilder kernel;
  const Indices at = kernel.axes(strings.shape());
  kernel.write(places, at, place_in(op, kernel, list, bytes_at(strings, at)));
  op.emit(kernel);
  return places;
}

Dim largest_of(OpContext& op, std::string_view what, const Operand& numbers, const Dim& most) {
  const Operand largest = op.temporary(std::string(what) + "_largest", Type::i64, {});
  KernelBuilder kernel;
  Indices at;
  for (const Dim& extent : numbers.shape()) at.push_back(kernel.reduce_axis(extent));
  const Expr found = kernel.reduce(Combiner::max, at, max(numbers.at(at), whole(0)));
  kernel.write(largest, {}, max(found, whole(0)));
  op.emit(kernel);
  return op.run_size(what, {0, most}, largest.scalar());
}

}  // namespace burin
