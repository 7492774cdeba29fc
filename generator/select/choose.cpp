#include "select/choose.h"

#include <algorithm>

#include "hardware/capabilities.h"
#include "kernel/place_of.h"
#include "kernel/run_order.h"
#include "kernel/split_axes.h"
#include "loops/program_text.h"
#include "select/accumulators.h"
#include "select/axes/guards.h"
#include "select/axes/long_rows.h"
#include "select/axes/merge_axes.h"
#include "select/bits/bit_schedule.h"
#include "select/bytes/byte_schedule.h"
#include "select/bytes/exponent_rows.h"
#include "select/bytes/fold_schedule.h"
#include "select/bytes/pool_schedule.h"
#include "select/bytes/row_schedule.h"
#include "select/bytes/sum_schedule.h"
#include "select/device/device_attention.h"
#include "select/device/device_limits.h"
#include "select/device/device_product.h"
#include "select/device/item_points.h"
#include "select/device/launches.h"
#include "select/integers/integer_schedule.h"
#include "select/locks.h"
#include "select/precision/fp16_plan.h"
#include "select/product_schedule.h"
#include "select/products/compact.h"
#include "select/products/repacked.h"
#include "select/program_of.h"
#include "select/rows/back_to_back.h"
#include "select/rows/kept_row.h"
#include "select/rows/outer_axis.h"
#include "select/rows/row_blocks.h"
#include "select/rows/row_epilogue.h"
#include "select/schedule/lanes.h"
#include "select/schedule/pairs_of_bytes.h"
#include "select/schedule/polyphase.h"
#include "select/schedule/unit_stride.h"
#include "select/threads/fused_copies.h"
#include "select/threads/parallel.h"
#include "select/tiles/short_code.h"
#include "select/verbs_of.h"
#include "select/winograd_choice.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

LoopPlan checked_product(LoopPlan schedule, const std::vector<Value>& values,
                         const Hardware& hardware, const Given& given) {
  reduce_in_lanes(schedule, values, hardware.vector, given);
  for (auto* const product : {&schedule.contraction, &schedule.second}) {
    if (*product && (*product)->b.compact > 0)
      add_compact_scratch(schedule.scratch_bytes, **product);
  }
  std::string fault = check_row_blocks(schedule);
  if (fault.empty() && schedule.second) fault = check_back_to_back(schedule);
  if (fault.empty() && schedule.last_product().row_epilogue) fault = check_row_epilogue(schedule);
  BURIN_CHECK(fault.empty(), fault);
  return schedule;
}

LoopPlan schedule_attention(Attention attention) {
  LoopPlan out;
  AttentionSchedule& schedule = attention.schedule;
  out.places.resize(attention.kernel.lets.size());
  out.scratch_bytes = attention.scratch_bytes;
  out.family = "attention";
  out.no_alias = true;
  const std::string sizes = to_string(schedule.queries) + " x " + to_string(schedule.keys);
  if (schedule.tiled) {
    out.reason = "blocks of " + std::to_string(schedule.columns()) + " queries x " +
                 std::to_string(schedule.key_block) + " keys for " + sizes + "; tiles of " +
                 std::to_string(schedule.scores.rows) + " keys, " +
                 std::to_string(schedule.values.rows) + " elements";
  }
  if (schedule.decode) {
    const auto told = [](const RowFactor& factor) {
      return factor.tensor == kNoValue ? " computed" : " in place";
    };
    out.reason += schedule.tiled ? "; of at most " + std::to_string(schedule.decode->most) +
                                       (schedule.decode->most == 1 ? " query" : " queries")
                                 : "queries x keys " + sizes;
    out.reason += std::string(", rows of K") + told(schedule.decode->k) + " and of V" +
                  told(schedule.decode->v);
  }
  out.kernel = std::move(attention.kernel);
  out.attention = std::move(schedule);
  return out;
}

