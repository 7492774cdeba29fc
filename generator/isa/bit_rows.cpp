#include "isa/bit_rows.h"

#include "isa/all_rows.h"
#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

// What counts ones in so many lanes, by descriptions: the instruction that does most of it, and
// what stands in for it elsewhere.
struct Counting {
  int lanes;
  const char* instruction;
  std::vector<std::string> elsewhere;
  const char* file;
};
const Counting kCounting[] = {{16, "vpopcntd_512", {"vpshufb_bits_512"}, "zmm"},
                              {8, "vpshufb_bits_256", {}, "ymm"},
                              {4, "cnt_128", {"bits_128"}, ""}};

constexpr const char* kLanesRow = "add_negatives";
constexpr const char* kGroupRow = "add_negatives_of";
constexpr const char* kOnesRow = "add_ones";

Value words(const char* name, int count) {
  return lanes_value(name, Type::u32, count, ValueKind::input);
}

Expr ones_in(Expr word) {
  return Expr::cast(Type::i32, Expr::unary(Unary::popcount, std::move(word)));
}

Instruction counting_row(const Counting& counting, const char* kind, Expr counted) {
  Instruction out = lane_row(kind, Type::i32, counting.lanes, std::move(counted), How::add);
  out.name = std::string(kind) + "_x" + std::to_string(counting.lanes);
  out.meaning.name = out.name;
  out.instruction = counting.instruction;
  out.elsewhere = counting.elsewhere;
  out.file = counting.file;
  out.values = {lanes_value("c", Type::i32, counting.lanes, ValueKind::output)};
  out.operands = {{"c", Access::update, Place::registers}};
  return out;
}

Instruction product_row(const Counting& counting, bool group) {
  const Index lane = Index::axis(0, counting.lanes);
  const Index own = group ? Index(0) : lane, others = group ? lane : Index(0);
  const auto load = [](ValueId id, const Index& at) { return Expr::load(id, Type::u32, {at}); };
  const char* kind = group ? kGroupRow : kLanesRow;
  Instruction out = counting_row(
      counting, kind,
      ones_in(Expr::binary(Binary::bit_and, load(1, own),
                           Expr::binary(Binary::bit_xor, load(2, own), load(3, others)))));
  const int own_words = group ? 1 : counting.lanes, other_words = group ? counting.lanes : 1;
  out.values.push_back(words("present", own_words));
  out.values.push_back(words("negative", own_words));
  out.values.push_back(words("other", other_words));
  const Place own_place = group ? Place::broadcast : Place::memory,
              other_place = group ? Place::memory : Place::broadcast;
  out.operands.push_back({"present", Access::read, own_place});
  out.operands.push_back({"negative", Access::read, own_place});
  out.operands.push_back({"other", Access::read, other_place});
  out.spellings = {{"",
                    "{c} = burin_rt::" + std::string(kind) + "<" + std::to_string(counting.lanes) +
                        ">({c}, {present}, {negative}, {other});",
                    "bit_sums.h"}};
  return out;
}

Instruction ones_row(const Counting& counting) {
  Instruction out = counting_row(
      counting, kOnesRow, ones_in(Expr::load(1, Type::u32, {Index::axis(0, counting.lanes)})));
  out.values.push_back(words("words", counting.lanes));
  out.operands.push_back({"words", Access::read, Place::memory});
  out.spellings = {{"",
                    "{c} = burin_rt::" + std::string(kOnesRow) + "<" +
                        std::to_string(counting.lanes) + ">({c}, {words});",
                    "bit_sums.h"}};
  return out;
}

}  // namespace

std::vector<Instruction> bit_rows() {
  std::vector<Instruction> out;
  for (const Counting& one : kCounting) {
    out.push_back(product_row(one, false));
    out.push_back(product_row(one, true));
    out.push_back(ones_row(one));
  }
  return out;
}

BitRows bit_rows_of(std::string_view instruction) {
  BitRows out;
  for (const Instruction* row : all_rows()) {
    if (!is_named(*row, instruction)) continue;
    if (row->name.starts_with(kGroupRow))
      out.group = row;
    else if (row->name.starts_with(kLanesRow))
      out.lanes = row;
    else if (row->name.starts_with(kOnesRow))
      out.ones = row;
    else
      continue;
    out.lanes_count = static_cast<int>(row->values[0].shape[0].constant());
  }
  return out;
}

}  // namespace burin::isa
