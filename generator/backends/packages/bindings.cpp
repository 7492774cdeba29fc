// Bindings: the C interface from Python (ctypes), Rust and Java (JNI). They own the memory that the
// interface asks of its caller, and check lengths, which C cannot.
#include <algorithm>
#include <set>

#include "backends/cpp/emit_cpp.h"
#include "backends/cpp/vocabulary.h"
#include "backends/kept_states.h"
#include "backends/packages/packages.h"
#include "backends/packages/size_function.h"
#include "render/printed_code.h"
#include "render/template.h"
#include "support/check.h"

namespace burin::packages {
namespace {

// Words of these languages that C and C++ do not have, so that an identifier may be one.
const std::set<std::string_view>& words() {
  static const std::set<std::string_view> list = {
      "abstract", "as", "assert", "async", "await", "become", "boolean", "box", "byte", "crate",
      "def", "del", "dyn", "elif", "except", "extends", "False", "final", "finally", "fn", "from",
      "global", "impl", "implements", "import", "in", "instanceof", "interface", "is", "lambda",
      "let", "loop", "macro", "match", "mod", "move", "mut", "native", "None", "nonlocal", "null",
      "override", "package", "pass", "priv", "pub", "raise", "ref", "self", "Self", "strictfp",
      "super", "synchronized", "throws", "trait", "transient", "True", "type", "typeof", "unsafe",
      "unsized", "gen", "use", "var", "where", "with", "yield", "record", "Network", "Sizes",
      "Shapes", "Error",
      // Of what the bindings themselves use.
      "ctypes", "setattr", "tuple", "Tensor", "ValueError"};
  return list;
}

struct Language {
  const char* prefix;                         // of the functions that sizes are computed with
  std::string (*symbol)(const std::string&);  // a size of the caller
};

const Language& language(const std::string& name) {
  static const Language python{"_", [](const std::string& symbol) { return symbol; }};
  static const Language rust{"sizes::",
                             [](const std::string& symbol) { return "sizes." + symbol; }};
  static const Language java{"size_", [](const std::string& symbol) { return "dims." + symbol; }};
  return name == "python" ? python : name == "rust" ? rust : java;
}

// Of the interface's types: letter of Python's ctypes, name in Rust.
struct Spelling {
  const char *c, *python, *rust;
};
constexpr Spelling kSpellings[] = {
    {"float", "ctypes.c_float", "f32"},   {"double", "ctypes.c_double", "f64"},
    {"int8_t", "ctypes.c_int8", "i8"},    {"uint8_t", "ctypes.c_uint8", "u8"},
    {"int16_t", "ctypes.c_int16", "i16"}, {"uint16_t", "ctypes.c_uint16", "u16"},
    {"int32_t", "ctypes.c_int32", "i32"}, {"uint32_t", "ctypes.c_uint32", "u32"},
    {"int64_t", "ctypes.c_int64", "i64"}, {"uint64_t", "ctypes.c_uint64", "u64"},
};

Code type_in(const std::string& to, Type type) {
  for (const Spelling& one : kSpellings) {
    if (cpp::storage_type(type) == one.c)
      return printed_code(to == "python" ? one.python : to == "rust" ? one.rust : one.c);
  }
  BURIN_CHECK(false, "a type that no binding has");
  return {};
}

// The input whose shape has the size as it is: where a caller need not say it.
std::string source_of(const ModelPlan& plan, const cpp::TreeNames& names, const Symbol& symbol) {
  for (const ValueId id : plan.graph.inputs) {
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    for (size_t d = 0; d < value.shape.size(); ++d) {
      if (value.shape[d].kind() == IndexKind::symbol && value.shape[d].as_symbol() == symbol)
        return "_extent(" + spelled(names.value(id)) + ", " + std::to_string(value.shape.size()) +
               ", " + std::to_string(d) + ")";
    }
  }
  return "None";
}

// In Python sizes are arguments beside the inputs. No identifier ends with an underscore.
std::string size_name(const Network& network, const Symbol& symbol, const std::string& to) {
  const Identifier& name = network.names.symbol(symbol);
  const std::vector<ValueId>& inputs = network.plan->graph.inputs;
  const bool taken = to == "python" && std::any_of(inputs.begin(), inputs.end(), [&](ValueId id) {
                       return network.names.value(id) == name;
                     });
  return taken ? name.text() + "_size_" : spelled(name);
}

List dims_of(const Network& network, const std::string& to) {
  List out;
  for (const Symbol& symbol : network.plan->graph.symbols) {
    append(out, {{"field", network.names.symbol(symbol)},
                 {"name", printed_code(size_name(network, symbol, to))},
                 {"source", printed_code(source_of(*network.plan, network.names, symbol))}});
  }
  return out;
}

// What the caller passes for a tensor. A state is one buffer for an input and an output.
Code argument_of(const Network& network, ValueId id, bool of_inputs, const std::string& to) {
  const std::vector<KeptState> states = kept_states(*network.plan);
  const int state = state_number(states, id);
  const Identifier& name =
      network.names.value(state < 0 ? id : states[static_cast<size_t>(state)].input);
  if (to == "python") return printed_code(spelled(name));
  return printed_code((state >= 0 ? "state_" : of_inputs ? "input_" : "output_") + name.text());
}

CommentText remark_of(const Network& network, ValueId id) {
  const std::vector<Value>& values = network.plan->graph.values;
  const Value& value = values[static_cast<size_t>(id)];
  std::string text =
      value.name + ": " + std::string(to_string(value.type)) + to_string(value.shape);
  for (const KeptState& state : kept_states(*network.plan)) {
    if (state.input == id)
      text += "; state: the output " + values[static_cast<size_t>(state.output)].name +
              " too, a run writes what is new in it";
    if (state.output == id)
      text += "; state: in the buffer of " + values[static_cast<size_t>(state.input)].name;
  }
  return CommentText(text, 240);
}

List tensors_of(const Network& network, bool of_inputs, const std::string& to) {
  const ModelPlan& plan = *network.plan;
  const Language& spell = language(to);
  const auto text_of = [&](const Dim& dim) {
    return printed_code(size_function(dim, spell.prefix, [&](const Symbol& symbol) {
      return spell.symbol(to == "java" ? network.names.symbol(symbol).text()
                                       : size_name(network, symbol, to));
    }));
  };
  const std::vector<KeptState> states = kept_states(plan);
  List out;
  for (const ValueId id : of_inputs ? plan.graph.inputs : plan.graph.outputs) {
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    const bool sized = cpp::is_data_sized(value);
    List extents;
    for (size_t d = 0; d < value.shape.size() && !sized; ++d)
      extents.emplace_back(text_of(value.shape[d]));
    append(out, {{"field", network.names.value(id)},
                 {"name", printed_code(spelled(network.names.value(id)))},
                 {"argument", argument_of(network, id, of_inputs, to)},
                 {"type", type_in(to, value.type)},
                 {"remark", remark_of(network, id)},
                 {"state", state_number(states, id) >= 0},
                 {"sized", sized},
                 {"rank", std::max<size_t>(1, value.shape.size())},
                 {"extents", extents},
                 {"elements", sized ? Code("0") : text_of(product(value.shape))}});
  }
  return out;
}

// In the order that a caller passes them in: inputs, then outputs that are no states.
List arguments_of(const Network& network, const std::string& to) {
  const KernelGraph& graph = network.plan->graph;
  const std::vector<KeptState> states = kept_states(*network.plan);
  List out;
  for (const bool of_inputs : {true, false}) {
    for (const ValueId id : of_inputs ? graph.inputs : graph.outputs) {
      if (of_inputs || state_number(states, id) < 0)
        append(out, {{"name", argument_of(network, id, of_inputs, to)},
                     {"remark", remark_of(network, id)}});
    }
  }
  return out;
}

// What a caller gives as weights.
std::string weights_of(const Network& network) {
  const cpp::TreePlaces& places = network.names.places;
  if (network.plan->weights != WeightsMode::blob) return "none, since they are part of the program";
  if (!cpp::is_part(network.names)) return "the bytes of " + places.weights;
  return "of " + places.weights + " the bytes from " + std::to_string(places.weights_offset) +
         ", " + std::to_string(places.weights_bytes) + " of them";
}

// A name as JNI looks functions up by it.
std::string jni_name(const std::string& name) {
  std::string out;
  for (const char c : name) out += c == '_' ? std::string("_1") : std::string(1, c);
  return out;
}

}  // namespace

// No identifier ends with an underscore.
std::string spelled(const Identifier& name) {
  return name.text() + (words().contains(name.text()) ? "_" : "");
}

void add_bindings(const Network& network, const std::string& to, SourceTree& tree) {
  const cpp::TreeNames& names = network.names;
  const std::string name = names.model.text(), package = spelled(names.model);
  const Record common{{"name", names.model},
                      {"arena_align", network.plan->hardware.arena_align_bytes},
                      {"dims", dims_of(network, to)},
                      {"inputs", tensors_of(network, true, to)},
                      {"outputs", tensors_of(network, false, to)}};
  const auto add = [&](const std::string& place, std::string_view from, const Record& record) {
    tree.add(place, Template::embedded(from).render(record), "binding");
  };
  const std::string folder = "bindings/" + to + "/";
  const Code weights = printed_code(weights_of(network));
  Record with_context = common;  // of those that know what a context holds
  with_context.insert({"tree", names.places.tree});
  with_context.insert({"weights", weights});
  with_context.insert({"step_hook", network.plan->step_hook});
  if (to == "python") {
    with_context.insert({"memory", Code::embedded("templates/packages/python/memory.py")});
    List states;
    for (const KeptState& state : kept_states(*network.plan))
      states.emplace_back(argument_of(network, state.input, true, to));
    with_context.insert({"states", states});
    add(folder + package + ".py", "templates/packages/python/name.py.in", with_context);
  } else if (to == "rust") {
    Record crate = with_context;
    crate.erase("arena_align");
    add(folder + name + "/src/lib.rs", "templates/packages/rust/lib.rs.in", crate);
    add(folder + name + "/src/memory.rs", "templates/packages/rust/memory.rs.in",
        {{"arena_align", network.plan->hardware.arena_align_bytes}});
    tree.add(folder + name + "/src/sizes.rs", Code::embedded("templates/packages/rust/sizes.rs"),
             "binding");
    add(folder + name + "/Cargo.toml", "templates/packages/rust/Cargo.toml.in",
        {{"name", names.model}, {"package", printed_code(package)}});
    add(folder + name + "/build.rs", "templates/packages/rust/build.rs.in",
        {{"tree", names.places.tree}, {"option", printed_code(cpp::capitals(names.places.tree))}});
  } else {
    Record with_package = common;
    with_package.insert({"package", printed_code(package)});
    with_package.insert({"arguments", arguments_of(network, to)});
    with_package.insert({"weights", weights});
    add(folder + "burin/" + package + "/Network.java", "templates/packages/java/Network.java.in",
        with_package);
    Record native = common;
    native.insert({"class_name", printed_code("Java_burin_" + jni_name(package) + "_Network")});
    add(folder + name + "_jni.c", "templates/packages/java/name_jni.c.in", native);
  }
}

}  // namespace burin::packages
