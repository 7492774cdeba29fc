// Every operand and every list of attributes of every operator, made long: at what the generator
// follows element by element (4096) and around it, and far beyond. The built program refuses each
// in under a second, or makes a tree, under the limits that hold for every input.
//
// A node that its operator takes is drawn (differential/support/random_node.h), so that what is
// long is the only thing wrong with it. BURIN_LIST_LENGTHS names other lengths, separated by
// blanks; tests/errors/README.md has the command for all of them, and its last figures.
#include <cstdlib>
#include <map>
#include <sstream>

#include "differential/support/random_node.h"
#include "errors/support/bombs.h"
#include "ops/api/core/op_table.h"
#include "support/check.h"

namespace burin::list_lengths_test {
namespace {

constexpr double kRefusedWithin = 1;  // seconds of processor time
constexpr int kDraws = 600;           // of an operator, until one is legal

// The numbers of element types in the format, by Type.
int element_of(Type type) {
  static const std::map<Type, int> numbers = {
      {Type::f32, 1},         {Type::u8, 2},        {Type::i8, 3},          {Type::u16, 4},
      {Type::i16, 5},         {Type::i32, 6},       {Type::i64, 7},         {Type::boolean, 9},
      {Type::f16, 10},        {Type::f64, 11},      {Type::u32, 12},        {Type::u64, 13},
      {Type::bf16, 16},       {Type::f8e4m3fn, 17}, {Type::f8e4m3fnuz, 18}, {Type::f8e5m2, 19},
      {Type::f8e5m2fnuz, 20}, {Type::u4, 21},       {Type::i4, 22},         {Type::f4e2m1, 23},
      {Type::f8e8m0, 24},     {Type::u2, 25},       {Type::i2, 26}};
  return numbers.at(type);
}

Message attribute_message(const Attribute& given) {
  if (const auto* one = std::get_if<int64_t>(&given.value))
    return integer_attribute(given.name, *one);
  if (const auto* one = std::get_if<float>(&given.value))
    return attribute(given.name, kReal).real(2, *one);
  if (const auto* one = std::get_if<std::string>(&given.value))
    return attribute(given.name, kText).text(4, *one);
  if (const auto* list = std::get_if<std::vector<int64_t>>(&given.value))
    return list_attribute(given.name, *list);
  Message m = attribute(given.name, kReals);
  if (const auto* list = std::get_if<std::vector<float>>(&given.value)) {
    for (const float value : *list) m.real(7, value);
    return m;
  }
  if (const auto* list = std::get_if<std::vector<std::string>>(&given.value)) {
    m = attribute(given.name, kTexts);
    for (const std::string& value : *list) m.text(9, value);
    return m;
  }
  const Tensor& held = std::get<Tensor>(given.value);
  return tensor_attribute(given.name, raw_tensor("", element_of(held.type), held.shape,
                                                 {reinterpret_cast<const char*>(held.content.data),
                                                  held.content.bytes}));
}

// 0, 1, 2, ... or ones, of a type; zeros where elements share bytes.
std::string bytes_of(Type type, int64_t length, bool counts) {
  const auto size = static_cast<size_t>(size_bits(type) / 8);
  std::string bytes(static_cast<size_t>(size_bytes(type, length)), '\0');
  if (size == 0 || is_float(type)) return bytes;
  for (int64_t i = 0; i < length; ++i) {
    const int64_t value = type == Type::boolean || !counts ? 1 : i;
    std::memcpy(bytes.data() + static_cast<size_t>(i) * size, &value, size);
  }
  return bytes;
}

// What is long: an operand, or an attribute.
struct Place {
  int operand = -1;
  std::string attribute;
};

Message model_of(const RandomNode& drawn, const Place& place, int64_t length, bool counts) {
  GraphParts parts;
  Names inputs, outputs;
  for (size_t i = 0; i < drawn.inputs.size(); ++i) {
    inputs.push_back(drawn.inputs[i] ? numbered("x", static_cast<int>(i)) : "");
    if (!drawn.inputs[i]) continue;
    const HostTensor& given = *drawn.inputs[i];
    const int element = element_of(given.type);
    if (place.operand == static_cast<int>(i)) {
      parts.initializers.push_back(
          raw_tensor(inputs.back(), element, {length}, bytes_of(given.type, length, counts)));
    } else if (drawn.constant[i]) {
      const Constant held = to_constant(given);
      parts.initializers.push_back(
          raw_tensor(inputs.back(), element, given.shape,
                     {reinterpret_cast<const char*>(held.data), held.bytes}));
    } else {
      parts.inputs.push_back(
          value(inputs.back(), element, {given.shape.begin(), given.shape.end()}));
    }
  }
  for (size_t i = 0; i < drawn.outputs.size(); ++i) {
    outputs.push_back(drawn.outputs[i] ? numbered("y", static_cast<int>(i)) : "");
    if (drawn.outputs[i]) parts.outputs.push_back(open_value(outputs.back()));
  }
  std::vector<Message> attributes;
  const auto count = static_cast<size_t>(length);
  for (const AttributeDef& def : drawn.def->attributes) {
    if (def.name != place.attribute || !def.opsets.contains(drawn.version)) continue;
    Attribute made{def.name, int64_t{0}};
    if (def.kind == AttributeKind::integers) {
      std::vector<int64_t> list(count, 1);
      for (size_t i = 0; counts && i < count; ++i) list[i] = static_cast<int64_t>(i);
      made.value = std::move(list);
    } else if (def.kind == AttributeKind::reals) {
      made.value = std::vector<float>(count, 1);
    } else {
      std::vector<std::string> list;
      for (size_t i = 0; i < count; ++i) list.push_back(counts ? std::to_string(i) : "Relu");
      made.value = std::move(list);
    }
    attributes.push_back(attribute_message(made));
  }
  for (const Attribute& given : drawn.attributes) {
    if (given.name != place.attribute) attributes.push_back(attribute_message(given));
  }
  parts.nodes = {node(drawn.def->name, inputs, outputs, attributes, "n", drawn.def->domain)};
  std::vector<Message> opsets = {opset(drawn.def->domain, drawn.version)};
  if (!drawn.def->domain.empty()) opsets.push_back(opset("", 17));
  return model(graph(parts), {}, opsets, 13);
}

std::vector<Place> places_of(const RandomNode& drawn) {
  std::vector<Place> out;
  for (size_t i = 0; i < drawn.inputs.size(); ++i) {
    if (drawn.inputs[i]) out.push_back({static_cast<int>(i), ""});
  }
  for (const AttributeDef& def : drawn.def->attributes) {
    const bool list = def.kind == AttributeKind::integers || def.kind == AttributeKind::reals ||
                      def.kind == AttributeKind::texts;
    if (list && def.opsets.contains(drawn.version)) out.push_back({-1, def.name});
  }
  return out;
}

std::vector<int64_t> lengths() {
  const char* const given = std::getenv("BURIN_LIST_LENGTHS");
  std::istringstream in(given ? given : "4098");
  std::vector<int64_t> out;
  for (int64_t one; in >> one;) out.push_back(one);
  return out;
}

class ListLengths : public Bombs {
 protected:
  void run(const RandomNode& drawn, const Place& place) {
    for (const int64_t length : lengths()) {
      for (const bool counts : {false, true}) {
        const std::string what =
            drawn.def->name + "-" + std::to_string(drawn.version) + " " +
            (place.operand < 0 ? place.attribute : "operand " + std::to_string(place.operand)) +
            " of " + std::to_string(length) + (counts ? " numbers in a row" : " ones");
        const BoundedRun done = generate(model_of(drawn, place, length, counts));
        ASSERT_TRUE(done.exit_code == kExitOk || done.exit_code == kExitRefused)
            << what << ": exit code " << done.exit_code << " after " << done.seconds << " s, "
            << done.kilobytes << " KB: " << done.output;
        expect_bounded(done, done.exit_code, what);
        const bool refused = done.exit_code == kExitRefused;
        EXPECT_TRUE(!refused || done.seconds <= kRefusedWithin) << what << ": " << done.output;
        ++(refused ? refused_ : compiled_);
        if (done.seconds > slowest_) slowest_ = done.seconds, slowest_of_ = what;
        if (done.kilobytes > largest_) largest_ = done.kilobytes, largest_of_ = what;
      }
    }
  }

