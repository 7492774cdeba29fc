#include "isa/float_rows.h"

#include <string>

#include "isa/all_rows.h"
#include "isa/lane_rows.h"
#include "kernel/combiner.h"

namespace burin::isa {
namespace {

std::string with_lanes(const std::string& function, int lanes) {
  return "burin_rt::" + function + "<" + std::to_string(lanes) + ">";
}

// c[j] = the value that a combiner begins with.
Instruction begin_row(const char* kind, Combiner op, int lanes, const std::string& value) {
  return start_row(kind, Type::f32, lanes, identity_of(op, Type::f32),
                   {"", "{c} = " + with_lanes("broadcast", lanes) + "(" + value + ");", "vec.h"});
}

Instruction add_product_row(int lanes) {
  const Index lane = Index::axis(0, lanes);
  Instruction out =
      lane_row("add_product", Type::f32, lanes,
               Expr::load(1, Type::f32, {0}) * Expr::load(2, Type::f32, {lane}), How::add);
  out.values = {lanes_value("c", Type::f32, lanes, ValueKind::output),
                lanes_value("a", Type::f32, 1, ValueKind::input),
                lanes_value("b", Type::f32, lanes, ValueKind::input)};
  out.operands = {{"c", Access::update, Place::registers},
                  {"a", Access::read, Place::broadcast},
                  {"b", Access::read, Place::memory, {}, true}};
  out.spellings = {{"", "{c} = " + with_lanes("add_product", lanes) + "({c}, {a}, {b});", "vec.h"}};
  return out;
}

// c[j] += a[j] * b[j], both from memory.
Instruction add_products_row(int lanes) {
  const Index lane = Index::axis(0, lanes);
  Instruction out =
      lane_row("add_products", Type::f32, lanes,
               Expr::load(1, Type::f32, {lane}) * Expr::load(2, Type::f32, {lane}), How::add);
  out.values = {lanes_value("c", Type::f32, lanes, ValueKind::output),
                lanes_value("a", Type::f32, lanes, ValueKind::input),
                lanes_value("b", Type::f32, lanes, ValueKind::input)};
  out.operands = {{"c", Access::update, Place::registers},
                  {"a", Access::read, Place::memory},
                  {"b", Access::read, Place::memory}};
  out.spellings = {{"",
                    "{c} = burin_rt::madd(" + with_lanes("load", lanes) + "({a}), " +
                        with_lanes("load", lanes) + "({b}), {c});",
                    "vec.h"}};
  return out;
}

// to[0] = all lanes of c, combined as halves that are combined until one lane is left.
Instruction lanes_row(const char* kind, Combiner op, int lanes, const char* function) {
  std::vector<Expr> part;
  for (int j = 0; j < lanes; ++j) part.push_back(Expr::load(1, Type::f32, {j}));
  for (size_t half = part.size() / 2; half > 0; half /= 2) {
    for (size_t j = 0; j < half; ++j)
      part[j] = op == Combiner::max ? max(part[j], part[j + half]) : part[j] + part[j + half];
  }
  Instruction out = lane_row(kind, Type::f32, 1, part[0]);
  out.name = lane_row_name(kind, Type::f32, lanes);
  out.meaning.name = out.name;
  out.values = {lanes_value("to", Type::f32, 1, ValueKind::output),
                lanes_value("c", Type::f32, lanes, ValueKind::input)};
  out.operands = {{"to", Access::write, Place::memory}, {"c", Access::read, Place::registers}};
  out.spellings = {{"", std::string("burin_rt::") + function + "({to}, {c});", "vec.h"}};
  return out;
}

// c[j] is combined with b[j].
Instruction combining_row(const char* kind, How how, int lanes, Place place, std::string text) {
  Instruction out =
      lane_row(kind, Type::f32, lanes, Expr::load(1, Type::f32, {Index::axis(0, lanes)}), how);
  out.values = {lanes_value("c", Type::f32, lanes, ValueKind::output),
                lanes_value("b", Type::f32, lanes, ValueKind::input)};
  out.operands = {{"c", Access::update, Place::registers}, {"b", Access::read, place}};
  out.spellings = {{"", "{c} = " + std::move(text) + ";", "vec.h"}};
  return out;
}

// to[j] = the half from[j] as a float.
Instruction widen_row(int lanes) {
  Instruction out =
      lane_row("widen", Type::f32, lanes, Expr::load(1, Type::f16, {Index::axis(0, lanes)}));
  out.takes = 0;
  out.values = {lanes_value("to", Type::f32, lanes, ValueKind::output),
                lanes_value("from", Type::f16, lanes, ValueKind::input)};
  out.operands = {{"to", Access::write, Place::memory}, {"from", Access::read, Place::memory}};
  out.spellings = {
      {"", "burin_rt::widen({from}, " + std::to_string(lanes) + ", {to});", "widen.h"}};
  return out;
}

}  // namespace

std::vector<Instruction> float_rows() {
  std::vector<Instruction> out;
  for (const int lanes : kLaneCounts) {
    const std::string loaded = with_lanes("load", lanes) + "({b})";
    out.push_back(begin_row("zero", Combiner::sum, lanes, "0.0f"));
    out.push_back(begin_row("lowest", Combiner::max, lanes, "-__builtin_inff()"));
    out.push_back(begin_row("highest", Combiner::min, lanes, "__builtin_inff()"));
    out.push_back(add_product_row(lanes));
    out.push_back(add_products_row(lanes));
    out.push_back(lanes_row("sum_lanes", Combiner::sum, lanes, "store_sum"));
    out.push_back(lanes_row("greatest_lane", Combiner::max, lanes, "store_greatest"));
    out.push_back(combining_row("add", How::add, lanes, Place::memory, "{c} + " + loaded));
    out.push_back(combining_row("greatest", How::max, lanes, Place::memory,
                                "burin_rt::greatest({c}, " + loaded + ")"));
    out.push_back(combining_row("least", How::min, lanes, Place::memory,
                                "burin_rt::least({c}, " + loaded + ")"));
    out.push_back(combining_row("add_sums", How::add, lanes, Place::registers, "{c} + {b}"));
    out.push_back(store_row(Type::f32, lanes, {"", "burin_rt::store({to}, {c});", "vec.h"}));
    out.push_back(widen_row(lanes));
  }
  return out;
}

const Instruction* float_row(const char* kind, int lanes) {
  return find_row(lane_row_name(kind, Type::f32, lanes));
}

}  // namespace burin::isa