// Vectors of bytes: elementwise, folds, sums of rows.
std::optional<LoopPlan> schedule_in_bytes(const Kernel& kernel, std::vector<Value>& values,
                                          const Hardware& hardware, const Given& given) {
  if (!given.may("bytes")) return std::nullopt;
  std::optional<LoopPlan> out = schedule_bytes(kernel, values, hardware);
  if (!out) out = schedule_pool(kernel, values, hardware);
  if (!out) out = schedule_fold(kernel, values, hardware, given);
  if (!out) out = schedule_sum(kernel, values, hardware);
  if (!out) out = schedule_byte_rows(kernel, values, hardware);
  if (!out) out = schedule_exponent_rows(kernel, values, hardware);
  if (out) out->verbs.insert(out->verbs.begin(), Verb{"bytes", {}});
  return out;
}

struct Choosing {
  const Hardware& hardware;
  const SelectOptions& options;
  // Of kernels that are alike, by what they compute and how.
  std::map<std::string, std::vector<CutAxis>> divisions = {};
  WinogradChoices few;
};

// The best schedule of a kernel, convolutions by fewer products where that is faster.
LoopPlan chosen_plan(const Kernel& kernel, const std::string& key, std::vector<Value>& values,
                     Choosing& how, const Given& given) {
  const Hardware hardware = as_given(how.hardware, given);
  const std::optional<WinogradChoice> wanted = given_winograd(given);
  if (wanted && !how.few.take(*wanted, given.is_whole())) {
    // As without the verb.
    Verbs others = given.all();
    std::erase_if(others, [](const Verb& one) { return one.what == "winograd"; });
    return best_plan(kernel, values, hardware, given.with(others));
  }
  const size_t before = values.size();
  LoopPlan direct = best_plan(kernel, values, hardware, given);
  const std::optional<Verb> few = how.few.better_than(direct, key, kernel, values, hardware, given);
  if (!few) return direct;
  values.resize(before);  // constants as the direct form has them
  Verbs told = given.all();
  set_verb(told, *few);
  return best_plan(kernel, values, hardware, given.with(told));
}

void cut(LoopPlan& schedule, const std::string& key, const std::vector<Value>& values,
         Choosing& how, const Given& given) {
  if (schedule.program) return;
  const auto [known, is_new] = how.divisions.try_emplace(key + " " + schedule.reason);
  if (is_new) {
    const auto make = [&](const LoopPlan& one) { return program_of(one, values); };
    known->second = division_for_threads(schedule, how.hardware, make, given);
  }
  if (!known->second.empty())
    schedule = divided(std::move(schedule), known->second, how.hardware.threads_max);
}

void tell_fp16(LoopPlan& schedule) {
  const bool in_tiles = std::any_of(schedule.kernel.lets.begin(), schedule.kernel.lets.end(),
                                    [](const Let& let) { return let.accumulator[0] == Type::f16; });
  const int64_t halves = fp16_operations(schedule.kernel);
  if (halves > 0 && !in_tiles)
    schedule.reason += "; computed in fp16 but for sums and functions: " + std::to_string(halves) +
                       " operations, " + std::to_string(float_operations(schedule.kernel)) +
                       " in floats";
}

// Of the kernels for which `now` holds.
void select_steps(Steps& steps, std::vector<Value>& values, Choosing& how, LoopPlans& out,
                  const std::function<bool(StepId, Kernel&)>& now) {
  for (Step& step : steps) {
    if (Kernel* kernel = std::get_if<Kernel>(&step)) {
      const std::string& key =
          out.keys.try_emplace(step.id, kernel_key(*kernel, values)).first->second;
      if (!now(step.id, *kernel)) continue;
      const auto place = [&] { return place_of(kernel->origins); };
      LoopPlan plan = at_place(place, [&] {
        const Given given = given_of(key, how.options);
        LoopPlan best = chosen_plan(*kernel, key, values, how, given);
        cut(best, key, values, how, given);
        std::string fault = best.program ? std::string() : check_cut(best);
        if (fault.empty()) fault = check_shares(best);
        BURIN_CHECK(fault.empty(), fault);
        tell_fp16(best);
        return best;
      });
      *kernel = plan.kernel;
      out.plans.emplace(step.id, std::move(plan));
    } else if (auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      auto copy = std::make_shared<If>(**branch);
      select_steps(copy->then_steps, values, how, out, now);
      select_steps(copy->else_steps, values, how, out, now);
      *branch = std::move(copy);
    } else if (auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      auto copy = std::make_shared<Loop>(**loop);
      select_steps(copy->body, values, how, out, now);
      *loop = std::move(copy);
    }
  }
}

