#include "fuzz/support/model_mutator.h"

#include <array>
#include <cstring>
#include <functional>
#include <random>

#include "fuzz/support/message.h"
#include "ops/api/core/op_table.h"

namespace burin::fuzz {
namespace {

constexpr int kMostNodes = 24;    // a larger model only makes a run slower
constexpr int kElementInt64 = 7;  // of the format
constexpr std::array<int, 7> kKindOfAttribute = {2, 1, 3, 4, 5, 7, 6};  // by AttributeKind
constexpr int kKindTexts = 8;

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  int below(int n) { return n > 0 ? static_cast<int>(random_() % static_cast<unsigned>(n)) : 0; }
  bool chance(int one_in) { return below(one_in) == 0; }
  template <class List>
  const auto& of(const List& list) {
    return list[static_cast<size_t>(below(static_cast<int>(std::size(list))))];
  }
  // Mostly what models contain, sometimes what no model should.
  int64_t size() {
    if (chance(12)) return of(kExtremes);
    return chance(3) ? below(40) : below(6);
  }
  int64_t integer() {
    if (chance(8)) return of(kExtremes);
    return below(12) - 4;
  }
  float real() {
    static constexpr std::array kReals = {
        0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 1e-40f, 3e38f, __builtin_inff(), __builtin_nanf("")};
    return chance(2) ? of(kReals) : static_cast<float>(below(64) - 32) / 8;
  }

 private:
  static constexpr std::array kExtremes = {INT64_MIN,        INT64_MAX,        int64_t{1} << 62,
                                           int64_t{1} << 40, int64_t{1} << 31, int64_t{65536},
                                           int64_t{-1},      int64_t{1000},    int64_t{1} << 20};
  std::mt19937 random_;
};

class ModelMutator {
 public:
  ModelMutator(ProtoMessage& model, Dice& dice) : model_(model), dice_(dice) {}

  void run() {
    using Mutation = void (ModelMutator::*)(ProtoMessage&);
    static constexpr std::array kMutations = {
        &ModelMutator::change_operator,  &ModelMutator::change_operator,
        &ModelMutator::add_node,         &ModelMutator::add_node,
        &ModelMutator::change_attribute, &ModelMutator::change_attribute,
        &ModelMutator::change_attribute, &ModelMutator::change_wire,
        &ModelMutator::change_wire,      &ModelMutator::change_input_type,
        &ModelMutator::change_input_dim, &ModelMutator::change_input_dim,
        &ModelMutator::change_constant,  &ModelMutator::change_constant,
        &ModelMutator::add_constant,     &ModelMutator::add_input,
        &ModelMutator::remove_node,      &ModelMutator::swap_nodes,
        &ModelMutator::change_outputs,   &ModelMutator::change_declared,
        &ModelMutator::change_version,   &ModelMutator::wrap_in_if,
        &ModelMutator::move_to_function, &ModelMutator::change_name};
    for (int left = 1 + dice_.below(4); left > 0; --left) {
      const Mutation mutation = dice_.of(kMutations);
      (this->*mutation)(some_graph());
    }
  }

 private:
  // The model's graph, or a body inside it.
  ProtoMessage& some_graph() {
    ProtoMessage* graph = &sub(model_, "graph");
    for (int depth = 0; depth < 4 && !dice_.chance(3); ++depth) {
      std::vector<ProtoMessage*> bodies;
      for (int n = 0; n < count(*graph, "node"); ++n) {
        ProtoMessage& node = at(*graph, "node", n);
        for (int a = 0; a < count(node, "attribute"); ++a) {
          if (has(at(node, "attribute", a), "g"))
            bodies.push_back(&sub(at(node, "attribute", a), "g"));
        }
      }
      if (bodies.empty()) break;
      graph = dice_.of(bodies);
    }
    return *graph;
  }

  ProtoMessage* some_node(ProtoMessage& graph) {
    const int nodes = count(graph, "node");
    return nodes == 0 ? nullptr : &at(graph, "node", dice_.below(nodes));
  }

  // Names that a node of the graph may read; those of outer graphs too, now and then.
  std::vector<std::string> values_of(ProtoMessage& graph) {
    std::vector<std::string> names;
    for (const char* list : {"input", "initializer"}) {
      for (int i = 0; i < count(graph, list); ++i)
        names.push_back(text(at(graph, list, i), "name"));
    }
    for (int n = 0; n < count(graph, "node"); ++n) {
      for (const std::string& output : texts(at(graph, "node", n), "output"))
        names.push_back(output);
    }
    ProtoMessage& outer = sub(model_, "graph");
    if (&outer != &graph && (names.empty() || dice_.chance(3))) {
      for (const std::string& name : values_of(outer)) names.push_back(name);
    }
    return names;
  }

