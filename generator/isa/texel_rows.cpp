#include "isa/texel_rows.h"

#include <string>

#include "isa/all_rows.h"
#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

constexpr int kComponents = 4;

std::string row_name(const char* kind, Type type) {
  return std::string(kind) + "_" + std::string(to_string(type));
}

// to[j] = from[j]
Instruction moving_row(const char* kind, Type image, Type to, Type from, Place place_to,
                       Place place_from, const char* text) {
  Instruction out =
      lane_row(kind, image, kComponents, Expr::load(1, from, {Index::axis(0, kComponents)}));
  out.name = out.meaning.name = row_name(kind, image);
  out.takes = 0;
  out.values = {lanes_value("to", to, kComponents, ValueKind::output),
                lanes_value("from", from, kComponents, ValueKind::input)};
  out.operands = {{"to", Access::write, place_to}, {"from", Access::read, place_from}};
  out.spellings = {{"opencl", text, "image.cl"}};
  return out;
}

}  // namespace

std::vector<Instruction> texel_rows() {
  std::vector<Instruction> out;
  for (const Type type : {Type::f32, Type::f16}) {
    out.push_back(moving_row("read_texel", type, Type::f32, type, Place::memory, Place::image,
                             "vstore4(read_imagef({from}, burin_texels, {from.at}), 0, {to});"));
    out.push_back(moving_row("write_texel", type, type, Type::f32, Place::image, Place::memory,
                             "write_imagef({to}, {to.at}, vload4(0, {from}));"));
  }
  return out;
}

const Instruction* read_texel(Type type) { return find_row(row_name("read_texel", type)); }
const Instruction* write_texel(Type type) { return find_row(row_name("write_texel", type)); }

}  // namespace burin::isa