// Kernels that read what others have panels of come last, and read those.
void select_in_order(KernelGraph& graph, Choosing& how, LoopPlans& out) {
  TiedConstants tied(graph);
  std::set<StepId> waiting;
  select_steps(graph.steps, graph.values, how, out, [&](StepId id, Kernel& kernel) {
    if (tied.wait(kernel)) waiting.insert(id);
    return !waiting.contains(id);
  });
  if (waiting.empty()) return;
  std::vector<RepackedConstant> panels;
  std::set<ValueId> read;
  for (const auto& [step, plan] : out.plans) {
    panels.insert(panels.end(), plan.repacked.begin(), plan.repacked.end());
    for (const ValueId id : reads_of(plan.kernel)) read.insert(id);
  }
  select_steps(graph.steps, graph.values, how, out, [&](StepId id, Kernel& kernel) {
    if (!waiting.contains(id)) return false;
    kernel = tied.over_panels(kernel, panels, read, graph.values);
    return true;
  });
}

}  // namespace

LoopPlan best_plan(const Kernel& given, std::vector<Value>& values, const Hardware& described,
                   const Given& told) {
  const Kernel kernel = polyphase(given);
  const bool brief = short_code(described);
  std::set<std::string> off = told.off();
  if (brief) off.merge(words_of_switch("versions"));
  const Given verbs = told.without(off);
  std::optional<Hardware> scalars;
  if (brief) scalars = tiles_of_scalars(described);
  const Hardware& hardware = scalars ? *scalars : described;
  if (has_device(hardware)) {
    refuse_what_device_lacks(kernel, values, hardware);
    std::optional<LoopPlan> tiled = schedule_device_attention(given, values, hardware);
    if (!tiled) tiled = schedule_device_product(kernel, values, hardware, verbs);
    LoopPlan launched = tiled ? std::move(*tiled) : schedule_generic(kernel, false);
    if (!tiled) plan_launches(launched, hardware);
    apply_given(launched, verbs, hardware);
    const std::string fault = check_launches(launched);
    BURIN_CHECK(fault.empty(), fault + " in " + to_string(launched.kernel, values));
    return launched;
  }
  if (std::optional<SplitCopies> both = split_fused_copies(given)) {
    // Loops of fused copies stand behind loops, not behind a program.
    Hardware without_rows = hardware;
    without_rows.rows.clear();
    return with_fused_copies(best_plan(both->host, values, without_rows, told), both->copies);
  }
  if (std::optional<LoopPlan> bytes = schedule_in_bytes(kernel, values, hardware, verbs))
    return std::move(*bytes);
  if (std::optional<LoopPlan> bits = schedule_bits(kernel, values, hardware, verbs))
    return std::move(*bits);
  if (std::optional<LoopPlan> integers = schedule_integers(kernel, values, hardware, verbs))
    return std::move(*integers);
  if (std::optional<Attention> attention =
          find_attention_schedule(given, values, hardware, verbs)) {
    add_decode_attention(*attention, values, hardware, verbs);
    if (attention->schedule.tiled || attention->schedule.decode) {
      const std::string fault = check_scratch(*attention, at_hints);
      BURIN_CHECK(fault.empty(), fault);
      return schedule_attention(std::move(*attention));
    }
  }
  if (std::optional<BackToBack> found = find_back_to_back(kernel, values, hardware, verbs)) {
    LoopPlan second = schedule_contraction(found->second.product, values);
    LoopPlan schedule = with_second(schedule_contraction(found->first, values), std::move(second),
                                    *found, hardware);
    return checked_product(std::move(schedule), values, hardware, verbs);
  }
  if (std::optional<EpilogueContraction> found =
          find_row_epilogue(kernel, values, hardware, verbs)) {
    LoopPlan schedule =
        with_row_epilogue(schedule_contraction(found->product, values), *found, hardware, verbs);
    return checked_product(std::move(schedule), values, hardware, verbs);
  }
  std::optional<Contraction> contraction = find_contraction(kernel, values, hardware, -1, verbs);
  // Staging an operand is more code than reading it through its window, or from its pieces.
  const bool staged = contraction && (contraction->schedule.window ||
                                      !conditions_of(contraction->schedule.b.element).empty());
  if (contraction && !(brief && staged)) {
    const int64_t block = rows_in_block(contraction->schedule, hardware, verbs);
    LoopPlan schedule = schedule_contraction(std::move(*contraction), values);
    if (block > 0) {
      pack_by_blocks(schedule, block);
      schedule.reason += ", rows in blocks of " + std::to_string(block);
    }
    return checked_product(std::move(schedule), values, hardware, verbs);
  }
  if (!brief) {
    if (std::optional<Contraction> reduction =
            find_window_reduction(kernel, values, hardware, verbs))
      return schedule_contraction(std::move(*reduction), values);
  }
  Kernel plain = with_long_rows(merge_reduced_axes(split_axes(kernel), values), values, hardware);
  if (brief && !verbs.is_off("compact") && !plain.lets.empty())
    plain = with_pairs(std::move(plain), values);
  std::vector<SumTile> tiles;
  if (!brief) tiles = find_sum_tiles(plain, values, hardware, verbs);
  std::optional<LoopPlan> rows;
  if (tiles.empty() && !brief) rows = schedule_outer_axis(plain, values, hardware, verbs);
  if (tiles.empty() && !brief && !rows) rows = schedule_kept_row(plain, hardware, verbs);
  LoopPlan schedule = rows ? std::move(*rows) : schedule_loops(plain, std::move(tiles));
  for (const SumTile& tile : schedule.tiles)
    schedule.reason += "; let" + std::to_string(tile.let) + " in tiles of " +
                       std::to_string(tile.tile.rows) + " x " + std::to_string(tile.tile.columns());
  if (!brief) reduce_in_lanes(schedule, values, hardware.vector, verbs);
  if (verbs.may("unit stride")) {
    version_on_unit_stride(schedule, values);
    const std::string fault = check_unit_stride(schedule);
    BURIN_CHECK(fault.empty(), fault);
  }
  return schedule;
}

LoopPlans choose_loops(KernelGraph graph, const Hardware& hardware, const SelectOptions& options) {
  LoopPlans out;
  graph = with_step_ids(std::move(graph));
  Choosing how{hardware, options, {}, WinogradChoices(graph.values, options.winograd_error)};
  select_in_order(graph, how, out);
  settle_accumulators(out, graph.values, hardware, options.locked);
  for (auto& [step, plan] : out.plans) plan.verbs = verbs_of(plan);
  if (options.locked != nullptr) out.unlocked = check_locks(out, *options.locked);
  out.graph = std::move(graph);
  return out;
}

std::string to_string(const LoopPlans& chosen) {
  std::string out;
  for (const auto& [step, plan] : chosen.plans)
    out += to_string(step) + " " + plan.kernel.name + ": " + plan.family + ": " + plan.reason +
           "\n" + loops::to_string(program_of(plan, chosen.graph.values));
  return out;
}

}  // namespace burin