  std::string some_value(ProtoMessage& graph) {
    const std::vector<std::string> names = values_of(graph);
    return names.empty() || dice_.chance(40) ? std::string() : dice_.of(names);
  }

  std::string fresh_name() { return "f" + std::to_string(dice_.below(1 << 30)); }

  int64_t opset() {
    return count(model_, "opset_import") > 0 ? number(at(model_, "opset_import", 0), "version")
                                             : kLatestOpset;
  }

  // An operator of the table that exists at the model's opset.
  const OpDef& some_operator() {
    for (int tries = 0; tries < 20; ++tries) {
      const OpDef& def = dice_.of(op_table());
      if (!def.domain.empty() && dice_.chance(2)) continue;
      if (!def.domain.empty() || (def.since <= opset() && opset() <= def.until)) return def;
    }
    return op_table()[0];
  }

  void name_operator(ProtoMessage& node, const OpDef& def) {
    set(node, "op_type", def.name);
    if (def.domain.empty()) {
      clear(node, "domain");
      return;
    }
    set(node, "domain", def.domain);
    for (int i = 0; i < count(model_, "opset_import"); ++i) {
      if (text(at(model_, "opset_import", i), "domain") == def.domain) return;
    }
    ProtoMessage& opset = add(model_, "opset_import");
    set(opset, "domain", def.domain);
    set(opset, "version", int64_t{1});
  }

  static const OpDef* definition_of(const ProtoMessage& node) {
    for (const OpDef& def : op_table()) {
      if (def.name == text(node, "op_type") && def.domain == text(node, "domain")) return &def;
    }
    return nullptr;
  }

  // As many inputs as the operator has: what is there stays, the rest comes from the graph.
  void fit_inputs(ProtoMessage& graph, ProtoMessage& node, const OpDef& def) {
    int wanted = 0;
    for (const Formal& formal : def.inputs) {
      if (!formal.opsets.contains(static_cast<int>(opset()))) continue;
      if (formal.arity == Arity::optional && dice_.chance(2)) break;
      wanted += formal.arity == Arity::variadic ? 1 + dice_.below(3) : 1;
    }
    while (count(node, "input") < wanted) add_text(node, "input", some_value(graph));
    while (count(node, "input") > wanted && !dice_.chance(20))
      erase(node, "input", count(node, "input") - 1);
  }

  void fit_attributes(ProtoMessage& node, const OpDef& def) {
    for (int a = count(node, "attribute") - 1; a >= 0; --a) {
      bool known = false;
      for (const AttributeDef& one : def.attributes)
        known = known || one.name == text(at(node, "attribute", a), "name");
      if (!known && !dice_.chance(20)) erase(node, "attribute", a);
    }
    for (const AttributeDef& one : def.attributes) {
      bool there = false;
      for (int a = 0; a < count(node, "attribute"); ++a)
        there = there || one.name == text(at(node, "attribute", a), "name");
      if (!there && (one.required || dice_.chance(4))) fill(add(node, "attribute"), one);
    }
  }

  void fill(ProtoMessage& attribute, const AttributeDef& def) {
    attribute.Clear();
    set(attribute, "name", def.name);
    const auto kind = static_cast<size_t>(def.kind);
    set(attribute, "type",
        int64_t{kind < kKindOfAttribute.size() ? kKindOfAttribute[kind] : kKindTexts});
    const int length = dice_.below(5);
    switch (def.kind) {
      case AttributeKind::integer:
        set(attribute, "i", dice_.integer());
        break;
      case AttributeKind::real:
        set_real(attribute, "f", dice_.real());
        break;
      case AttributeKind::text:
        set(attribute, "s", word());
        break;
      case AttributeKind::tensor:
        fill_tensor(sub(attribute, "t"));
        break;
      case AttributeKind::block:
        set(sub(attribute, "g"), "name", fresh_name());
        break;
      case AttributeKind::integers:
        for (int k = 0; k < length; ++k) add_number(attribute, "ints", dice_.integer());
        break;
      case AttributeKind::reals:
        for (int k = 0; k < length; ++k) add_real(attribute, "floats", dice_.real());
        break;
      case AttributeKind::texts:
        for (int k = 0; k < length; ++k) add_text(attribute, "strings", word());
        break;
    }
  }

