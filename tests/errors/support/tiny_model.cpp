#include "errors/support/tiny_model.h"

#include <cctype>
#include <cstring>
#include <map>
#include <sstream>
#include <stdexcept>

#include "support/onnx_writer.h"

namespace burin {
namespace {

namespace w = onnx_writer;
using w::Message;

int element_of(const std::string& name) {
  static const std::map<std::string, int> kElements = {
      {"f32", 1},  {"u8", 2},     {"i8", 3},    {"u16", 4},     {"i16", 5},  {"i32", 6},
      {"i64", 7},  {"string", 8}, {"bool", 9},  {"f16", 10},    {"f64", 11}, {"u32", 12},
      {"u64", 13}, {"c64", 14},   {"bf16", 16}, {"f8e4m3", 17}, {"u4", 21},  {"i4", 22}};
  const auto found = kElements.find(name);
  return found == kElements.end() ? std::stoi(name) : found->second;
}

// One line of the text, read from the left.
class Cursor {
 public:
  explicit Cursor(std::string line) : line_(std::move(line)) {}

  bool at_end() {
    skip();
    return at_ == line_.size();
  }
  bool take(std::string_view what) {
    skip();
    if (line_.compare(at_, what.size(), what) != 0) return false;
    at_ += what.size();
    return true;
  }
  bool next_is(char c) {
    skip();
    return at_ < line_.size() && line_[at_] == c;
  }
  void expect(std::string_view what) {
    if (!take(what)) fail();
  }
  std::string word() {
    skip();
    if (at_ < line_.size() && line_[at_] == '"') return quoted_word();
    const size_t start = at_;
    while (at_ < line_.size() && std::strchr(" ,()[]={}", line_[at_]) == nullptr) ++at_;
    return line_.substr(start, at_ - start);
  }
  // "a, b, , c" up to `close`; empty names are operands that are left out.
  std::vector<std::string> list(std::string_view close) {
    std::vector<std::string> out;
    if (take(close)) return out;
    do {
      out.push_back(word());
    } while (take(","));
    expect(close);
    return out;
  }
  [[noreturn]] void fail() const { throw std::runtime_error("not understood: " + line_); }

 private:
  void skip() {
    while (at_ < line_.size() && line_[at_] == ' ') ++at_;
  }
  // With \xNN for any byte.
  std::string quoted_word() {
    std::string out;
    for (++at_; at_ < line_.size() && line_[at_] != '"'; ++at_) {
      if (line_.compare(at_, 2, "\\x") == 0) {
        out += static_cast<char>(std::stoi(line_.substr(at_ + 2, 2), nullptr, 16));
        at_ += 3;
      } else {
        out += line_[at_];
      }
    }
    ++at_;
    return out;
  }

  std::string line_;
  size_t at_ = 0;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : lines_(std::string(text)) {}

  TinyModel run() {
    const Message graph = read_graph("g", true);
    Message model;
    model.integer(1, ir_);
    for (const Message& opset : opsets_) model.message(8, opset);
    if (opsets_.empty()) model.message(8, w::opset("", 17));
    model.message(7, graph);
    for (const Message& function : functions_) model.message(25, function);
    return {model.bytes(), dims_, strict_};
  }

 private:
  // A node is written when it is complete: its bodies stand on the lines behind it.
  struct Pending {
    Message node;
    bool there = false;
  };

  std::vector<std::string> dims_of(Cursor& cursor) { return cursor.list("]"); }

  // A TypeProto: "f32[N,4]", "f32" without a shape, "optional f32[N]", "sequence" of nothing.
  Message type(Cursor& cursor) {
    const std::string name = cursor.word();
    if (name == "sequence" || name == "optional") {
      const Message inner = cursor.at_end() ? Message() : Message().message(1, type(cursor));
      return Message().message(name == "sequence" ? 4 : 9, inner);
    }
    const Message element = Message().integer(1, element_of(name));
    if (!cursor.take("[")) return Message().message(1, element);
    Message dims;
    for (const std::string& text : dims_of(cursor)) {
      const bool number = !text.empty() && (std::isdigit(text[0]) != 0 || text[0] == '-');
      Message dim;
      if (number) {
        dim.integer(1, std::stoll(text));
      } else if (text != "?") {
        dim.text(2, text);
      }
      dims.message(1, dim);
    }
    return Message().message(1, Message(element).message(2, dims));
  }

  Message value(Cursor& cursor) {
    const Message named = Message().text(1, cursor.word());
    return cursor.at_end() ? named : Message(named).message(2, type(cursor));
  }

  // Numbers in the field of their type; "raw N" stands for N bytes.
  Message constant(Cursor& cursor) {
    const std::string name = cursor.word();
    const int element = element_of(cursor.word());
    cursor.expect("[");
    std::vector<int64_t> shape;
    for (const std::string& text : dims_of(cursor)) shape.push_back(std::stoll(text));
    Message tensor = w::tensor(name, element, shape);
    if (cursor.take("raw")) {
      tensor.text(9, std::string(static_cast<size_t>(std::stoi(cursor.word())), '\0'));
    } else if (cursor.take("external")) {
      tensor.integer(14, 1);
      while (!cursor.at_end()) {
        const std::string key = cursor.word();
        cursor.expect("=");
        tensor.message(13, Message().text(1, key).text(2, cursor.word()));
      }
    }
    while (!cursor.at_end()) {
      const std::string number = cursor.word();
      if (element == w::kFloat) {
        tensor.real(4, std::stof(number));
      } else if (element == w::kString) {
        tensor.text(6, number);
      } else if (element == w::kDouble) {
        cursor.fail();
      } else {
        tensor.integer(element == w::kInt64 ? 7 : 5, std::stoll(number));
      }
    }
    return tensor;
  }

