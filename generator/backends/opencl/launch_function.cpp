#include "backends/opencl/launch_function.h"

#include <algorithm>
#include <utility>

#include "backends/opencl/member_ids.h"
#include "backends/opencl/opencl_language.h"
#include "loops/walk.h"
#include "print/definitions.h"
#include "print/kernel_printer_core.h"
#include "print/program_printer.h"
#include "select/device/launch_walk.h"
#include "select/device/work_groups.h"
#include "support/at.h"

namespace burin::opencl {
namespace {

// Whether a launch may have more work-items along a dimension than the launch has points.
bool launches_beyond(const Dimension& dimension, const Launch& launch, const DeviceSizes& sizes) {
  if (depends_on_device(dimension.extent, sizes)) return true;
  if (shares_points(launch)) return false;
  return dimension.local != 1 && !mod(dimension.extent, dimension.local).is_constant(0);
}

// The statements of launch number `left`, which counts down.
const loops::Stmts* find_launch(const loops::Stmts& stmts, size_t& left) {
  for (const loops::Stmt& stmt : stmts) {
    const auto* loop = std::get_if<loops::For>(&stmt.node);
    if (loop == nullptr) continue;
    if (loop->kind == loops::Kind::launch && left-- == 0) return &loop->body;
    if (loop->kind != loops::Kind::host) continue;
    if (const loops::Stmts* found = find_launch(loop->body, left)) return found;
  }
  return nullptr;
}

class FunctionText {
 public:
  explicit FunctionText(const LaunchContext& context)
      : context_(context),
        launch_(*launches_of(context.schedule.launches).at(context.number)),
        language_(opencl_language()),
        kernel_(context.schedule, context.values, language_) {}

  LaunchFunction run(const std::vector<ValueId>& aliased) {
    kernel_.find_parameters();
    const MemberIds own = place_of_item();
    const loops::Program& program = *context_.schedule.program;
    size_t left = context_.number;
    const loops::Stmts* stmts = find_launch(program.body, left);
    BURIN_CHECK(stmts != nullptr, "a launch that the program has not");
    print::TextBuilder text;
    text.indent();
    print::Definitions definitions(text);
    for (const MemberIds::Line& line : own.lines) {
      const size_t start = text.text().size();
      text.line(line.text);
      definitions.add(line.name, start);
    }
    print::ProgramPrinter(program, text, out_.kernel.headers, language_, kernel_.index_type(),
                          {[this](ValueId id) { return kernel_.value_name(id); },
                           [this](const Symbol& symbol) { return kernel_.symbol_name(symbol); },
                           "opencl", "scratch + at_scratch"})
        .print_launch(*stmts, own.ids);
    definitions.drop_unused();
    text.close();
    for (const loops::BufferId id : loops::allocated_in(*stmts)) {
      const loops::Buffer& one = program.buffers[at(id)];
      if (one.scope != loops::Scope::group) continue;
      const int64_t elements = product(one.shape).constant();
      out_.arrays.push_back({std::string(language_.compute_name(one.type)), one.name, elements,
                             size_bytes(one.type, elements)});
    }
    // Names of all operands, before those that nothing mentions go.
    out_.kernel.formula = formula();
    out_.kernel.formula_parts = kernel_.formula_parts();
    const std::string body = text.text();
    find_starts(body);
    out_.kernel.body = starts_ + body;
    out_.kernel.signature = signature(aliased);
    parameters_.names = kernel_.parameters().names;
    out_.kernel.parameters = parameters_;
    return std::move(out_);
  }

 private:
  MemberIds place_of_item() {
    MemberIds out;
    if (context_.member != nullptr) {
      out = member_ids(launch_, *context_.member, context_.items,
                       [this](const Dim& dim) { return size_text(dim); });
    } else {
      out.ids = {"get_local_id(0)",
                 {"get_group_id(0)", "get_group_id(1)", "get_group_id(2)"},
                 {"get_global_id(0)", "get_global_id(1)", "get_global_id(2)"}};
    }
    for (size_t d = 0; d < launch_.dimensions.size(); ++d)
      out.ids.beyond[d] = launches_beyond(launch_.dimensions[d], launch_, context_.sizes);
    return out;
  }
  std::string size_text(const Dim& dim) {
    print::TextBuilder unused;
    print::ExprPrinter printer(
        unused, out_.kernel.headers,
        {[](int) { return std::string(); },
         [this](const Symbol& symbol) { return kernel_.symbol_name(symbol); },
         [](const ExprNode&) { return std::string(); },
         [](const ExprNode&) { return std::string(); }},
        language_);
    printer.set_index_type(kernel_.index_type());
    const std::string text = printer.text(dim);
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  }
  bool is_image(ValueId id) const { return context_.images.contains(id); }