  // Words that attributes of operators know, and one that none does.
  std::string word() {
    static constexpr std::array kWords = {
        "SAME_UPPER", "SAME_LOWER",    "VALID",         "NOTSET",    "constant",   "reflect",
        "edge",       "wrap",          "linear",        "cubic",     "nearest",    "floor",
        "ceil",       "add",           "mul",           "min",       "max",        "none",
        "forward",    "reverse",       "bidirectional", "Sigmoid",   "Tanh",       "Relu",
        "asymmetric", "DCR",           "CRD",           "ij,jk->ik", "...ij->...", "mean",
        "sum",        "align_corners", "zeros",         "LEFT",      "canary*/"};
    return dice_.of(kWords);
  }

  void fill_tensor(ProtoMessage& tensor) {
    for (const char* field : {"dims", "raw_data", "float_data", "int32_data", "int64_data",
                              "double_data", "uint64_data", "string_data"})
      clear(tensor, field);
    const int rank = dice_.below(4);
    int64_t elements = 1;
    for (int d = 0; d < rank; ++d) {
      const int64_t size = dice_.below(d == 0 ? 9 : 4);
      add_number(tensor, "dims", size);
      elements *= size;
    }
    if (dice_.chance(2)) {  // a short list of integers: sizes, axes, positions
      set(tensor, "data_type", int64_t{kElementInt64});
      for (int64_t k = 0; k < elements; ++k) add_number(tensor, "int64_data", dice_.integer());
      return;
    }
    static constexpr std::array<std::pair<int, int>, 10> kBytesOf = {
        {{1, 4}, {2, 1}, {3, 1}, {5, 2}, {6, 4}, {9, 1}, {10, 2}, {11, 8}, {13, 8}, {16, 2}}};
    const auto& [type, bytes] = dice_.of(kBytesOf);
    set(tensor, "data_type", int64_t{type});
    std::string raw;
    for (int64_t k = 0; k < elements * bytes; ++k)
      raw += static_cast<char>(type == 9 ? dice_.below(2) : dice_.below(256));
    set(tensor, "raw_data", raw);
  }

  void change_operator(ProtoMessage& graph) {
    ProtoMessage* node = some_node(graph);
    if (!node) return;
    const OpDef& def = some_operator();
    name_operator(*node, def);
    fit_inputs(graph, *node, def);
    fit_attributes(*node, def);
  }

  void add_node(ProtoMessage& graph) {
    if (count(graph, "node") >= kMostNodes) return remove_node(graph);
    const OpDef& def = some_operator();
    const std::string result = fresh_name();
    std::vector<std::string> inputs;
    for (int i = 0; i < 4; ++i) inputs.push_back(some_value(graph));
    ProtoMessage& node = add(graph, "node");
    name_operator(node, def);
    for (const std::string& input : inputs) add_text(node, "input", input);
    fit_inputs(graph, node, def);
    fit_attributes(node, def);
    add_text(node, "output", result);
    for (int more = dice_.below(static_cast<int>(def.outputs.size()) + 1); more > 1; --more)
      add_text(node, "output", fresh_name());
    if (dice_.chance(2)) set(node, "name", fresh_name());
    if (dice_.chance(2) || count(graph, "output") == 0) {
      set(add(graph, "output"), "name", result);
    } else {  // somebody reads it
      ProtoMessage* reader = some_node(graph);
      if (count(*reader, "input") > 0)
        set_text(*reader, "input", dice_.below(count(*reader, "input")), result);
    }
  }

  void remove_node(ProtoMessage& graph) {
    const int nodes = count(graph, "node");
    if (nodes < 2) return;
    const int gone = dice_.below(nodes);
    const std::vector<std::string> outputs = texts(at(graph, "node", gone), "output");
    erase(graph, "node", gone);
    // Its readers read something else.
    for (int n = 0; n < count(graph, "node"); ++n) {
      ProtoMessage& node = at(graph, "node", n);
      for (int i = 0; i < count(node, "input"); ++i) {
        for (const std::string& output : outputs) {
          if (texts(node, "input")[static_cast<size_t>(i)] == output)
            set_text(node, "input", i, some_value(graph));
        }
      }
    }
    for (int o = 0; o < count(graph, "output"); ++o) {
      for (const std::string& output : outputs) {
        if (text(at(graph, "output", o), "name") == output)
          set(at(graph, "output", o), "name", some_value(graph));
      }
    }
  }

