#include "verify/driver.h"

#include <algorithm>

#include "backends/cpp/emit_cpp.h"
#include "backends/kept_states.h"
#include "hardware/capabilities.h"
#include "render/printer.h"
#include "support/embedded.h"

namespace burin {
namespace {

Code type_of(const Value& value) { return cpp::element_type(value.type); }

const Value& value_of(const ModelPlan& plan, ValueId id) {
  return plan.graph.values[static_cast<size_t>(id)];
}

bool on_device(const ModelPlan& plan) { return has_device(plan.hardware); }

int64_t shape_room(const Value& value) {
  return std::max<int64_t>(1, static_cast<int64_t>(value.shape.size()));
}

void print_dims(Printer& out, const ModelPlan& plan, const cpp::TreeNames& names) {
  if (plan.graph.symbols.empty()) {
    out.line("(void)dims;");
    return;
  }
  out.line(names.model, "_dims named = {};");
  int64_t at = 0;
  for (const Symbol& symbol : plan.graph.symbols)
    out.line("named.", names.symbol(symbol), " = dims[", at++, "];");
}

// `events`: what the launches of the run took is added up behind it.
void print_run(Printer& out, const ModelPlan& plan, const cpp::TreeNames& names, bool bench,
               bool events) {
  out.line(
      "int32_t run(void* context, const int64_t* dims, const void* const* inputs, void* const* "
      "outputs, const int64_t* capacities, int64_t* shapes) {");
  out.indent();
  print_dims(out, plan, names);
  out.line("(void)inputs;");
  out.line("(void)outputs;");
  out.line("(void)capacities;");
  out.line("(void)shapes;");
  out.line(names.model, "_inputs in = {};");
  int64_t at = 0;
  for (const ValueId id : plan.graph.inputs) {
    out.line("in.", names.value(id), " = static_cast<const ", type_of(value_of(plan, id)),
             "*>(inputs[", at++, "]);");
  }
  out.line(names.model, "_outputs out = {};");
  at = 0;
  for (const ValueId id : plan.graph.outputs) {
    out.line("out.", names.value(id), " = static_cast<", type_of(value_of(plan, id)), "*>(outputs[",
             at, "]);");
    if (cpp::is_data_sized(value_of(plan, id)))
      out.line("out.", names.value(id), "_capacity = capacities[", at, "];");
    ++at;
  }
  // Runs come in twos that differ in what memory holds before: the second one in parts.
  if (bench && !on_device(plan)) {
    out.line("static_cast<", names.model, "_context*>(context)->parallel_for = loops;");
    out.line("static_cast<", names.model, "_context*>(context)->parallel_user = pool;");
  } else if (!on_device(plan)) {
    out.line("static int runs = 0;");
    out.line("static_cast<", names.model,
             "_context*>(context)->parallel_for = runs++ % 2 == 0 ? nullptr : ",
             "burin_test::scattered_for<", cpp::workers_of(plan), ">;");
  }
  out.line("const int32_t status = ", names.model, "_run(static_cast<", names.model,
           "_context*>(context), ", plan.graph.symbols.empty() ? Code() : Code("&named, "),
           "&in, &out);");
  if (events) out.line("burin_bench::look_at_events();");
  int64_t entry = 0;
  for (const ValueId id : plan.graph.outputs) {
    if (!cpp::is_data_sized(value_of(plan, id))) continue;
    for (int64_t d = 0; d < shape_room(value_of(plan, id)); ++d)
      out.line("shapes[", entry++, "] = out.", names.value(id), "_shape[", d, "];");
  }
  out.line("return status;");
  out.dedent();
  out.line("}");
}

int64_t number_in(const std::vector<ValueId>& list, ValueId id) {
  return std::find(list.begin(), list.end(), id) - list.begin();
}

// The table of states, in front of the Network that names it.
void print_states(Printer& out, const ModelPlan& plan, const Code& space) {
  const std::vector<KeptState> states = kept_states(plan);
  if (states.empty()) return;
  std::vector<Code> rows;
  for (const KeptState& one : states)
    rows.push_back(code("{", number_in(plan.graph.inputs, one.input), ", ",
                        number_in(plan.graph.outputs, one.output), "}"));
  out.line("static const ", space, "::State kStates[] = {", join_code(rows, ", "), "};");
}

Code states_of(const ModelPlan& plan) {
  const size_t count = kept_states(plan).size();
  return count == 0 ? Code("nullptr, 0") : code("kStates, ", count);
}

void print_init_head(Printer& out) {
  out.line(
      "int32_t init(void* context, void* arena, size_t bytes, const void* weights, size_t "
      "weights_bytes) {");
}

void print_init(Printer& out, const cpp::TreeNames& names) {
  print_init_head(out);
  out.line("  return ", names.model, "_init(static_cast<", names.model,
           "_context*>(context), arena, bytes, weights, weights_bytes);");
  out.line("}");
}

// With a queue whose launches tell their times.
void print_watched_init(Printer& out, const cpp::TreeNames& names, size_t sites) {
  print_init_head(out);
  out.line("  (void)arena, (void)bytes;");
  out.line("  static_assert(", names.places.kernels, "::kCount == ", sites,
           ", \"the tree has other kernels\");");
  out.line("  if (!burin_bench::open_queue()) return burin_cl::kNoDevice;");
  out.line("  const burin_cl::Device& device = burin_bench::watched().device;");
  out.line("  ", names.model, "_opencl opencl = {};");
  out.line("  opencl.context = device.context;");
  out.line("  opencl.device = device.device;");
  out.line("  opencl.queue = device.queue;");
  out.line("  ", names.model, "_context* const own = static_cast<", names.model,
           "_context*>(context);");
  out.line("  const int32_t status = ", names.model,
           "_init_opencl(own, &opencl, weights, weights_bytes);");
  out.line("  if (status == 0) burin_bench::watch(own->device, own->kernels, burin_bench_sites, ",
           sites, ");");
  out.line("  return status;");
  out.line("}");
}

// Keeps what the device's compiler says of kernels that it does not take.
void print_device_init(Printer& out, const cpp::TreeNames& names) {
  out.line("char compiler_said[burin_test::kMostText];");
  out.line();
  out.line("void keep_message(void*, const char* text) {");
  out.line("  std::snprintf(compiler_said, sizeof compiler_said, \"%s\", text);");
  out.line("}");
  out.line();
  print_init_head(out);
  out.line("  (void)arena, (void)bytes;");
  out.line("  ", names.model, "_opencl opencl = {};");
  out.line("  opencl.message = keep_message;");
  out.line("  return ", names.model, "_init_opencl(static_cast<", names.model,
           "_context*>(context), &opencl, weights, weights_bytes);");
  out.line("}");
}

}  // namespace

int shape_entries(const ModelPlan& plan) {
  int64_t entries = 0;
  for (const ValueId id : plan.graph.outputs) {
    if (cpp::is_data_sized(value_of(plan, id))) entries += shape_room(value_of(plan, id));
  }
  return static_cast<int>(entries);
}

Code test_driver(const ModelPlan& plan) {
  const cpp::TreeNames names = cpp::name_everything(plan);
  const bool sized = !plan.graph.symbols.empty();
  Printer out;
  out.line("// Runs the network on the data of a request file; see test_driver.h.");
  out.line("#include \"", names.model, ".h\"");
  if (on_device(plan)) out.line("#include <cstdio>");
  out.line("#include \"test_driver.h\"");
  out.line();
  out.line("namespace {");
  out.line();
  out.line("size_t arena_bytes(const int64_t* dims) {");
  out.indent();
  print_dims(out, plan, names);
  out.line("return ", names.model, "_arena_bytes(", sized ? Code("&named") : Code(), ");");
  out.dedent();
  out.line("}");
  out.line();
  on_device(plan) ? print_device_init(out, names) : print_init(out, names);
  out.line();
  print_run(out, plan, names, false, false);
  out.line();
  out.line("size_t explain(const void* context, int32_t status, char* text, size_t bytes) {");
  if (on_device(plan)) {
    out.line("  if (compiler_said[0] != 0)");
    out.line("    return static_cast<size_t>(std::snprintf(text, bytes, \"%s\", compiler_said));");
  }
  out.line("  return ", names.model, "_explain(static_cast<const ", names.model,
           "_context*>(context), status, text, bytes);");
  out.line("}");
  out.line();
  if (on_device(plan)) {
    out.line("void release(void* context) {");
    out.line("  ", names.model, "_release(static_cast<", names.model, "_context*>(context));");
    out.line("}");
    out.line();
  }
  out.line("}  // namespace");
  out.line();
  print_states(out, plan, "burin_test");
  out.line("burin_test::Network burin_test::network() {");
  out.line("  return {", plan.graph.symbols.size(), ", ", plan.graph.inputs.size(), ", ",
           plan.graph.outputs.size(), ", ", shape_entries(plan), ", sizeof(", names.model,
           "_context), ", plan.weights == WeightsMode::blob ? Code("true") : Code("false"),
           ", arena_bytes, init, run, explain, ",
           on_device(plan) ? Code("release") : Code("nullptr"), ", ", states_of(plan), "};");
  out.line("}");
  return out.code();
}

namespace {

// What the calls of kernels tell, where the schedule is compiled to (bench_wrapper).
void print_hooks(Printer& out, size_t sites) {
  out.line("extern \"C\" {");
  out.line("void burin_bench_begin(int site);");
  out.line("void burin_bench_end(int site);");
  out.line("burin_bench::Site burin_bench_sites[", sites + 1, "];");
  out.line(
      "void burin_bench_begin(int site) { burin_bench_sites[site].entered = program_nanoseconds(); "
      "}");
  out.line("void burin_bench_end(int site) {");
  out.line("  burin_bench::Site& one = burin_bench_sites[site];");
  out.line("  one.ns += static_cast<int64_t>(program_nanoseconds() - one.entered);");
  out.line("  ++one.calls;");
  out.line("}");
  out.line("}");
}

}  // namespace

Code bench_wrapper(const ModelPlan& plan, const std::vector<Identifier>& kernels) {
  const Identifier space = cpp::name_everything(plan).places.kernels;
  const Code wrapped = code("bench_", space);
  Printer out;
  out.line("// Included in front of the schedule: its calls of kernels are timed.");
  out.line("#include \"tree/src/kernels.h\"");
  out.line();
  out.line("extern \"C\" {");
  out.line("void burin_bench_begin(int site);");
  out.line("void burin_bench_end(int site);");
  out.line("}");
  out.line();
  out.line("namespace ", wrapped, " {");
  int64_t site = 0;
  for (const Identifier& kernel : kernels) {
    out.line("template <class... Arguments>");
    out.line("void ", kernel, "(Arguments... arguments) {");
    out.line("  burin_bench_begin(", site, ");");
    out.line("  ", space, "::", kernel, "(arguments...);");
    out.line("  burin_bench_end(", site++, ");");
    out.line("}");
  }
  out.line("}  // namespace ", wrapped);
  out.line("#define ", space, " ", wrapped);
  return out.code();
}

Code bench_driver(const ModelPlan& plan, size_t sites, bool pool) {
  const cpp::TreeNames names = cpp::name_everything(plan);
  Printer out;
  out.line("// Measures the network; see bench_driver.h.");
  out.line("#include \"", names.model, ".h\"");
  out.line("#include \"program.h\"");
  out.line("#include \"bench_driver.h\"");
  const bool events = on_device(plan) && sites > 0;
  if (pool) out.line("#include \"tree/threads/", names.model, "_threads.h\"");
  if (events) out.line("#include \"bench_opencl.h\"");
  if (events) out.line("#include \"tree/src/kernels.h\"");
  out.line();
  if (events) {
    out.line("extern \"C\" burin_bench::Site burin_bench_sites[];");
    out.line();
  }
  out.line("namespace {");
  out.line();
  if (!on_device(plan)) {
    out.line(names.model, "_parallel_for loops = nullptr;");
    out.line("void* pool = nullptr;");
    out.line();
  }
  out.line("size_t arena_bytes(const int64_t* dims) {");
  out.indent();
  print_dims(out, plan, names);
  out.line("return ", names.model, "_arena_bytes(",
           plan.graph.symbols.empty() ? Code() : Code("&named"), ");");
  out.dedent();
  out.line("}");
  out.line();
  events ? print_watched_init(out, names, sites) : print_init(out, names);
  out.line();
  print_run(out, plan, names, true, events);
  out.line();
  if (pool) {
    out.line("void share(int32_t workers) {");
    out.line("  if (workers < 2) return;");
    out.line("  pool = ", names.model, "_threads_create(workers);");
    out.line("  if (pool != nullptr) loops = ", names.model, "_threads_parallel_for;");
    out.line("}");
    out.line();
  }
  out.line("}  // namespace");
  out.line();
  print_hooks(out, sites);
  out.line();
  print_states(out, plan, "burin_bench");
  out.line("int program_main(int argc, char** argv) {");
  out.indent();
  out.line("const burin_bench::Network network = {", plan.graph.symbols.size(), ", ",
           plan.graph.inputs.size(), ", ", plan.graph.outputs.size(), ", sizeof(", names.model,
           "_context), ", plan.weights == WeightsMode::blob ? Code("true") : Code("false"),
           ", arena_bytes, init, run, ", pool ? Code("share") : Code("nullptr"), ", ",
           states_of(plan), ", ", events ? Code("true") : Code("false"), "};");
  out.line("return burin_bench::measure(network, burin_bench_sites, ", sites, ", argc, argv);");
  out.dedent();
  out.line("}");
  return out.code();
}

std::vector<DriverFile> driver_files(const ModelPlan& plan) {
  const std::string program = "program/" + std::string(name_of(plan.hardware.program)) + ".h";
  const auto text = [](const std::string& name) {
    return std::string(embedded_file("templates/project/" + name));
  };
  // A freestanding tree has the functions for memory that compilers call; elsewhere program.h does.
  const std::string own =
      plan.profile == Profile::kFreestanding ? "#define BURIN_PROGRAM_HAS_MEMORY_FUNCTIONS\n" : "";
  return {{"driver.cpp", test_driver(plan).text()},
          {"program.h", text(program)},
          {"test_driver.h", text("test_driver.h")},
          {"test_driver.cpp", own + text("test_driver.cpp")}};
}

}  // namespace burin
