// What an operator does to layouts, and what follows for two of them, one after the other:
// SmartMem's Tables 3 to 6 and DNNFusion's mapping types. Both are read off the accesses of the
// kernels that an operator became; no operator is named.
#pragma once

#include <string_view>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// SmartMem Table 4. Fixed: the result holds elements of the operands, and the access alone says
// where. Dependent: what is read is not read in the order of the result (it is reduced, permuted,
// split, merged or repeated). Constants take part in neither: they can be laid out in any way.
enum class LayoutClass : uint8_t { ild_variable, ili_variable, ild_fixed, ili_fixed };
inline constexpr int kLayoutClasses = 4;

// Of the steps that one operator became: the most demanding one counts, in the order above.
// Procedures and regions are ild_variable: nothing is known about their order.
LayoutClass layout_class(const std::vector<const Step*>& steps, const std::vector<Value>& values);

// SmartMem Table 5.
enum class LayoutAction : uint8_t {
  keep_both,
  try_fuse,
  eliminate_first,
  eliminate_second,
  eliminate_both
};
LayoutAction action_of(LayoutClass first, LayoutClass second);

// SmartMem Table 6: whose layouts are searched, and the class of what is left. Nothing is left to
// classify where both go.
enum class LayoutSearch : uint8_t { both, fused, first, second, none };
struct LayoutResult {
  LayoutSearch search;
  LayoutClass left;
  bool is_defined;  // N/A: false
  bool operator==(const LayoutResult&) const = default;
};
LayoutResult result_of(LayoutClass first, LayoutClass second);

// DNNFusion: how elements of an operand and of the result correspond.
enum class Mapping : uint8_t { one_to_one, one_to_many, many_to_many, reorganize, shuffle };
inline constexpr int kMappings = 5;
Mapping mapping_of(const std::vector<const Step*>& steps, const std::vector<Value>& values);

// Its table of pairs: whether to fuse, and the mapping of the two as one.
enum class Fusion : uint8_t { always, profile, never };
struct MappingPair {
  Fusion fusion;
  Mapping fused;
  bool operator==(const MappingPair&) const = default;
};
MappingPair pair_of(Mapping first, Mapping second);

std::string_view to_string(LayoutClass one);   // "ILD & Variable"
std::string_view to_string(LayoutAction one);  // "eliminate 2nd"
std::string_view to_string(LayoutSearch one);  // "search fused"
std::string_view to_string(Mapping one);       // "one-to-one"
std::string_view to_string(Fusion one);        // "profile"

}  // namespace burin