  void swap_nodes(ProtoMessage& graph) {
    const int nodes = count(graph, "node");
    if (nodes > 1) swap(graph, "node", dice_.below(nodes), dice_.below(nodes));
  }

  void change_wire(ProtoMessage& graph) {
    ProtoMessage* node = some_node(graph);
    if (!node) return;
    const std::string name = some_value(graph);
    if (count(*node, "input") == 0 || dice_.chance(8)) {
      add_text(*node, "input", name);
    } else {
      set_text(*node, "input", dice_.below(count(*node, "input")), name);
    }
  }

  void change_attribute(ProtoMessage& graph) {
    ProtoMessage* node = some_node(graph);
    if (!node) return;
    const OpDef* def = definition_of(*node);
    if (!def || def->attributes.empty()) return;
    const AttributeDef& one = dice_.of(def->attributes);
    if (one.kind == AttributeKind::block) return;
    for (int a = 0; a < count(*node, "attribute"); ++a) {
      ProtoMessage& attribute = at(*node, "attribute", a);
      if (text(attribute, "name") != one.name) continue;
      const int ints = count(attribute, "ints");
      if (ints > 0 && !dice_.chance(4)) {
        set_number(attribute, "ints", dice_.below(ints), dice_.integer());
      } else if (dice_.chance(6)) {
        erase(*node, "attribute", a);
      } else {
        fill(attribute, one);
      }
      return;
    }
    fill(add(*node, "attribute"), one);
  }

  // The type of a value that the graph declares.
  ProtoMessage* tensor_type_of(ProtoMessage& graph, const char* list) {
    const int values = count(graph, list);
    if (values == 0) return nullptr;
    return &sub(sub(at(graph, list, dice_.below(values)), "type"), "tensor_type");
  }

  void change_input_type(ProtoMessage& graph) {
    if (ProtoMessage* type = tensor_type_of(graph, "input"))
      set(*type, "elem_type", int64_t{1 + dice_.below(22)});
  }

  void change_shape(ProtoMessage& type) {
    ProtoMessage& shape = sub(type, "shape");
    const int rank = count(shape, "dim");
    if (rank == 0 || (dice_.chance(5) && rank < 6)) {
      set(add(shape, "dim"), "dim_value", dice_.size());
    } else if (dice_.chance(5)) {
      erase(shape, "dim", dice_.below(rank));
    } else {
      ProtoMessage& dim = at(shape, "dim", dice_.below(rank));
      dim.Clear();
      static constexpr std::array kNames = {"N", "M", "N", "K"};
      if (dice_.chance(3)) {
        set(dim, "dim_param", std::string(dice_.of(kNames)));
      } else if (!dice_.chance(10)) {
        set(dim, "dim_value", dice_.size());
      }
    }
  }

  void change_input_dim(ProtoMessage& graph) {
    if (ProtoMessage* type = tensor_type_of(graph, "input")) change_shape(*type);
  }

  // What the file says of results: mostly taken away, since it would refuse other changes.
  void change_declared(ProtoMessage& graph) {
    clear(graph, "value_info");
    const int outputs = count(graph, "output");
    if (outputs == 0) return;
    ProtoMessage& output = at(graph, "output", dice_.below(outputs));
    if (dice_.chance(4)) {
      change_shape(sub(sub(output, "type"), "tensor_type"));
    } else {
      clear(output, "type");
    }
  }

  void change_constant(ProtoMessage& graph) {
    const int constants = count(graph, "initializer");
    if (constants == 0) return add_constant(graph);
    ProtoMessage& tensor = at(graph, "initializer", dice_.below(constants));
    std::string raw = text(tensor, "raw_data");
    const bool integers = number(tensor, "data_type") == kElementInt64;
    if (integers && raw.size() >= 8) {
      const int64_t value = dice_.integer();
      const int at_element = dice_.below(static_cast<int>(raw.size() / 8));
      std::memcpy(raw.data() + at_element * 8, &value, 8);
      set(tensor, "raw_data", raw);
    } else if (integers && count(tensor, "int64_data") > 0) {
      set_number(tensor, "int64_data", dice_.below(count(tensor, "int64_data")), dice_.integer());
    } else if (raw.size() > 0 && !dice_.chance(3)) {
      raw[static_cast<size_t>(dice_.below(static_cast<int>(raw.size())))] =
          static_cast<char>(dice_.below(256));
      set(tensor, "raw_data", raw);
    } else {
      fill_tensor(tensor);
    }
  }

