#include "backends/cpp/kernel_set.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "backends/cpp/cpp_language.h"
#include "backends/cpp/names.h"
#include "kernel/layout.h"
#include "kernel/place_of.h"
#include "print/line_breaks.h"
#include "render/printed_code.h"
#include "render/printer.h"
#include "support/at.h"
#include "support/check.h"

namespace burin::cpp {
std::string laid_out(const Layout& layout) {
  const bool plain =
      layout.blocks.empty() && std::is_sorted(layout.order.begin(), layout.order.end());
  return plain ? std::string() : " laid out " + to_string(layout);
}

namespace {

constexpr size_t kMostOperators = 4;  // in a kernel's name
constexpr size_t kLongestStem = 39;   // of it, in front of the hash

// "BatchNormalization" as "batch_normalization".
std::string word_of(const std::string& op) {
  std::string word;
  for (const char c : op) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isupper(byte) && !word.empty() &&
        !std::isupper(static_cast<unsigned char>(word.back())) && word.back() != '_')
      word += '_';
    word += static_cast<char>(std::isalnum(byte) ? c : '_');
  }
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

bool is_aside(const Origin& one) { return one.moves || one.converts; }

// "conv_batch_normalization_relu": what the kernel computes; where it only converts or moves, what
// it stands for. Whole words within `longest` characters, and "_and_more" for others.
std::string stem_of(const Kernel& kernel, size_t longest) {
  static constexpr std::string_view kMore = "_and_more";
  const auto moves = [](const Origin& one) { return one.moves; };
  const Origins& all = kernel.origins;
  const bool computes = !std::all_of(all.begin(), all.end(), is_aside);
  const bool does = !std::all_of(all.begin(), all.end(), moves);
  std::vector<std::string> words;
  for (const Origin& origin : all) {
    if (computes ? is_aside(origin) : does && origin.moves) continue;
    std::string word = word_of(origin.op);
    if (words.empty() || words.back() != word) words.push_back(std::move(word));
  }
  if (words.empty()) return "kernel";
  std::string stem = words[0];
  for (size_t i = 1; i < words.size(); ++i) {
    const size_t more = i + 1 < words.size() ? kMore.size() : 0;
    if (i == kMostOperators || stem.size() + 1 + words[i].size() + more > longest)
      return stem.append(kMore);
    stem += "_" + words[i];
  }
  return stem;
}

// How many kernels stand for a node that computes.
using Shares = std::map<std::pair<std::string, std::string>, int>;

Shares shares_of(const std::vector<KernelUnit>& units) {
  Shares shares;
  for (const KernelUnit& unit : units) {
    for (const Step* step : unit.steps) {
      for (const Origin& origin : std::get<Kernel>(*step).origins)
        if (!is_aside(origin)) ++shares[{origin.node, origin.op}];
    }
  }
  return shares;
}

// Kernels that share a node say which part of it they are: "lstm_recurrent". Those of a joint
// launch are named one after the other: "joint_conv_relu_max_pool".
std::string stem_of(const KernelUnit& unit, const Shares& shares, size_t longest) {
  std::vector<std::string> stems;
  for (const Step* step : unit.steps) {
    const Kernel& kernel = std::get<Kernel>(*step);
    const bool part =
        std::any_of(kernel.origins.begin(), kernel.origins.end(), [&](const Origin& origin) {
          return !is_aside(origin) && shares.at({origin.node, origin.op}) > 1;
        });
    const std::string family = part && unit.steps.size() == 1 ? "_" + unit.family : "";
    std::string stem = stem_of(kernel, longest - std::min(longest, family.size())) + family;
    if (std::find(stems.begin(), stems.end(), stem) == stems.end())
      stems.push_back(std::move(stem));
  }
  std::string out = unit.steps.size() > 1 ? "joint" : "";
  for (const std::string& stem : stems) out += (out.empty() ? "" : "_") + stem;
  return out;
}

// "cos" is taken, "cos_kernel" is not.
Identifier named(const std::string& stem, size_t longest) {
  const Identifier name = mangle(stem, longest);
  return name.text() == stem ? name : mangle(stem + "_kernel", longest);
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

std::vector<ValueId> shared_operands(const ModelPlan& plan, const KernelUnit& unit) {
  std::vector<ValueId> out;
  for (const Step* step : unit.steps) {
    for (const ValueId id : shared_operands(plan, *step)) out.push_back(id);
  }
  return out;
}

// What makes two functions one.
std::string content_of(const print::PrintedKernel& printed) {
  std::string out;
  const auto add = [&out](const std::vector<std::string>& signature) {
    for (const std::string& parameter : signature) out += parameter + ", ";
  };
  add(printed.signature);
  out += printed.body;
  for (const print::MemberFunction& function : printed.functions) {
    add(function.signature);
    out += function.body;
  }
  for (const print::PrintedMember& member : printed.members) {
    out += member.condition + std::to_string(member.function);
    add(member.arguments);
  }
  return out;
}

// ", strides [1536, 64, 8, 1]": where the factors in a kernel's indices come from. Blocked axes
// have none, and one axis needs none.
std::string strides_text(const Value& value) {
  const std::vector<int>& order = value.layout.order;
  const size_t rank = value.shape.size();
  if (rank < 2 || !value.layout.blocks.empty()) return {};
  const std::vector<Dim> lie = row_major_strides(physical_shape(value.layout, value.shape));
  std::vector<Dim> strides(rank);
  for (size_t i = 0; i < rank; ++i) strides[order.empty() ? i : at(order[i])] = lie[i];
  return ", strides " + to_string(strides);
}

std::vector<std::pair<std::string, std::string>> roles_of(const print::KernelParameters& parameters,
                                                          const std::vector<Value>& values,
                                                          const ImageMaps& images) {
  std::vector<std::pair<std::string, std::string>> roles;
  const auto add = [&](ValueId id) {
    // A tensor between kernels is named where they are called.
    static constexpr const char* kKinds[] = {"input of the network", "output of the network",
                                             "constant", ""};
    const Value& value = values[static_cast<size_t>(id)];
    const std::string kind = kKinds[static_cast<size_t>(value.kind)];
    std::string text = std::string(to_string(value.type)) + to_string(value.shape);
    const auto image = images.find(id);
    if (image != images.end()) {
      text += " as an image (" + to_string(image->second) + ")";
    } else {
      text += laid_out(value.layout);
      text += strides_text(value);
    }
    if (!kind.empty()) text += ", " + kind + " '" + value.name + "'";
    roles.emplace_back(parameters.names.at(id), text);
  };
  for (const ValueId id : parameters.reads) add(id);
  for (const ValueId id : parameters.writes) add(id);
  for (size_t i = 0; i < parameters.symbols.size(); ++i)
    roles.emplace_back(parameters.symbol_names[i], parameters.symbols[i]->name);
  return roles;
}

std::string reason_of(const KernelSchedule& schedule) {
  std::string text = schedule.reason;
  if (schedule.cut) text += "; threads share i" + std::to_string(schedule.cut->axis);
  if (schedule.cut && schedule.cut->across)
    text += " and i" + std::to_string(schedule.cut->across->axis);
  return text + (schedule.index_bits == 32 ? "; every index is proven to fit 32 bits" : "");
}

// A function that is printed, and where it is called.
struct Found {
  DistinctKernel kernel;
  std::string content;
  const ModelPlan* plan = nullptr;  // of its first call
  std::map<const ModelPlan*, int> calls;
  std::vector<Origin> callers;  // the nodes of all calls, each once
  std::set<std::pair<std::string, std::string>> called_for = {};  // names and operators of these

  // One network calls it once, and maybe a joint run does the same there.
  bool is_called_once(const ModelPlan* joint) const {
    return std::all_of(calls.begin(), calls.end(), [&](const auto& one) {
      return one.second == 1 && (one.first == plan || one.first == joint);
    });
  }
};

// All functions of some plans: equal ones are one.
class Finder {
 public:
  // Returns the calls, with places in `found` as kernels.
  KernelSet add(const PlanUnits& plan) {
    KernelSet set;
    const Shares shares = shares_of(plan.units);
    for (const KernelUnit& unit : plan.units) {
      print::PrintedKernel printed =
          at_place([&] { return place_of(*unit.steps[0]); },
                   [&] { return unit.print(shared_operands(*plan.plan, unit)); });
      std::string content = content_of(printed);
      const auto [at, fresh] = known_.emplace(content, found.size());
      for (size_t i = 0; i < unit.steps.size(); ++i)
        set.calls[unit.steps[i]->id].push_back({at->second, printed.members.empty()
                                                                ? printed.parameters
                                                                : printed.members[i].parameters});
      std::vector<Origin> origins;
      for (const Step* step : unit.steps) {
        for (const Origin& origin : std::get<Kernel>(*step).origins) origins.push_back(origin);
      }
      const std::vector<Origin> callers = origins;
      if (fresh) {
        // Functions of its parts have their numbers behind it.
        const size_t parts = printed.functions.size();
        const size_t number =
            parts == 0 ? 0 : std::string_view("_").size() + std::to_string(parts - 1).size();
        const size_t longest = kLongestStem - number;
        found.push_back({{with_hash(named(stem_of(unit, shares, longest), longest), content),
                          std::move(printed),
                          unit.family,
                          unit.reason,
                          std::move(origins),
                          1,
                          {}},
                         std::move(content),
                         plan.plan,
                         {},
                         {}});
      }
      Found& known = found[at->second];
      for (const Origin& caller : callers) {
        if (known.called_for.emplace(caller.node, caller.op).second)
          known.callers.push_back(caller);
      }
      ++known.calls[plan.plan];
    }
    return set;
  }

  // What the comments above the kernels say of all their calls.
  void describe(const ModelPlan* joint) {
    for (Found& one : found) {
      DistinctKernel& kernel = one.kernel;
      kernel.roles =
          roles_of(kernel.printed.parameters, one.plan->graph.values, one.plan->images.maps);
      if (one.is_called_once(joint)) continue;
      kernel.nodes = one.callers;
      kernel.calls = 0;
      for (const auto& [plan, calls] : one.calls) kernel.calls += calls;
    }
  }

  std::vector<Found> found;

 private:
  std::map<std::string, size_t> known_;  // by text
};

// By name, so that the list does not depend on the order of the schedule.
void sort_by_name(std::vector<DistinctKernel>& kernels) {
  std::sort(kernels.begin(), kernels.end(),
            [](const DistinctKernel& a, const DistinctKernel& b) { return a.name < b.name; });
}

// The kernels that a plan calls, with places among them in its calls.
void take_kernels(const std::vector<Found>& found, const ModelPlan* plan, KernelSet& set) {
  std::vector<std::pair<Identifier, size_t>> called;
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].calls.contains(plan)) called.emplace_back(found[i].kernel.name, i);
  }
  std::sort(called.begin(), called.end());
  std::map<size_t, size_t> place;
  for (const auto& [name, i] : called) {
    place[i] = set.kernels.size();
    set.kernels.push_back(found[i].kernel);
  }
  for (auto& [step, calls] : set.calls) {
    for (KernelCall& call : calls) call.kernel = place.at(call.kernel);
  }
}

}  // namespace