  int refused_ = 0, compiled_ = 0, without_node_ = 0;
  double slowest_ = 0;
  long largest_ = 0;
  std::string slowest_of_, largest_of_;
};

TEST_F(ListLengths, AreRefusedOrCompiled) {
  const char* const only = std::getenv("BURIN_LIST_OPERATOR");
  for (const OpDef& def : op_table()) {
    if (only && def.name != only) continue;
    // Each operand and list is in one of the nodes that are drawn, where the operator takes one.
    std::map<std::string, bool> tried;
    int legal = 0;
    for (int seed = 0; seed < kDraws && legal < 6; ++seed) {
      Draw draw(static_cast<uint64_t>(seed) + 1);
      const RandomNode drawn = draw_node(def, draw);
      try {
        if (!is_legal(drawn)) continue;
      } catch (const InternalError& error) {
        ADD_FAILURE() << def.name << ", seed " << seed << ": " << error.what();
        continue;
      }
      ++legal;
      for (const Place& place : places_of(drawn)) {
        bool& known = tried[std::to_string(place.operand) + place.attribute];
        if (!std::exchange(known, true)) run(drawn, place);
      }
    }
    without_node_ += legal == 0;
  }
  std::cout << refused_ << " refused, " << compiled_ << " compiled, " << without_node_
            << " operators without a node; slowest " << slowest_ << " s (" << slowest_of_
            << "), largest " << largest_ / 1024 << " MB (" << largest_of_ << ")\n";
  EXPECT_GT(refused_, only ? 0 : 100);
  EXPECT_GT(compiled_, only ? 0 : 100);
}

}  // namespace
}  // namespace burin::list_lengths_test