  void add_constant(ProtoMessage& graph) {
    if (count(graph, "initializer") >= kMostNodes) return;
    ProtoMessage& tensor = add(graph, "initializer");
    set(tensor, "name", fresh_name());
    fill_tensor(tensor);
    read_somewhere(graph, text(tensor, "name"));
  }

  void add_input(ProtoMessage& graph) {
    if (&graph != &sub(model_, "graph") || count(graph, "input") > 6) return;
    const std::string name = fresh_name();
    ProtoMessage& input = add(graph, "input");
    set(input, "name", name);
    ProtoMessage& type = sub(sub(input, "type"), "tensor_type");
    set(type, "elem_type", int64_t{1 + dice_.below(16)});
    sub(type, "shape");
    for (int d = dice_.below(4); d > 0; --d) change_shape(type);
    read_somewhere(graph, name);
  }

  void read_somewhere(ProtoMessage& graph, const std::string& name) {
    ProtoMessage* node = some_node(graph);
    if (node && count(*node, "input") > 0)
      set_text(*node, "input", dice_.below(count(*node, "input")), name);
  }

  void change_outputs(ProtoMessage& graph) {
    const int outputs = count(graph, "output");
    const std::string name = some_value(graph);
    if (outputs == 0 || dice_.chance(2)) {
      set(add(graph, "output"), "name", name);
    } else if (outputs > 1 && dice_.chance(2)) {
      erase(graph, "output", dice_.below(outputs));
    } else {
      ProtoMessage& output = at(graph, "output", dice_.below(outputs));
      set(output, "name", name);
      clear(output, "type");
    }
  }

  void change_version(ProtoMessage&) {
    if (count(model_, "opset_import") > 0)
      set(at(model_, "opset_import", 0), "version", int64_t{1 + dice_.below(kLatestOpset)});
  }

  // A node moves into both branches of an If on a condition that is an input of the model.
  void wrap_in_if(ProtoMessage& graph) {
    const int nodes = count(graph, "node");
    if (nodes == 0) return;
    const int place = dice_.below(nodes);
    std::unique_ptr<ProtoMessage> moved(at(graph, "node", place).New());
    moved->CopyFrom(at(graph, "node", place));
    const std::vector<std::string> results = texts(*moved, "output");
    if (results.empty()) return;
    std::string condition = "condition";
    ProtoMessage& outer = sub(model_, "graph");
    bool there = false;
    for (int i = 0; i < count(outer, "input"); ++i)
      there = there || text(at(outer, "input", i), "name") == condition;
    if (!there) {
      ProtoMessage& input = add(outer, "input");
      set(input, "name", condition);
      ProtoMessage& type = sub(sub(input, "type"), "tensor_type");
      set(type, "elem_type", int64_t{9});
      sub(type, "shape");
    }
    ProtoMessage& node = at(graph, "node", place);
    node.Clear();
    set(node, "op_type", std::string("If"));
    add_text(node, "input", condition);
    for (const std::string& result : results) add_text(node, "output", result);
    for (const char* branch : {"then_branch", "else_branch"}) {
      ProtoMessage& attribute = add(node, "attribute");
      set(attribute, "name", std::string(branch));
      set(attribute, "type", int64_t{5});
      ProtoMessage& body = sub(attribute, "g");
      set(body, "name", std::string(branch));
      ProtoMessage& inner = add(body, "node");
      inner.CopyFrom(*moved);
      for (size_t r = 0; r < results.size(); ++r) {
        const std::string name = results[r] + "_" + branch;
        set_text(inner, "output", static_cast<int>(r), name);
        set(add(body, "output"), "name", name);
      }
    }
  }

