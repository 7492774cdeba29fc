#include "select/winograd_choice.h"

#include <algorithm>
#include <limits>

#include "hardware/capabilities.h"
#include "select/product_schedule.h"
#include "select/program_of.h"
#include "select/schedule/polyphase.h"
#include "select/threads/parallel.h"
#include "select/tiles/short_code.h"
#include "support/at.h"

namespace burin {
namespace {

// Numbers of bands that are tried.
constexpr int64_t kBands[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48};
// Forms that are tried with all threads, of those that are fastest with one.
constexpr size_t kTriedWithThreads = 4;
// That filters of points may add to the constants of any model.
constexpr int64_t kAlwaysBytes = int64_t{4} << 20;
// Scratch that all threads together may have in any model.
constexpr int64_t kAlwaysScratch = int64_t{8} << 20;
// A form has to take this share of the time of the direct one.
constexpr int64_t kRepaysOf = 100, kRepays = 90;
// Layers that the budget of errors is for, if all of them used their part.
constexpr double kLeastLayers = 4;

// Cycles of a schedule, with one thread and with all.
struct Times {
  int64_t alone = 0, shared = 0;
  // Both count alike: what is a tenth faster with either is as good.
  bool better_than(const Times& other) const {
    return static_cast<double>(alone) * static_cast<double>(shared) <
           static_cast<double>(other.alone) * static_cast<double>(other.shared);
  }
};

int64_t alone(const LoopPlan& schedule, const std::vector<Value>& values,
              const Hardware& hardware) {
  const loops::Program program = program_of(schedule, values);
  cost::Costs costs(program, hardware);
  cost::Question question;
  question.from_afar = [](ValueId) { return true; };
  question.bytes_between = std::numeric_limits<int64_t>::max();
  return std::max<int64_t>(1, costs.of(question).cycles());
}

int64_t shared(LoopPlan schedule, const std::vector<Value>& values, const Hardware& hardware,
               const Given& given, int64_t alone) {
  if (hardware.threads_max <= 1) return alone;
  const auto make = [&](const LoopPlan& one) { return program_of(one, values); };
  const std::vector<CutAxis> axes = division_for_threads(schedule, hardware, make, given);
  if (axes.empty()) return alone;
  return CallCosts(schedule, axes, hardware, make).of(axes, hardware.threads_max);
}

// Rows of tiles of a band: all, a half, a third ... of a plane.
std::vector<int64_t> bands_of(int64_t rows) {
  std::vector<int64_t> out;
  for (const int64_t bands : kBands) {
    const int64_t band = (rows + bands - 1) / bands;
    if (out.empty() || out.back() != band) out.push_back(band);
  }
  return out;
}

}  // namespace

WinogradChoices::WinogradChoices(const std::vector<Value>& values, double budget)
    : budget_(budget) {
  int64_t bytes = 0;
  for (const Value& value : values) bytes += static_cast<int64_t>(value.constant.bytes);
  bytes_left_ = std::max(bytes / 2, kAlwaysBytes);
  most_scratch_ = std::max(bytes / 4, kAlwaysScratch);
}

namespace {

// A convolution that may have such forms.
bool may_be_tiled(const LoopPlan& direct, const Hardware& hardware, const Given& given) {
  if (!direct.contraction || !given.may("winograd") || short_code(hardware)) return false;
  const ContractionSchedule& product = *direct.contraction;
  if (product.winograd || !product.window || product.m < 0 || product.a.prepacked == kNoValue)
    return false;
  // Filters of points would be floats, of four to fourteen times the bytes.
  if (product.a.keeps_fp16) return false;
  const SlidingAxis &rows = product.window->rows, &columns = product.window->columns;
  return rows.tap >= 0 && columns.tap >= 0 && rows.stride == 1 && columns.stride == 1;
}

}  // namespace

std::optional<WinogradChoices::Form> WinogradChoices::fastest(const LoopPlan& direct,
                                                              const Kernel& kernel,
                                                              std::vector<Value>& values,
                                                              const Hardware& hardware,
                                                              const Given& given) const {
  const ContractionSchedule& product = *direct.contraction;
  const size_t before = values.size();
  struct Candidate {
    Form form;
    Times times;
    bool fits = true;  // its scratch
  };
  // nullopt: there is no such form of the kernel.
  const auto tried = [&](const Form& form, bool with_threads) -> std::optional<Candidate> {
    Verbs verbs = given.all();
    set_verb(verbs, form.verb);
    const Given told = given.with(verbs);
    std::optional<Contraction> contraction = find_contraction(kernel, values, hardware, -1, told);
    if (!contraction || !contraction->schedule.winograd) return std::nullopt;
    Candidate out{form, {}};
    out.form.more_bytes =
        winograd_bytes(*contraction) - 4 * at_least_one(product.rows) * at_least_one(product.depth);
    const LoopPlan schedule =
        schedule_contraction(std::move(*contraction), values, Constants::sized);
    const int64_t scratch =
        at_least_one(schedule.scratch_bytes) * std::max(1, hardware.threads_max);
    out.fits = scratch <= most_scratch_;
    if (out.fits) out.times.alone = out.times.shared = alone(schedule, values, hardware);
    if (out.fits && with_threads)
      out.times.shared = shared(schedule, values, hardware, told, out.times.alone);
    values.resize(before);
    return out;
  };
  std::vector<Candidate> found;
  for (int outputs = 2; outputs <= kMostWinogradOutputs; outputs += 2) {
    const double error = winograd_error(winograd_matrices(outputs, kWinogradTaps));
    if (error > budget_ / kLeastLayers) continue;
    const int64_t rows = at_least_one(ceildiv(product.window->rows.outputs, outputs));
    for (const int64_t band : bands_of(rows)) {
      for (const int by_points : {0, 1}) {
        const Form form{{"winograd", {outputs, band, by_points}}, error, 0};
        const std::optional<Candidate> one = tried(form, false);
        if (!one) return std::nullopt;
        if (one->fits) found.push_back(*one);
      }
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
    return a.times.alone < b.times.alone;
  });
  if (found.size() > kTriedWithThreads) found.resize(kTriedWithThreads);
  Times best;
  best.alone = alone(direct, values, hardware);
  best.shared = shared(direct, values, hardware, given, best.alone);
  best.alone = best.alone / kRepaysOf * kRepays;
  std::optional<Form> out;
  for (const Candidate& one : found) {
    const Candidate with_threads = *tried(one.form, true);
    if (!with_threads.times.better_than(best)) continue;
    best = with_threads.times;
    out = with_threads.form;
  }
  return out;
}

std::optional<Verb> WinogradChoices::better_than(const LoopPlan& direct, const std::string& key,
                                                 const Kernel& kernel, std::vector<Value>& values,
                                                 const Hardware& hardware, const Given& given) {
  if (budget_ <= 0 || !may_be_tiled(direct, hardware, given)) return std::nullopt;
  const auto [known, is_new] = known_.try_emplace(key);
  if (is_new) known->second = fastest(direct, polyphase(kernel), values, hardware, given);
  if (!known->second) return std::nullopt;
  const Form& form = *known->second;
  if (form.more_bytes > bytes_left_ || !has_room(form.error)) return std::nullopt;
  squares_ += form.error * form.error;
  bytes_left_ -= form.more_bytes;
  return form.verb;
}

bool WinogradChoices::take(const WinogradChoice& given, bool must) {
  const double error = winograd_error(winograd_matrices(given.outputs, kWinogradTaps));
  const bool taken = must || has_room(error);
  if (taken) squares_ += error * error;
  return taken;
}

bool WinogradChoices::has_room(double error) const {
  return error <= budget_ / kLeastLayers && squares_ + error * error <= budget_ * budget_;
}

}  // namespace burin