  static bool is_real(const std::string& text) {
    return text.find_first_of(".eni") != std::string::npos;
  }

  Message attribute(const std::string& key, Cursor& cursor) {
    if (cursor.take("@")) return w::reference(key, w::kInteger, cursor.word());
    if (cursor.next_is('"')) return w::attribute(key, w::kText).text(4, cursor.word());
    if (!cursor.take("[")) {
      const std::string text = cursor.word();
      return is_real(text) ? w::attribute(key, w::kReal).real(2, std::stof(text))
                           : w::integer_attribute(key, std::stoll(text));
    }
    const std::vector<std::string> all = cursor.list("]");
    const bool reals = !all.empty() && is_real(all[0]);
    Message out = w::attribute(key, reals ? w::kReals : w::kIntegers);
    for (const std::string& one : all) {
      if (reals) {
        out.real(7, std::stof(one));
      } else {
        out.integer(8, std::stoll(one));
      }
    }
    return out;
  }

  // node Op(x, y) -> z name=sum axis=1
  Message node(Cursor& cursor) {
    Message node;
    const std::string op = cursor.word();
    cursor.expect("(");
    for (const std::string& input : cursor.list(")")) node.text(1, input);
    cursor.expect("->");
    do {
      const std::string output = cursor.word();
      node.text(2, output);
    } while (cursor.take(","));
    node.text(4, op);
    while (!cursor.at_end()) {
      const std::string key = cursor.word();
      cursor.expect("=");
      if (key == "name" || key == "domain") {
        node.text(key == "name" ? 3 : 7, cursor.word());
      } else {
        node.message(5, attribute(key, cursor));
      }
    }
    return node;
  }

  Message read_graph(const std::string& name, bool whole) {
    w::GraphParts parts;
    parts.name = name;
    Pending pending;
    const auto flush = [&] {
      if (pending.there) parts.nodes.push_back(pending.node);
      pending = {};
    };
    for (std::string line; std::getline(lines_, line);) {
      Cursor cursor(line);
      if (cursor.at_end() || cursor.take("#")) continue;
      if (cursor.take("}")) break;
      if (cursor.take("body ")) {
        const std::string key = cursor.word();
        pending.node.message(5, w::graph_attribute(key, read_graph(key, false)));
      } else if (cursor.take("node ")) {
        flush();
        pending = {node(cursor), true};
      } else if (cursor.take("in ")) {
        parts.inputs.push_back(value(cursor));
      } else if (cursor.take("out ")) {
        parts.outputs.push_back(value(cursor));
      } else if (cursor.take("value ")) {
        parts.value_infos.push_back(value(cursor));
      } else if (cursor.take("const ")) {
        parts.initializers.push_back(constant(cursor));
      } else if (whole && cursor.take("ir ")) {
        ir_ = std::stoll(cursor.word());
      } else if (whole && cursor.take("opset ")) {
        const std::string first = cursor.word();
        opsets_.push_back(cursor.at_end() ? w::opset("", std::stoll(first))
                                          : w::opset(first, std::stoll(cursor.word())));
      } else if (whole && cursor.take("dim ")) {
        dims_.push_back(cursor.next_is('"') ? cursor.word() : line.substr(4));
      } else if (whole && line == "strict") {
        strict_ = true;
      } else if (whole && cursor.take("function ")) {
        functions_.push_back(function(cursor));
      } else {
        cursor.fail();
      }
    }
    flush();
    return w::graph(parts);
  }

  // function local f(a, b) -> c attribute ... {
  Message function(Cursor& cursor) {
    const std::string domain = cursor.word(), name = cursor.word();
    cursor.expect("(");
    const std::vector<std::string> inputs = cursor.list(")");
    cursor.expect("->");
    std::vector<std::string> outputs = {cursor.word()};
    while (cursor.take(",")) outputs.push_back(cursor.word());
    std::vector<std::string> attributes;
    while (!cursor.take("{")) attributes.push_back(cursor.word());
    std::vector<Message> nodes;
    for (std::string line; std::getline(lines_, line);) {
      Cursor inner(line);
      if (inner.take("}")) break;
      inner.expect("node ");
      nodes.push_back(node(inner));
    }
    return w::function(name, inputs, outputs, nodes, attributes, {}, domain)
        .message(9, w::opset("local", 1));
  }

  std::istringstream lines_;
  int64_t ir_ = 8;
  std::vector<Message> opsets_, functions_;
  std::vector<std::string> dims_;
  bool strict_ = false;
};

}  // namespace

TinyModel tiny_model(std::string_view text) { return Reader(text).run(); }

}  // namespace burin
