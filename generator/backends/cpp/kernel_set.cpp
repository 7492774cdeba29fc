#include "backends/cpp/kernel_set.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "render/printed_code.h"
#include "render/printer.h"
#include "support/check.h"
#include "support/embedded.h"

namespace burin::cpp {
namespace {

constexpr size_t kMostOperators = 4;  // in a kernel's name

// "conv_batch_normalization_relu": what the kernel stands for.
std::string stem_of(const Kernel& kernel) {
  std::vector<std::string> words;
  for (const Origin& origin : kernel.origins) {
    std::string word;
    for (const char c : origin.op) {
      const auto byte = static_cast<unsigned char>(c);
      if (std::isupper(byte) && !word.empty() &&
          !std::isupper(static_cast<unsigned char>(word.back())) && word.back() != '_')
        word += '_';
      word += static_cast<char>(std::isalnum(byte) ? c : '_');
    }
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (words.empty() || words.back() != word) words.push_back(word);
  }
  std::string stem;
  for (size_t i = 0; i < words.size() && i < kMostOperators; ++i) stem += (i ? "_" : "") + words[i];
  if (words.size() > kMostOperators) stem += "_and_more";
  return stem.empty() ? "kernel" : stem;
}

// The value whose bytes a value shares in the end.
ValueId holder_of(const MemoryPlan& memory, ValueId id) {
  while (memory.values[static_cast<size_t>(id)].base != kNoValue)
    id = memory.values[static_cast<size_t>(id)].base;
  return id;
}

// Operands of one kernel that lie in the same buffer: their pointers must not be declared restrict.
std::vector<ValueId> shared_operands(const ModelPlan& plan, const Step& step) {
  std::vector<ValueId> all = reads_of(step), shared;
  for (const ValueId id : writes_of(step)) all.push_back(id);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const ValueId a : all) {
    for (const ValueId b : all) {
      if (a != b && holder_of(plan.memory, a) == holder_of(plan.memory, b)) shared.push_back(a);
    }
  }
  return shared;
}

}  // namespace

KernelSet print_kernels(const ModelPlan& plan) {
  KernelSet set;
  std::map<std::string, size_t> known;  // by text
  std::vector<DistinctKernel> kernels;
  std::map<int, size_t> of;
  int position = -1;
  for_each_step(plan.graph.steps, [&](const Step& step) {
    ++position;
    const Kernel* kernel = std::get_if<Kernel>(&step);
    const auto& dropped = plan.memory.dropped;
    if (!kernel || std::binary_search(dropped.begin(), dropped.end(), position)) return;
    const KernelSchedule& schedule = plan.kernels.at(position);
    PrintedKernel printed = print_kernel(schedule, plan.graph.values, shared_operands(plan, step));
    const std::string content = printed.signature + printed.body;
    set.parameters[position] = printed.parameters;
    const auto [at, fresh] = known.emplace(content, kernels.size());
    of[position] = at->second;
    if (!fresh) return;
    std::vector<std::string> operators;
    for (const Origin& origin : kernel->origins) {
      if (std::find(operators.begin(), operators.end(), origin.op) == operators.end())
        operators.push_back(origin.op);
    }
    kernels.push_back({with_hash(mangle(stem_of(*kernel), 48), content), std::move(printed),
                       schedule.family, schedule.reason, std::move(operators)});
  });
  // Sorted by name, so that the list does not depend on the order of the schedule.
  std::vector<size_t> order(kernels.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return kernels[a].name < kernels[b].name; });
  std::vector<size_t> place(order.size());
  for (size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (const size_t i : order) set.kernels.push_back(std::move(kernels[i]));
  for (const auto& [call, index] : of) set.of[call] = place[index];
  return set;
}

void emit_kernels(const KernelSet& set, const Identifier& model, SourceTree& tree) {
  Printer header;
  const Identifier space = join({model, Identifier("kernels")});
  header.line("// The kernels of this tree; each is defined in the file of its name in kernels/.");
  header.line("#ifndef ", printed_code(space.text() + "_H"));
  header.line("#define ", printed_code(space.text() + "_H"));
  header.line();
  header.line("#include <stddef.h>");
  header.line("#include <stdint.h>");
  header.line();
  header.line("namespace ", space, " {");
  header.line();
  Headers all;
  for (const DistinctKernel& kernel : set.kernels) {
    header.line("void ", kernel.name, printed_code(kernel.printed.signature), ";");
    all.insert(kernel.printed.headers.begin(), kernel.printed.headers.end());
    Printer source;
    std::string operators;
    for (const std::string& op : kernel.operators)
      operators += (operators.empty() ? "" : ", ") + op;
    source.comment(CommentText(operators + ": " + kernel.family));
    source.line("//");
    for (size_t at = 0; at < kernel.printed.formula.size();) {
      const size_t end = kernel.printed.formula.find('\n', at);
      source.comment(CommentText("  " + kernel.printed.formula.substr(at, end - at), 400));
      at = end + 1;
    }
    source.line("//");
    source.comment(CommentText(kernel.reason, 200));
    source.line("#include \"../kernels.h\"");
    for (const std::string& one : kernel.printed.headers)
      source.line("#include \"../rt/", printed_code(one), "\"");
    source.line();
    source.line("namespace ", space, " {");
    source.line();
    source.block(
        code("void ", kernel.name, printed_code(kernel.printed.signature + kernel.printed.body)));
    source.line();
    source.line("}  // namespace ", space);
    tree.add("src/kernels/" + kernel.name.text() + ".cpp", source.code(), "kernel");
  }
  if (!set.kernels.empty()) header.line();
  header.line("}  // namespace ", space);
  header.line();
  header.line("#endif");
  tree.add("src/kernels.h", header.code(), "header");
  emit_runtime(all, tree);
}

void emit_runtime(const Headers& headers, SourceTree& tree) {
  std::set<std::string> done;
  std::vector<std::string> todo(headers.begin(), headers.end());
  while (!todo.empty()) {
    const std::string path = todo.back();
    todo.pop_back();
    if (!done.insert(path).second) continue;
    const std::string_view text = embedded_file("runtime_min/" + path);
    const std::string folder =
        path.substr(0, path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1);
    constexpr std::string_view kInclude = "#include \"";
    for (size_t at = text.find(kInclude); at != std::string_view::npos;
         at = text.find(kInclude, at + 1)) {
      const size_t start = at + kInclude.size(), end = text.find('"', start);
      std::string included(text.substr(start, end - start));
      todo.push_back(included.starts_with("../") ? included.substr(3) : folder + included);
    }
    if (!tree.entries().contains("src/rt/" + path)) {
      tree.add("src/rt/" + path, Code::embedded("runtime_min/" + path), "runtime");
    }
  }
}

}  // namespace burin::cpp
