#include "isa/float_rows.h"

#include <memory>
#include <string>

#include "isa/all_rows.h"
#include "isa/lane_rows.h"
#include "kernel/combiner.h"

namespace burin::isa {
namespace {

constexpr const char* kWidenRow = "widen_f16";

std::string with_lanes(const std::string& function, int lanes) {
  return "burin_rt::" + function + "<" + std::to_string(lanes) + ">";
}

// c[j] = the value that a combiner begins with.
Instruction begin_row(const char* kind, Combiner op, int lanes, const std::string& value) {
  return start_row(kind, Type::f32, lanes, identity_of(op, Type::f32),
                   {"", "{c} = " + with_lanes("broadcast", lanes) + "(" + value + ");", "vec.h"});
}

// What of a product is fp16 is widened as it is loaded, which is exact.
std::string loaded_lanes(Type type, int lanes, const char* from) {
  return with_lanes(type == Type::f16 ? "load_widened" : "load", lanes) + "(" + from + ")";
}
const char* header_for(Type a, Type b) {
  return a == Type::f16 || b == Type::f16 ? "widen.h" : "vec.h";
}

Instruction add_product_row(int lanes, Type a, Type b) {
  const Index lane = Index::axis(0, lanes);
  Instruction out = lane_row(product_kind(false, a, b).c_str(), Type::f32, lanes,
                             Expr::load(1, a, {0}) * Expr::load(2, b, {lane}), How::add);
  out.values = {lanes_value("c", Type::f32, lanes, ValueKind::output),
                lanes_value("a", a, 1, ValueKind::input),
                lanes_value("b", b, lanes, ValueKind::input)};
  out.operands = {{"c", Access::update, Place::registers},
                  {"a", Access::read, Place::broadcast},
                  {"b", Access::read, Place::memory, {}, true}};
  const bool widened = a == Type::f16 || b == Type::f16;
  const std::string element = a == Type::f16 ? with_lanes("broadcast_widened", lanes) + "({a})"
                                             : with_lanes("broadcast", lanes) + "(*{a})";
  out.spellings = {{"",
                    widened ? "{c} = burin_rt::madd(" + element + ", " +
                                  loaded_lanes(b, lanes, "{b}") + ", {c});"
                            : "{c} = " + with_lanes("add_product", lanes) + "({c}, {a}, {b});",
                    header_for(a, b)}};
  return out;
}

// c[j] += a[j] * b[j], both from memory.
Instruction add_products_row(int lanes, Type a, Type b) {
  const Index lane = Index::axis(0, lanes);
  Instruction out = lane_row(product_kind(true, a, b).c_str(), Type::f32, lanes,
                             Expr::load(1, a, {lane}) * Expr::load(2, b, {lane}), How::add);
  out.values = {lanes_value("c", Type::f32, lanes, ValueKind::output),
                lanes_value("a", a, lanes, ValueKind::input),
                lanes_value("b", b, lanes, ValueKind::input)};
  out.operands = {{"c", Access::update, Place::registers},
                  {"a", Access::read, Place::memory},
                  {"b", Access::read, Place::memory}};
  out.spellings = {{"",
                    "{c} = burin_rt::madd(" + loaded_lanes(a, lanes, "{a}") + ", " +
                        loaded_lanes(b, lanes, "{b}") + ", {c});",
                    header_for(a, b)}};
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

// to[j] = the half from[j] as a float, j < count.
Instruction make_widen_row() {
  static const Symbol count =
      std::make_shared<const SymbolInfo>(SymbolInfo{"count", SymbolOrigin::param, 0});
  const Dim length = Index::symbol(count);
  Instruction out = lane_row("widen", Type::f32, 1, Expr::load(1, Type::f16, {0}));
  out.name = out.meaning.name = kWidenRow;
  out.takes = 0;
  out.sizes = {count};
  out.values = {lanes_value("to", Type::f32, 1, ValueKind::output),
                lanes_value("from", Type::f16, 1, ValueKind::input)};
  out.values[0].shape = out.values[1].shape = {length};
  out.operands = {{"to", Access::write, Place::memory, {}, true},
                  {"from", Access::read, Place::memory, {}, true}};
  out.meaning.axes = {{length, AxisKind::parallel, "place"}};
  const Index place = Index::axis(0, length);
  Write& write = out.meaning.writes[0];
  write.over = {0};
  write.at = {place};
  write.value = Expr::load(1, Type::f16, {place});
  out.spellings = {{"", "burin_rt::widen({from}, {count}, {to});", "widen.h"}};
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
    for (const Type a : {Type::f32, Type::f16}) {
      for (const Type b : {Type::f32, Type::f16}) {
        out.push_back(add_product_row(lanes, a, b));
        out.push_back(add_products_row(lanes, a, b));
      }
    }
    out.push_back(lanes_row("sum_lanes", Combiner::sum, lanes, "store_sum"));
    out.push_back(lanes_row("greatest_lane", Combiner::max, lanes, "store_greatest"));
    out.push_back(combining_row("add", How::add, lanes, Place::memory, "{c} + " + loaded));
    out.push_back(combining_row("greatest", How::max, lanes, Place::memory,
                                "burin_rt::greatest({c}, " + loaded + ")"));
    out.push_back(combining_row("least", How::min, lanes, Place::memory,
                                "burin_rt::least({c}, " + loaded + ")"));
    out.push_back(combining_row("add_sums", How::add, lanes, Place::registers, "{c} + {b}"));
    out.push_back(store_row(Type::f32, lanes, {"", "burin_rt::store({to}, {c});", "vec.h"}));
  }
  out.push_back(make_widen_row());
  return out;
}

std::string product_kind(bool by_lane, Type a, Type b) {
  return std::string(by_lane ? "add_products" : "add_product") + (a == Type::f16 ? "_a16" : "") +
         (b == Type::f16 ? "_b16" : "");
}

const Instruction* widen_row() { return find_row(kWidenRow); }

const Instruction* float_row(const std::string& kind, int lanes) {
  return find_row(lane_row_name(kind.c_str(), Type::f32, lanes));
}

}  // namespace burin::isa
