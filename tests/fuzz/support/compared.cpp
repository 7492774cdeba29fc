#include "fuzz/support/compared.h"

#include <array>
#include <fstream>
#include <utility>

#include "fuzz/support/targets.h"
#include "hardware/load.h"
#include "kernel/interpreter/interpreter.h"
#include "loops/run/run.h"
#include "report/compare.h"
#include "support/check.h"
#include "support/program_results.h"
#include "verify/self_test.h"

namespace burin::fuzz {
namespace {

using programs_test::difference;

constexpr int64_t kRunOperations = 1'000'000;
constexpr int64_t kRunBytes = int64_t{16} << 20;

// Of few registers, of many with threads that cost nothing, and with instructions for bytes.
const Hardware& compared_hardware(std::string_view bytes) {
  static const std::array<Hardware, 3> all = [] {
    const std::string folder = std::string(BURIN_SOURCE_DIR) + "/configs/";
    std::array out{load_hardware(folder + "cpp-generic.json"),
                   load_hardware(folder + "x86-64-v3.json"),
                   load_hardware(folder + "x86-64-v4-vnni.json")};
    out[1].threads_max = 5;
    out[1].thread_start_us = 0;
    return out;
  }();
  unsigned sum = 0;
  for (const char c : bytes) sum += static_cast<unsigned char>(c);
  return all[sum % all.size()];
}

// libFuzzer takes what is counted here for coverage: a kind of loops that was not met is news, as a
// new branch is.
constexpr size_t kKinds = size_t{1} << 15;
[[gnu::used, gnu::section("__libfuzzer_extra_counters")]] uint8_t kinds_met[kKinds];

void meet(const std::string& kind) {
  uint8_t& met = kinds_met[std::hash<std::string>()(kind) % kKinds];
  met = static_cast<uint8_t>(std::min(255, met + 1));
}

void meet(const KernelSchedule& schedule) {
  std::string kind = schedule.family + (schedule.cut ? " cut" : "");
  meet(kind);
  for (const Verb& verb : schedule.verbs) meet(kind + " " + verb.what);
  // Which operators it stands for, two by two.
  for (const Origin& one : schedule.kernel.origins) {
    for (const Origin& other : schedule.kernel.origins) meet(kind + one.op + " " + other.op);
  }
}

InterpretOptions budget() {
  InterpretOptions out;
  out.operations = kRunOperations;
  out.bytes = kRunBytes;
  return out;
}

// What is rounded on the way may be off by what sums in another order are, of the greatest element
// that there was anywhere: that of the results may be what is left of larger ones.
class Magnitude {
 public:
  void add(const HostTensor& tensor) {
    for (int64_t i = 0; is_float(tensor.type) && i < tensor.elements(); ++i) {
      const double number = std::abs(tensor.get(i).number);
      finite_ = finite_ && std::isfinite(number);
      if (std::isfinite(number)) greatest_ = std::max(greatest_, number);
    }
  }
  bool finite() const { return finite_; }
  double greatest() const { return greatest_; }

 private:
  double greatest_ = 0;
  bool finite_ = true;
};

// Whether all elements are within `most` of what is wanted; why not.
std::string differs(const HostTensor& got, const HostTensor& wanted, double most) {
  if (got.shape != wanted.shape) return "another shape";
  for (int64_t i = 0; i < wanted.elements(); ++i) {
    const double a = got.get(i).number, b = wanted.get(i).number;
    if (std::isnan(a) != std::isnan(b) || std::abs(a - b) > most)
      return fmt::format("element {} is {}, not {}", i, a, b);
  }
  return {};
}

// Every kernel as its program, beside the interpreter.
class Programs {
 public:
  explicit Programs(const ModelPlan& plan) : plan_(plan) {
    for_each_step(plan_.graph.steps, [&](const Step& step) {
      if (const auto* kernel = std::get_if<Kernel>(&step))
        schedules_[kernel] = &plan_.kernels.at(step.id);
    });
  }

  // The run's results; nothing where it takes too long.
  std::optional<std::vector<HostTensor>> run(const SampleRun& run, Magnitude& magnitude) {
    Environment environment;
    environment.symbols = run.sizes;
    environment.left = budget();
    const KernelGraph& graph = plan_.graph;
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
      environment.tensors[graph.inputs[i]] = run.inputs[i];
      magnitude.add(run.inputs[i]);
    }
    environment.instead = [&](const Kernel& kernel) { compare(kernel, environment, magnitude); };
    const RunResult result = execute_steps(graph.steps, graph.values, environment);
    if (result.status == kRunOverBudget || over_) return std::nullopt;
    BURIN_CHECK(result.status == kRunOk, "only the fused graph stops: " + result.message);
    std::vector<HostTensor> out;
    for (const ValueId id : graph.outputs) out.push_back(environment.tensor(graph.values, id));
    return out;
  }