std::vector<KernelSet> distinct_kernels(const std::vector<PlanUnits>& plans) {
  Finder finder;
  std::vector<KernelSet> sets;
  for (const PlanUnits& plan : plans) sets.push_back(finder.add(plan));
  finder.describe(plans.back().plan);
  for (size_t i = 0; i < plans.size(); ++i) take_kernels(finder.found, plans[i].plan, sets[i]);
  return sets;
}

KernelSet all_kernels(const std::vector<KernelSet>& sets) {
  KernelSet all;
  std::set<Identifier> known;
  for (const KernelSet& set : sets) {
    for (const DistinctKernel& kernel : set.kernels) {
      if (known.insert(kernel.name).second) all.kernels.push_back(kernel);
    }
  }
  sort_by_name(all.kernels);
  return all;
}

PlanUnits kernel_units(const ModelPlan& plan) {
  PlanUnits out{&plan, {}};
  for_each_step(plan.graph.steps, [&](const Step& step) {
    const Kernel* kernel = std::get_if<Kernel>(&step);
    if (!kernel || plan.memory.dropped.contains(step.id)) return;
    const KernelSchedule& schedule = plan.kernels.at(step.id);
    const auto print = [&plan, &schedule](const std::vector<ValueId>& aliased) {
      return print::print_kernel(schedule, plan.graph.values, aliased, cpp_language());
    };
    out.units.push_back({{&step}, print, schedule.family, reason_of(schedule)});
  });
  return out;
}