  // A node becomes the call of a function with that node as its body.
  void move_to_function(ProtoMessage& graph) {
    ProtoMessage* node = some_node(graph);
    if (!node || count(model_, "functions") > 6) return;
    const std::string name = fresh_name();
    ProtoMessage& function = add(model_, "functions");
    set(function, "name", name);
    set(function, "domain", std::string("local"));
    ProtoMessage& inner = add(function, "node");
    inner.CopyFrom(*node);
    int i = 0;
    for (const std::string& input : texts(inner, "input")) {
      if (!input.empty()) {
        const std::string formal = "i" + std::to_string(i);
        add_text(function, "input", formal);
        set_text(inner, "input", i, formal);
      } else {
        add_text(function, "input", "absent" + std::to_string(i));
      }
      ++i;
    }
    int o = 0;
    for (const std::string& output : texts(inner, "output")) {
      const std::string formal = "o" + std::to_string(o);
      set_text(inner, "output", o++, output.empty() ? output : formal);
      add_text(function, "output", formal);
    }
    for (int k = 0; k < count(model_, "opset_import"); ++k)
      add(function, "opset_import").CopyFrom(at(model_, "opset_import", k));
    clear(*node, "attribute");
    set(*node, "op_type", dice_.chance(30) ? fresh_name() : name);
    set(*node, "domain", std::string("local"));
    for (int k = 0; k < count(model_, "opset_import"); ++k) {
      if (text(at(model_, "opset_import", k), "domain") == "local") return;
    }
    ProtoMessage& opset = add(model_, "opset_import");
    set(opset, "domain", std::string("local"));
    set(opset, "version", int64_t{1});
  }

  void change_name(ProtoMessage& graph) {
    static constexpr std::array kNames = {"", "int", "*/ x", "a\nb", "A", "a", "\xff\xfe", "main"};
    const std::string name = dice_.of(kNames);
    if (ProtoMessage* node = some_node(graph); node && dice_.chance(2)) {
      set(*node, "name", name);
    } else {
      set(graph, "name", name);
    }
  }

  ProtoMessage& model_;
  Dice& dice_;
};

std::unique_ptr<ProtoMessage> decode(std::string_view bytes) {
  std::unique_ptr<ProtoMessage> model = new_model();
  if (model->ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size())) &&
      count(sub(*model, "graph"), "node") > 0)
    return model;
  model->Clear();
  set(*model, "ir_version", int64_t{8});
  set(add(*model, "opset_import"), "version", int64_t{17});
  ProtoMessage& graph = sub(*model, "graph");
  set(graph, "name", std::string("g"));
  ProtoMessage& input = add(graph, "input");
  set(input, "name", std::string("x"));
  ProtoMessage& type = sub(sub(input, "type"), "tensor_type");
  set(type, "elem_type", int64_t{1});
  set(add(sub(type, "shape"), "dim"), "dim_param", std::string("N"));
  set(add(sub(type, "shape"), "dim"), "dim_value", int64_t{4});
  ProtoMessage& node = add(graph, "node");
  set(node, "op_type", std::string("Relu"));
  add_text(node, "input", "x");
  add_text(node, "output", "y");
  set(add(graph, "output"), "name", std::string("y"));
  return model;
}

}  // namespace

std::string mutate_model(std::string_view bytes, unsigned seed) {
  Dice dice(seed);
  const std::unique_ptr<ProtoMessage> model = decode(bytes);
  ModelMutator(*model, dice).run();
  return encode(*model);
}

std::string cross_models(std::string_view first, std::string_view second, unsigned seed) {
  Dice dice(seed);
  const std::unique_ptr<ProtoMessage> model = decode(first), other = decode(second);
  ProtoMessage &to = sub(*model, "graph"), &from = sub(*other, "graph");
  const std::string mark = "c" + std::to_string(dice.below(1 << 20)) + "_";
  for (const char* list : {"initializer", "input", "output"}) {
    for (int i = 0; i < count(from, list); ++i) {
      ProtoMessage& copy = add(to, list);
      copy.CopyFrom(at(from, list, i));
      set(copy, "name", mark + text(copy, "name"));
    }
  }
  // Bodies keep reading outer names, so a model with bodies is mostly refused; that is fine.
  for (int n = 0; n < count(from, "node") && count(to, "node") < kMostNodes; ++n) {
    ProtoMessage& copy = add(to, "node");
    copy.CopyFrom(at(from, "node", n));
    for (const char* list : {"input", "output"}) {
      for (int i = 0; i < count(copy, list); ++i) {
        const std::string name = texts(copy, list)[static_cast<size_t>(i)];
        if (!name.empty()) set_text(copy, list, i, mark + name);
      }
    }
  }
  ModelMutator(*model, dice).run();
  return encode(*model);
}

}  // namespace burin::fuzz