  // Pointers to where tensors start, and sizes that another kernel found; tensors and sizes that
  // the text does not mention are no parameters.
  void find_starts(const std::string& body) {
    const print::KernelParameters& all = kernel_.parameters();
    const auto keep = [&](const std::vector<ValueId>& from, std::vector<ValueId>& to) {
      for (const ValueId id : from) {
        if (!print::mentions(body, kernel_.value_name(id))) continue;
        to.push_back(id);
        if (!is_image(id)) start(kernel_.value_name(id) + " += at_" + kernel_.value_name(id) + ";");
      }
    };
    std::string tensors;
    std::swap(starts_, tensors);
    keep(all.reads, parameters_.reads);
    keep(all.writes, parameters_.writes);
    std::swap(starts_, tensors);
    parameters_.scratch = print::mentions(body, "scratch");
    for (size_t i = 0; i < all.symbols.size(); ++i) {
      const std::string& name = all.symbol_names[i];
      if (!print::mentions(body, name)) continue;
      parameters_.symbols.push_back(all.symbols[i]);
      parameters_.symbol_names.push_back(name);
      if (context_.sizes.held(all.symbols[i]))
        start("const " + kernel_.index_type() + " " + name + " = (" + kernel_.index_type() +
              ")size_" + name + "[at_size_" + name + "];");
    }
    starts_ += tensors;
  }
  void start(const std::string& line) { starts_ += "  " + line + "\n"; }

  std::vector<std::string> signature(const std::vector<ValueId>& aliased) const {
    std::vector<std::string> out;
    const auto tensor = [&](ValueId id, bool written) {
      const std::string name = kernel_.value_name(id);
      if (is_image(id)) {
        out.push_back((written ? "__write_only image2d_t " : "__read_only image2d_t ") + name);
        return;
      }
      const bool alone = std::count(aliased.begin(), aliased.end(), id) == 0;
      out.push_back(language_.tensor_parameter(context_.values[at(id)].type, name, written, alone));
      out.push_back("const ulong at_" + name);
    };
    for (const ValueId id : parameters_.reads) tensor(id, false);
    for (const ValueId id : parameters_.writes) tensor(id, true);
    if (parameters_.scratch) {
      out.push_back(language_.scratch_parameter("scratch"));
      out.push_back("const ulong at_scratch");
    }
    for (size_t i = 0; i < parameters_.symbols.size(); ++i) {
      const std::string& name = parameters_.symbol_names[i];
      if (context_.sizes.held(parameters_.symbols[i])) {
        out.push_back("__global const long* restrict size_" + name);
        out.push_back("const ulong at_size_" + name);
      } else {
        out.push_back("const " + kernel_.index_type() + " " + name);
      }
    }
    for (const int axis : launch_.host_axes)
      out.push_back("const " + kernel_.index_type() + " " + kernel_.axis_name(axis));
    return out;
  }

  // Of the cascade, what this launch computes.
  std::vector<std::string> formula() const {
    const std::vector<std::string> all = kernel_.formula();
    const size_t lets = context_.schedule.kernel.lets.size();
    std::vector<bool> here(all.size(), false);
    for_each_statement(launch_.nodes, [&](const LoopNode& node) {
      if (const auto let = let_of(node)) here[at(*let)] = true;
      if (const auto* store = std::get_if<Store>(&node.node)) here[lets + at(store->write)] = true;
    });
    std::vector<std::string> out;
    for (size_t i = 0; i < all.size(); ++i) {
      if (here[i]) out.push_back(all[i]);
    }
    return out;
  }

  const LaunchContext& context_;
  const Launch& launch_;
  const print::Language& language_;
  print::KernelPrinter kernel_;
  print::KernelParameters parameters_;  // of this launch
  std::string starts_;
  LaunchFunction out_;
};

}  // namespace

LaunchFunction launch_function(const LaunchContext& context, const std::vector<ValueId>& aliased) {
  return FunctionText(context).run(aliased);
}

}  // namespace burin::opencl
