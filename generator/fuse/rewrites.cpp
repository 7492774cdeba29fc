#include "fuse/rewrites.h"

#include <algorithm>
#include <string_view>

#include "fuse/algebra/algebra.h"
#include "fuse/algebra/empty_terms.h"
#include "fuse/algebra/repeated_values.h"
#include "fuse/cascade/step_sums.h"
#include "fuse/cascades.h"
#include "fuse/constants/byte_extremes.h"
#include "fuse/constants/constant_rewrites.h"
#include "fuse/constants/dequantised.h"
#include "fuse/constants/fp16_shifts.h"
#include "fuse/constants/known_product.h"
#include "fuse/constants/known_values.h"
#include "fuse/constants/output_bytes.h"
#include "fuse/constants/signs.h"
#include "fuse/constants/stored_bytes.h"
#include "fuse/inlining.h"
#include "fuse/movement/branch_fills.h"
#include "fuse/movement/checked_sizes.h"
#include "fuse/movement/concat_rewrites.h"
#include "fuse/movement/demand_slicing.h"
#include "fuse/movement/fuse_copies.h"
#include "fuse/movement/overwrites.h"
#include "fuse/movement/push_through_concat.h"
#include "fuse/siblings/sibling_groups.h"

namespace burin {
namespace {

// A rewrite that asks no options.
template <void (*rewrite)(BlockSteps&, int)>
void plain(BlockSteps& block, int at, const FuseOptions&) {
  rewrite(block, at);
}

KernelGraph without_dead(KernelGraph graph, const FuseOptions&, Rewrites&) {
  return remove_dead(std::move(graph));
}

KernelGraph with_constants(KernelGraph graph, const FuseOptions&, Rewrites&) {
  return hoist_constants(std::move(graph));
}

constexpr Rewrite kRewrites[] = {
    {.name = "",
     .on = nullptr,
     .phase = Phase::before,
     .why = "nobody rewrites what nobody needs",
     .of_graph = without_dead},
    {.name = "",
     .on = nullptr,
     .phase = Phase::before,
     .why = "roundings of fp16 that show are there before rewrites look",
     .of_graph = [](KernelGraph graph, const FuseOptions&,
                    Rewrites&) { return with_rounded_shifts(std::move(graph)); },
     .applies = [](const FuseOptions& o) { return !o.fast_math; }},
    {.name = "symbols",
     .on = &FuseOptions::symbols,
     .phase = Phase::before,
     .why = "sizes that are equal are seen to be by all others",
     .of = "fusions of kernels whose sizes are not all numbers",
     .of_graph = [](KernelGraph graph, const FuseOptions&,
                    Rewrites&) { return with_checked_sizes(std::move(graph)); }},
    {.name = "empty-terms",
     .on = &FuseOptions::empty_terms,
     .phase = Phase::before,
     .why = "a convolution of one tap is a product to all others",
     .of = "of sums: terms that are zero for every result stay",
     .of_graph = [](KernelGraph graph, const FuseOptions&,
                    Rewrites&) { return without_empty_terms(std::move(graph)); }},
    {.name = "repeats",
     .on = &FuseOptions::repeats,
     .phase = Phase::before,
     .why = "what is left of a map is fused as a cheaper one",
     .of = "what neighbouring points compute alike: each computes it",
     .of_graph = [](KernelGraph graph, const FuseOptions&,
                    Rewrites&) { return with_values_once(std::move(graph)); },
     .applies = [](const FuseOptions& o) { return o.stores_repeats; }},
    {.name = "signs",
     .on = &FuseOptions::signs,
     .phase = Phase::before,
     .why = "what packs signs is fused with what makes them, what counts them with what follows",
     .of = "products of signs: floats are multiplied",
     .of_graph = [](KernelGraph graph, const FuseOptions& o,
                    Rewrites&) { return with_sign_products(std::move(graph), o.least_signs); },
     .applies = [](const FuseOptions& o) { return o.least_signs > 0; }},
    {.name = "movement",
     .on = &FuseOptions::movement,
     .phase = Phase::rounds,
     .why = "pieces are one load before anything reads them apart",
     .of_kernel = plain<gather_pieces>},
    {.name = "movement",
     .on = &FuseOptions::movement,
     .phase = Phase::rounds,
     .why = "behind slices",
     .of_kernel = plain<fuse_overwrite>},
    {.name = "movement",
     .on = &FuseOptions::movement,
     .phase = Phase::rounds,
     .why = "all others see the source of what moves",
     .of_kernel = inline_movement},
    {.name = "movement",
     .on = &FuseOptions::movement,
     .phase = Phase::rounds,
     .why = "readers have their indices now",
     .of_kernel = inline_known_pieces},
    {.name = "simplify",
     .on = &FuseOptions::simplify,
     .phase = Phase::rounds,
     .why = "a part of movement",
     .of = "indices that movement composes"},
    {.name = "integers",
     .on = &FuseOptions::integers,
     .phase = Phase::rounds,
     .why =
         "before epilogues: a map that dequantises would become a part of whoever makes the bytes",
     .of = "products of dequantised bytes",
     .of_kernel = plain<fuse_dequantised>,
     .applies = [](const FuseOptions& o) { return o.integer_products; }},
    {.name = "epilogue",
     .on = &FuseOptions::epilogue,
     .phase = Phase::rounds,
     .why = "a value that is there costs nothing",
     .of_kernel = fuse_epilogue},
    {.name = "rows",
     .on = &FuseOptions::rows,
     .phase = Phase::rounds,
     .why =
         "before prologues: a normalisation becomes one kernel, not a part of each of its readers",
     .of_kernel = fuse_rows},
    {.name = "prologue",
     .on = &FuseOptions::prologue,
     .phase = Phase::rounds,
     .why = "what no epilogue has taken",
     .of_kernel = inline_prologue},
    {.name = "movement",
     .on = &FuseOptions::movement,
     .phase = Phase::rounds,
     .why = "what makes the pieces is in the reduction now",
     .of_kernel = write_out_choices},
    {.name = "attention",
     .on = &FuseOptions::attention,
     .phase = Phase::rounds,
     .why = "softmax is one kernel by now",
     .of_kernel = fuse_attention},
    {.name = "attention",
     .on = &FuseOptions::attention,
     .phase = Phase::rounds,
     .why = "of attention that has been found",
     .of_kernel = fuse_positions},
    {.name = "fp16-weights",
     .on = &FuseOptions::fp16_weights,
     .phase = Phase::rounds,
     .why = "a part of attention",
     .of = "of attention, which stay unrounded"},
    {.name = "siblings",
     .on = &FuseOptions::siblings,
     .phase = Phase::rounds,
     .why = "functions behind the sums are in their kernels",
     .of_kernel = plain<fuse_siblings>},
    {.name = "siblings",
     .on = &FuseOptions::siblings,
     .phase = Phase::once,
     .why = "those that one kernel reads have found each other",
     .of_kernel = fuse_siblings_of_input,
     .applies = [](const FuseOptions& o) { return o.working_set_bytes > 0; }},
    {.name = "factors",
     .on = &FuseOptions::factors,
     .phase = Phase::once,
     .why = "what looks for sums of products alone has found them",
     .of_kernel = fuse_factor},
    {.name = "demand-slicing",
     .on = &FuseOptions::demand_slicing,
     .phase = Phase::once,
     .why = "from the last: the part of a part. After all whose forms have rows, one of which may "
            "be left",
     .of = "to what is read",
     .of_kernel = plain<slice_to_demand>,
     .from_last = true},
    {.name = "chains",
     .on = &FuseOptions::chains,
     .phase = Phase::once,
     .why = "rows have their final length",
     .of_kernel = fuse_chain,
     .applies = [](const FuseOptions& o) { return o.small_operations > 0; }},
    {.name = "concat",
     .on = &FuseOptions::concat_in_place,
     .phase = Phase::once,
     .why = "before parts have a place, where they can still be anything",
     .of_kernel = push_through_concat,
     .applies = [](const FuseOptions& o) { return o.epilogue; },
     .from_last = true},
    {.name = "concat",
     .on = &FuseOptions::concat_in_place,
     .phase = Phase::once,
     .why = "from the last: a concatenation takes in those that are parts of it",
     .of_kernel = plain<scatter_parts>,
     .from_last = true},
    {.name = "movement",
     .on = &FuseOptions::movement,
     .phase = Phase::once,
     .why = "what is not written in place is read in pieces",
     .of_kernel = inline_concat,
     .from_last = true},
    {.name = "movement",
     .on = &FuseOptions::movement,
     .phase = Phase::once,
     .why = "what nobody reads in pieces",
     .of_kernel = inline_copied_concat},
    {.name = "concat",
     .on = &FuseOptions::concat_in_place,
     .phase = Phase::once,
     .why = "what nobody has taken in",
     .of_kernel = plain<scatter_among_copies>,
     .from_last = true},
    {.name = "",
     .on = nullptr,
     .phase = Phase::constants,
     .why = "nobody computes what nobody needs",
     .of_graph = without_dead},
    {.name = "products",
     .on = &FuseOptions::known_products,
     .phase = Phase::constants,
     .why = "what reads them reads constants from here on",
     .of = "of constants",
     .of_graph =
         [](KernelGraph graph, const FuseOptions& o, Rewrites& made) {
           return with_known_products(std::move(graph), o.multiply_adds_per_byte, made);
         }},
    {.name = "hoist",
     .on = &FuseOptions::hoist_constants,
     .phase = Phase::constants,
     .why = "whole tensors before subexpressions",
     .of_graph = [](KernelGraph graph, const FuseOptions&,
                    Rewrites& made) { return with_known_values(std::move(graph), made); }},
    {.name = "",
     .on = nullptr,
     .phase = Phase::constants,
     .why = "before constants are computed: what it brings together is one of them",
     .of_graph = [](KernelGraph graph, const FuseOptions& o,
                    Rewrites& made) { return rewrite_algebra(std::move(graph), o, made); }},
    {.name = "associative",
     .on = &FuseOptions::associative,
     .phase = Phase::constants,
     .why = "a law of the arithmetic in front",
     .of = "order of arithmetic, as the next two"},
    {.name = "distributive",
     .on = &FuseOptions::distributive,
     .phase = Phase::constants,
     .why = "another"},
    {.name = "commutative",
     .on = &FuseOptions::commutative,
     .phase = Phase::constants,
     .why = "another"},
    {.name = "hoist",
     .on = &FuseOptions::hoist_constants,
     .phase = Phase::constants,
     .why = "all that brings constants together has done so",
     .of_graph = with_constants},
    {.name = "movement",
     .on = &FuseOptions::movement,
     .phase = Phase::constants,
     .why = "maps that have become constants",
     .of_kernel = inline_constant,
     .applies = [](const FuseOptions& o) { return o.hoist_constants; }},
    {.name = "hoist",
     .on = &FuseOptions::hoist_constants,
     .phase = Phase::constants,
     .why = "what these maps have made known",
     .of_graph = with_constants,
     .applies = [](const FuseOptions& o) { return o.movement; }},
    {.name = "scales",
     .on = &FuseOptions::fold_scales,
     .phase = Phase::constants,
     .why = "factors are constants now",
     .of_graph = [](KernelGraph graph, const FuseOptions& o,
                    Rewrites&) { return fold_scales(std::move(graph), o.fast_math); }},
    {.name = "hoist",
     .on = &FuseOptions::hoist_constants,
     .phase = Phase::constants,
     .why = "shifts that took a scale with them",
     .of_graph = with_constants,
     .applies = [](const FuseOptions& o) { return o.fold_scales; }},
    {.name = "fills",
     .on = &FuseOptions::early_fills,
     .phase = Phase::constants,
     .why = "what branches give is a constant or is not",
     .of = "of what branches give",
     .of_graph = [](KernelGraph graph, const FuseOptions&,
                    Rewrites&) { return with_early_fills(std::move(graph)); }},
    {.name = "",
     .on = &FuseOptions::step_sums,
     .phase = Phase::constants,
     .why = "once nobody else wants the sums",
     .of_kernel = plain<fuse_step_sums>},
    {.name = "stored-bytes",
     .on = &FuseOptions::stored_bytes,
     .phase = Phase::constants,
     .why = "everything stands where it is computed",
     .of = "of floats that are made of bytes: they are stored",
     .of_graph = [](KernelGraph graph, const FuseOptions& o,
                    Rewrites&) { return with_stored_bytes(std::move(graph), !o.bytes_in_vectors); },
     .applies = [](const FuseOptions& o) { return o.bytes_in_vectors || o.byte_products; }},
    {.name = "stored-bytes",
     .on = &FuseOptions::stored_bytes,
     .phase = Phase::constants,
     .why = "pools read bytes now",
     .of_graph = [](KernelGraph graph, const FuseOptions&,
                    Rewrites&) { return with_byte_extremes(std::move(graph)); },
     .applies = [](const FuseOptions& o) { return o.bytes_in_vectors || o.byte_products; }},
    {.name = "stored-bytes",
     .on = &FuseOptions::stored_bytes,
     .phase = Phase::constants,
     .why = "what is left of floats is what the network gives",
     .of_graph = [](KernelGraph graph, const FuseOptions&,
                    Rewrites&) { return with_bytes_before_outputs(std::move(graph)); },
     .applies = [](const FuseOptions& o) { return o.bytes_in_vectors; }},
    {.name = "row-epilogue",
     .on = &FuseOptions::row_epilogue,
     .phase = Phase::end,
     .why = "nobody looks for sums of products alone any more",
     .of = "rows of products",
     .of_kernel = fuse_row_epilogue,
     .applies = [](const FuseOptions& o) { return o.row_epilogue_bytes > 0; }},
    {.name = "back-to-back",
     .on = &FuseOptions::back_to_back,
     .phase = Phase::end,
     .why = "products have their row epilogues",
     .of = "products of the same rows",
     .of_kernel = fuse_back_to_back,
     .applies = [](const FuseOptions& o) { return o.row_epilogue_bytes > 0; }},
    {.name = "fused-copies",
     .on = &FuseOptions::fused_copies,
     .phase = Phase::end,
     .why = "what is left of concatenations, once products have their row epilogues",
     .of = "of copies",
     .of_kernel = fuse_copies,
     .applies = [](const FuseOptions& o) { return o.row_epilogue_bytes > 0; }},
};

}  // namespace

std::span<const Rewrite> rewrites() { return kRewrites; }

std::vector<FuseSwitch> fuse_switches() {
  std::vector<FuseSwitch> out;
  for (const Rewrite& one : kRewrites) {
    const std::string_view name = one.name;
    const auto same = [&](const FuseSwitch& known) { return known.name == name; };
    if (name.empty() || std::any_of(out.begin(), out.end(), same)) continue;
    out.push_back({one.name, one.on, one.of});
  }
  return out;
}

}  // namespace burin