void emit_kernels(const KernelSet& set, const Identifier& space, SourceTree& tree) {
  Printer header;
  header.line("// The kernels of this tree; each is defined in the file of its name in kernels/.");
  header.line("#ifndef ", include_guard(space));
  header.line("#define ", include_guard(space));
  header.line();
  header.line("#include <stddef.h>");
  header.line("#include <stdint.h>");
  header.line();
  hide_from_here(header);
  header.line();
  header.line("namespace ", space, " {");
  header.line();
  print::Headers all;
  for (const DistinctKernel& kernel : set.kernels) {
    std::vector<Code> parameters;
    for (const std::string& one : kernel.printed.signature) parameters.push_back(printed_code(one));
    const Code head = code("void ", kernel.name, "(");
    header.list(head, parameters, ");");
    all.insert(kernel.printed.headers.begin(), kernel.printed.headers.end());
    Printer source;
    for (const std::string& line : kernel_comment(kernel)) source.comment(CommentText(line, 4000));
    source.line("#include \"../kernels.h\"");
    for (const std::string& one : kernel.printed.headers)
      source.line("#include \"../rt/", printed_code(one), "\"");
    source.line();
    source.line("namespace ", space, " {");
    source.line();
    source.list(head, parameters, ") {");
    source.block(printed_code(print::with_line_breaks(kernel.printed.body)));
    source.line();
    source.line("}  // namespace ", space);
    tree.add("src/kernels/" + kernel.name.text() + ".cpp", source.code(), "kernel");
  }
  if (!set.kernels.empty()) header.line();
  header.line("}  // namespace ", space);
  header.line();
  hide_to_here(header);
  header.line();
  header.line("#endif");
  tree.add("src/kernels.h", header.code(), "header");
  emit_runtime(all, tree);
}

}  // namespace burin::cpp
