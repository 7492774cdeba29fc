#include "differential/support/random_node.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int64_t kMostElements = 4096;  // of an output
constexpr int64_t kMostOperations = 1000000;

// What text attributes may say; by their names, which mean the same in every operator that has one.
const std::map<std::string, std::vector<std::string>>& words() {
  static const std::map<std::string, std::vector<std::string>> all = {
      {"auto_pad", {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"}},
      {"mode",
       {"nearest", "linear", "cubic", "bilinear", "bicubic", "constant", "reflect", "edge", "wrap",
        "DCR", "CRD", "avg", "max", "TF", "IDF", "TFIDF", "circular", "fan_in"}},
      {"coordinate_transformation_mode",
       {"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn",
        "half_pixel_symmetric", "output_half_pixel"}},
      {"nearest_mode", {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}},
      {"keep_aspect_ratio_policy", {"stretch", "not_larger", "not_smaller"}},
      {"reduction", {"none", "add", "mul", "min", "max", "mean", "sum"}},
      {"direction", {"LEFT", "RIGHT", "forward", "reverse", "bidirectional"}},
      {"padding_mode", {"zeros", "border", "reflection"}},
      {"approximate", {"none", "tanh"}},
      {"activation", {"Relu", "Tanh", "Sigmoid"}},
      {"equation",
       {"ij,jk->ik", "ij->ji", "i,i->", "...ij->...i", "bij,bjk->bik", "ij->", "ii->i"}},
      {"norm", {"L1", "L2", "MAX"}},
  };
  return all;
}

std::vector<Type> types_in(TypeSet set) {
  std::vector<Type> out;
  for (int k = 0; k < kTypeCount; ++k) {
    const Type type = static_cast<Type>(k);
    if (set.contains(type) && type != Type::string && type != Type::none) out.push_back(type);
  }
  return out;
}

int64_t product_of(const std::vector<int64_t>& shape) {
  int64_t all = 1;
  for (const int64_t extent : shape) all *= extent;
  return all;
}

HostTensor numbers(Draw& draw, Type type, std::vector<int64_t> shape, bool small) {
  const int64_t count = product_of(shape);
  if (is_float(type)) {
    std::vector<double> list;
    const bool special = draw.chance(0.15);
    for (int64_t k = 0; k < count; ++k) {
      const double x = static_cast<double>(draw.between(-4096, 4096)) / 1024;
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      list.push_back(
          special && draw.chance(0.2)
              ? draw.pick(std::vector<double>{0.0, -0.0, kInfinity, -kInfinity, 1e-40, 0.5, 2.5})
              : x);
    }
    return make_tensor(type, std::move(shape), list);
  }
  std::vector<int64_t> list;
  const bool wide = !small && type != Type::boolean && draw.chance(0.3);
  for (int64_t k = 0; k < count; ++k) {
    if (type == Type::boolean) {
      list.push_back(draw.between(0, 1));
    } else if (wide) {
      list.push_back(static_cast<int64_t>(draw.bits()));
    } else {
      list.push_back(draw.between(is_signed(type) ? -3 : 0, 4));
    }
  }
  return make_tensor(type, std::move(shape), list);
}

// A shape that has to do with `base`: the same, one that broadcasts to it, a list as long as one of
// its extents, its first two extents with others behind them, or any.
std::vector<int64_t> shape_like(Draw& draw, const std::vector<int64_t>& base) {
  std::vector<int64_t> shape = base;
  switch (draw.between(0, 9)) {
    case 0:
    case 1:
      for (int64_t& extent : shape) {
        if (draw.chance(0.4)) extent = 1;
      }
      if (draw.chance(0.5) && !shape.empty())
        shape.erase(shape.begin(),
                    shape.begin() + draw.between(0, static_cast<int64_t>(shape.size())));
      break;
    case 2:
      shape = {base.empty() ? 1 : draw.pick(base)};
      break;
    case 3:
      for (int64_t& extent : shape) extent = draw.between(1, 4);
      break;
    case 4:
      shape.clear();
      break;
    case 5:
      if (!shape.empty()) shape.back() = draw.between(1, 5);
      break;
    case 6:
      shape.assign(static_cast<size_t>(draw.between(1, 3)), 1);
      for (int64_t& extent : shape) extent = draw.between(1, 4);
      break;
    default:
      break;
  }
  return shape;
}

std::optional<Attribute> draw_attribute(Draw& draw, const AttributeDef& def, size_t rank) {
  const auto integer = [&] { return draw.chance(0.6) ? draw.between(0, 2) : draw.between(-2, 4); };
  const auto real = [&] { return draw.pick(std::vector<float>{0.1F, 0.5F, 1, 2, -1, 1e-3F, 3}); };
  const auto length = [&] {
    const auto n = static_cast<int64_t>(rank);
    return draw.pick(std::vector<int64_t>{1, 2, n, std::max<int64_t>(n - 2, 1),
                                          2 * std::max<int64_t>(n - 2, 1), 2 * n});
  };
  Attribute out{def.name, int64_t{0}};
  switch (def.kind) {
    case AttributeKind::integer:
      out.value = integer();
      return out;
    case AttributeKind::real:
      out.value = real();
      return out;
    case AttributeKind::integers: {
      std::vector<int64_t> list(static_cast<size_t>(length()));
      const int64_t low = draw.chance(0.5) ? 1 : -1;
      for (int64_t& one : list) one = draw.between(low, 3);
      if (draw.chance(0.2)) {  // an order of the axes
        list.resize(rank);
        for (size_t k = 0; k < rank; ++k) list[k] = static_cast<int64_t>(rank - 1 - k);
      }
      out.value = std::move(list);
      return out;
    }
    case AttributeKind::reals: {
      std::vector<float> list(static_cast<size_t>(length()));
      for (float& one : list) one = real();
      out.value = std::move(list);
      return out;
    }
    case AttributeKind::text: {
      const auto known = words().find(def.name);
      if (known == words().end()) return std::nullopt;
      out.value = draw.pick(known->second);
      return out;
    }
    case AttributeKind::tensor: {
      const std::vector<int64_t> shape =
          draw.chance(0.5) ? std::vector<int64_t>{1} : std::vector<int64_t>{2, 3};
      const HostTensor host = numbers(draw, draw.chance(0.5) ? Type::f32 : Type::i64, shape, true);
      out.value = Tensor{host.type, host.shape, to_constant(host), {}};
      return out;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

RandomNode draw_node(const OpDef& def, Draw& draw) {
  RandomNode node;
  node.def = &def;
  node.version = static_cast<int>(draw.between(def.since, def.until));
  const auto rank = static_cast<size_t>(draw.between(0, 4));
  std::vector<int64_t> base(rank);
  for (int64_t& extent : base) extent = draw.between(1, 4);
  std::optional<Type> first;
  for (const Formal& formal : def.inputs) {
    if (!formal.opsets.contains(node.version)) continue;
    if (formal.arity == Arity::optional && draw.chance(0.5)) {
      node.inputs.emplace_back();
      node.constant.push_back(false);
      continue;
    }
    const std::vector<Type> types = types_in(formal.types);
    if (types.empty()) continue;
    const int64_t count = formal.arity == Arity::variadic ? draw.between(1, 3) : 1;
    const bool list =
        (formal.types | types::indices) == types::indices && first && draw.chance(0.7);
    Type type =
        first && formal.types.contains(*first) && draw.chance(0.8) ? *first : draw.pick(types);
    if (draw.chance(0.3) && formal.types.contains(Type::f32) && !first) type = Type::f32;
    if (!first) first = type;
    for (int64_t k = 0; k < count; ++k) {
      std::vector<int64_t> shape = node.inputs.empty() ? base : shape_like(draw, base);
      if (list) {
        shape = {};
        if (draw.chance(0.8))
          shape.push_back(draw.chance(0.5) ? static_cast<int64_t>(rank)
                                           : draw.between(1, 2 * static_cast<int64_t>(rank) + 1));
      }
      node.inputs.push_back(numbers(draw, type, shape, !is_float(type) && draw.chance(0.7)));
      node.constant.push_back(draw.chance(list ? 0.8 : 0.15));
    }
  }
  while (!node.inputs.empty() && !node.inputs.back()) {
    node.inputs.pop_back();
    node.constant.pop_back();
  }
  for (const AttributeDef& attribute : def.attributes) {
    if (!attribute.opsets.contains(node.version) || (!attribute.required && draw.chance(0.6)))
      continue;
    if (std::optional<Attribute> made = draw_attribute(draw, attribute, rank))
      node.attributes.push_back(std::move(*made));
  }
  for (const Formal& formal : def.outputs) {
    if (!formal.opsets.contains(node.version)) continue;
    const int64_t count = formal.arity == Arity::variadic ? draw.between(1, 3) : 1;
    for (int64_t k = 0; k < count; ++k)
      node.outputs.push_back(formal.arity != Arity::optional || draw.chance(0.5));
  }
  while (node.outputs.size() > 1 && !node.outputs.back()) node.outputs.pop_back();
  return node;
}

Graph graph_of(const std::vector<RandomNode>& nodes, bool symbolic, std::vector<HostTensor>& data) {
  Graph graph;
  graph.name = "table";
  graph.file = "table";
  graph.ir_version = 10;
  std::map<int64_t, Symbol> symbols;
  data.clear();
  for (const RandomNode& drawn : nodes) {
    Node node;
    node.op = drawn.def->name;
    node.domain = drawn.def->domain;
    node.version = drawn.version;
    node.number = static_cast<int>(graph.block.nodes.size());
    node.name = node.op + "_" + std::to_string(node.number);
    node.attributes = drawn.attributes;
    for (size_t k = 0; k < drawn.inputs.size(); ++k) {
      if (!drawn.inputs[k]) {
        node.inputs.push_back(kAbsent);
        continue;
      }
      const HostTensor& tensor = *drawn.inputs[k];
      const auto id = static_cast<GraphValueId>(graph.values.size());
      GraphValue value;
      value.name = node.name + "_x" + std::to_string(k);
      value.type = tensor.type;
      value.shape = std::vector<Dim>(tensor.shape.begin(), tensor.shape.end());
      node.inputs.push_back(id);
      if (drawn.constant[k]) {
        value.constant = Tensor{tensor.type, tensor.shape, to_constant(tensor), {}};
      } else {
        graph.block.inputs.push_back(id);
        data.push_back(tensor);
        for (Dim& extent : *value.shape) {
          if (!symbolic || extent.constant() < 2) continue;
          Symbol& symbol = symbols[extent.constant()];
          if (!symbol) {
            symbol = std::make_shared<const SymbolInfo>(
                SymbolInfo{"n" + to_string(extent), SymbolOrigin::param, 1, 16, 0});
            graph.symbols.push_back(symbol);
          }
          extent = Index::symbol(symbol);
        }
      }
      graph.values.push_back(std::move(value));
    }
    for (size_t k = 0; k < drawn.outputs.size(); ++k) {
      if (!drawn.outputs[k]) {
        node.outputs.push_back(kAbsent);
        continue;
      }
      const auto id = static_cast<GraphValueId>(graph.values.size());
      graph.values.push_back({});
      graph.values.back().name = node.name + "_y" + std::to_string(k);
      node.outputs.push_back(id);
      graph.block.outputs.push_back(id);
    }
    graph.block.nodes.push_back(std::move(node));
  }
  return graph;
}

bool is_legal(const RandomNode& node) {
  try {
    std::vector<HostTensor> data;
    const KernelGraph graph = lower(graph_of({node}, false, data), {}).graph;
    std::vector<std::vector<int64_t>> shapes;
    for (const HostTensor& tensor : data) shapes.push_back(tensor.shape);
    InterpretOptions options;
    options.operations = kMostOperations;
    const RunResult result = interpret(graph, data, bind_symbols(graph, shapes), options);
    if (result.status != kRunOk) return false;
    int64_t most = 0;
    for (const HostTensor& output : result.outputs) most = std::max(most, output.elements());
    return most > 0 && most <= kMostElements;
  } catch (const Refused&) {
    return false;
  }
}

}  // namespace burin