 private:
  void compare(const Kernel& kernel, Environment& environment, Magnitude& magnitude) {
    const auto instead = std::exchange(environment.instead, {});
    Environment forward = environment, backward = environment;
    const RunResult result = execute_steps({kernel}, plan_.graph.values, environment);
    environment.instead = instead;
    if (result.status != kRunOk) {
      over_ = true;
      return;
    }
    for (const Write& write : kernel.writes)
      magnitude.add(environment.tensor(plan_.graph.values, write.to));
    if (over_ || !programs_test::has_points(kernel, environment.symbols)) return;
    const KernelSchedule& schedule = *schedules_.at(&kernel);
    meet(schedule);
    const loops::Program& program = *schedule.program;
    const double share = programs_test::share_of(schedule);
    for (const std::string& fault :
         loops::verify(program, programs_test::limits_of(plan_.hardware)))
      BURIN_CHECK(fault.find(") share ") != std::string::npos, kernel.name + ": " + fault);
    const auto ran = [&](Environment& in, loops::PartOrder order) {
      const RunResult run = loops::run_loops(program, plan_.graph.values, in, order);
      over_ = over_ || run.status == kRunOverBudget;
      BURIN_CHECK(run.status == kRunOk || over_, kernel.name + ": " + run.message);
    };
    ran(forward, loops::PartOrder::forward);
    ran(backward, loops::PartOrder::backward);
    if (over_) return;
    for (const Write& write : kernel.writes) {
      const HostTensor made = forward.tensor(plan_.graph.values, write.to);
      const HostTensor wanted = environment.tensor(plan_.graph.values, write.to);
      // Partial sums may be infinite or cancel where the sum in its order does not.
      const bool rounds = share > 0 && is_float(made.type);
      if (!rounds || magnitude.finite()) {
        const std::string fault = rounds ? differs(made, wanted, share * 16 * magnitude.greatest())
                                         : difference(made, wanted, 0);
        BURIN_CHECK(fault.empty(), kernel.name + " as its program: " + fault);
      }
      const std::string fault = difference(backward.tensor(plan_.graph.values, write.to), made, 0);
      BURIN_CHECK(fault.empty(), kernel.name + " with parts backwards: " + fault);
    }
  }

  const ModelPlan& plan_;
  std::map<const Kernel*, const KernelSchedule*> schedules_;
  bool over_ = false;  // budget
};

void compare_run(const Compiled& compiled, const SampleRun& run) {
  Magnitude magnitude;
  const auto results = Programs(compiled.plan).run(run, magnitude);
  if (!results) return;
  for (size_t k = 0; k < results->size(); ++k) {
    const HostTensor &got = (*results)[k], &wanted = run.outputs[k];
    const bool rounds =
        is_float(wanted.type) && compiled.plan.output_roundings.at(k) != Roundings::one;
    // Bytes and truths behind roundings may be neighbours.
    if (!is_float(wanted.type) && magnitude.greatest() > 0) continue;
    if (rounds && !magnitude.finite()) continue;
    const std::string fault =
        rounds ? differs(got, wanted, 1e-2 * magnitude.greatest()) : difference(got, wanted, 0);
    BURIN_CHECK(fault.empty(), "output " + std::to_string(k) + " as it is planned: " + fault);
  }
}

}  // namespace

bool compare_input(std::string_view bytes, const std::string& scratch) {
  CompileOptions options = limited_options();
  options.model = scratch + "/m.onnx";
  std::ofstream(options.model, std::ios::binary).write(bytes.data(), std::ssize(bytes));
  bool compared = false;
  accepted(options.model, [&] {
    const Compiled compiled = compile(options, compared_hardware(bytes));
    SelfTestOptions self_test;
    self_test.operations = kRunOperations;
    located({.file = options.model}, [&] {
      for (const SampleRun& run : make_self_test(compiled, options, self_test).runs) {
        compare_run(compiled, run);
        compared = true;
      }
    });
  });
  return compared;
}

}  // namespace burin::fuzz
