// Equality, counting and look-up on graphs.
#include "graph/graph.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "graph/path.h"

namespace burin {
namespace {

bool same_bytes(const Constant& a, const Constant& b) {
  return a.bytes == b.bytes &&
         (a.data == b.data || a.bytes == 0 || std::memcmp(a.data, b.data, a.bytes) == 0);
}

bool same_real(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

bool same(const Block& a, const Block& b);

// Floats are compared by their bits, so that NaN equals itself and -0 differs from 0.
struct SameValue {
  template <class A, class B>
  bool operator()(const A&, const B&) const {
    return false;
  }
  template <class A>
  bool operator()(const A& a, const A& b) const {
    return a == b;
  }
  bool operator()(const float& a, const float& b) const { return same_real(a, b); }
  bool operator()(const std::vector<float>& a, const std::vector<float>& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_real);
  }
  bool operator()(const std::shared_ptr<const Block>& a,
                  const std::shared_ptr<const Block>& b) const {
    return a == b || (a && b && same(*a, *b));
  }
};

bool same(const Attribute& a, const Attribute& b) {
  return a.name == b.name && std::visit(SameValue(), a.value, b.value);
}

bool same(const Node& a, const Node& b) {
  return a.name == b.name && a.op == b.op && a.domain == b.domain && a.version == b.version &&
         a.number == b.number && a.inputs == b.inputs && a.outputs == b.outputs &&
         std::equal(a.attributes.begin(), a.attributes.end(), b.attributes.begin(),
                    b.attributes.end(),
                    [](const Attribute& x, const Attribute& y) { return same(x, y); });
}

bool same(const Block& a, const Block& b) {
  return a.name == b.name && a.inputs == b.inputs && a.outputs == b.outputs &&
         std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(),
                    [](const Node& x, const Node& y) { return same(x, y); });
}

bool same(const Symbol& a, const Symbol& b) {
  return a->name == b->name && a->origin == b->origin && a->min == b->min && a->max == b->max &&
         a->hint == b->hint;
}

bool same(const GraphValue& a, const GraphValue& b) {
  return a.name == b.name && a.type == b.type && a.shape == b.shape && a.constant == b.constant &&
         a.container == b.container;
}

// Symbols are compared by name inside a Dim; here their bounds count too.
std::vector<Symbol> symbols_in(const Graph& graph) {
  std::vector<Symbol> symbols;
  for (const GraphValue& value : graph.values) {
    if (!value.shape) continue;
    for (const Dim& dim : *value.shape) dim.collect_symbols(symbols);
  }
  return symbols;
}

}  // namespace

bool Tensor::operator==(const Tensor& other) const {
  return type == other.type && shape == other.shape && strings == other.strings &&
         same_bytes(content, other.content);
}

int64_t Tensor::elements() const {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  int64_t all = 1;
  for (const int64_t dim : shape) {
    if (__builtin_mul_overflow(all, dim, &all)) refuse("limit", "a tensor exceeds 64 bits");
  }
  return all;
}

const Attribute* Node::find(std::string_view attribute) const {
  for (const Attribute& candidate : attributes) {
    if (candidate.name == attribute) return &candidate;
  }
  return nullptr;
}

Location locate(const Node& node) {
  return locate(std::vector<PathPlace>{{node.number, node.name, node.op}});
}

bool operator==(const Graph& a, const Graph& b) {
  const auto same_symbols = [](const std::vector<Symbol>& x, const std::vector<Symbol>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const Symbol& p, const Symbol& q) { return same(p, q); });
  };
  return a.name == b.name && a.file == b.file && a.ir_version == b.ir_version &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                    [](const GraphValue& x, const GraphValue& y) { return same(x, y); }) &&
         same(a.block, b.block) && same_symbols(a.symbols, b.symbols) &&
         same_symbols(symbols_in(a), symbols_in(b));
}

}  // namespace burin
