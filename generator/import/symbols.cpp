#include "import/symbols.h"

#include <algorithm>

#include "support/diagnostics.h"

namespace burin {
namespace {

Dim checked_size(int64_t size, size_t axis) {
  if (size < 0) {
    refuse("symbol", "dimension " + std::to_string(axis) + " is " + std::to_string(size),
           "a size that is not known before the run has a name (dim_param) or nothing");
  }
  return Dim(size);
}

void check_size(const DimBinding& binding) {
  const int64_t least = binding.min == DimBinding::kOpen ? binding.max : binding.min;
  if (least < 0)
    refuse("symbol", "--dim " + quoted(binding.name) + ": " + std::to_string(least) +
                         " is not the size of a dimension");
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// A word for "no name".
bool names_nothing(std::string_view name) {
  static constexpr std::string_view kWords[] = {"none", "null", "nil",     "nan",      "-1",
                                                "unk",  "n/a",  "unknown", "undefined"};
  return name.find_first_not_of("?*-_. ") == std::string_view::npos ||
         std::find(std::begin(kWords), std::end(kWords), lower_case(name)) != std::end(kWords);
}

// "unk__12", as converters number what they do not know, and "dynamic", a word for any size.
bool is_made_up(std::string_view name) {
  static constexpr std::string_view kWords[] = {"dynamic",  "dyn",  "any",      "var",
                                                "variable", "open", "symbolic", "unspecified"};
  if (std::find(std::begin(kWords), std::end(kWords), lower_case(name)) != std::end(kWords))
    return true;
  const size_t digits = name.find_last_not_of("0123456789") + 1;
  const std::string stem = lower_case(name.substr(0, digits));
  return digits < name.size() && (stem == "unk__" || stem == "unk_" || stem == "unknown_" ||
                                  stem == "unknown" || stem == "unk");
}

}  // namespace

DimensionMessage meant_dimension(const std::vector<DimensionMessage>& shape, size_t axis) {
  DimensionMessage out = shape[axis];
  if (out.value == -1) out.value.reset();
  const auto twice = std::count_if(shape.begin(), shape.end(), [&](const DimensionMessage& one) {
    return one.name == out.name;
  });
  if (names_nothing(out.name) || (twice > 1 && is_made_up(out.name))) out.name = {};
  return out;
}

Dim Symbols::param(const std::string& name, SymbolInfo info) {
  if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
  const int64_t most = info.max;
  for (const DimBinding& binding : bindings_) {
    if (binding.name != name) continue;
    check_size(binding);
    info.min =
        binding.min == DimBinding::kOpen ? std::min<int64_t>(info.min, binding.max) : binding.min;
    if (binding.max > most && binding.max != kUnbounded) {
      refuse("symbol", quoted(binding.name) + " is at most " + std::to_string(most) +
                           ", and is given as up to " + std::to_string(binding.max));
    }
    info.max = std::min(most, binding.max);
    info.hint = binding.hint;
  }
  const auto symbol = std::make_shared<const SymbolInfo>(std::move(info));
  if (symbol->min != symbol->max) params_.push_back(symbol);
  names_.push_back(name);
  return by_name_.emplace(name, Index::symbol(symbol)).first->second;
}

Dim Symbols::unknown(std::string_view value, size_t axis) {
  const std::string name = fresh_.make(std::string(value) + "?" + std::to_string(axis), "?");
  return Index::symbol(std::make_shared<const SymbolInfo>(
      SymbolInfo{name, SymbolOrigin::unknown, 0, kUnbounded, 0}));
}

Dim Symbols::input(const DimensionMessage& dimension, std::string_view input, size_t axis) {
  if (dimension.value) return checked_size(*dimension.value, axis);
  std::string name(dimension.name);
  if (name.empty()) name = fresh_.make(std::string(input) + "_" + std::to_string(axis), "_");
  return param(name, {name, SymbolOrigin::param, least_, kUnbounded, 0});
}

Dim Symbols::count(const std::string& name, int64_t most) {
  const std::string fresh = fresh_.make(name, "_");
  return param(fresh, {fresh, SymbolOrigin::param, 0, most, 0});
}

std::optional<int64_t> Symbols::length(const std::string& name) {
  names_.push_back(name);
  for (const DimBinding& binding : bindings_) {
    if (binding.name != name) continue;
    check_size(binding);
    if (binding.min == binding.max) return binding.max;
  }
  return std::nullopt;
}

Dim Symbols::inner(const DimensionMessage& dimension, std::string_view value, size_t axis) {
  if (dimension.value && *dimension.value >= 0) return Dim(*dimension.value);
  if (dimension.name.empty()) return unknown(value, axis);
  if (const auto found = by_name_.find(dimension.name); found != by_name_.end())
    return found->second;
  const auto found = unknown_by_name_.find(dimension.name);
  if (found != unknown_by_name_.end()) return found->second;
  return unknown_by_name_.emplace(std::string(dimension.name), unknown(value, axis)).first->second;
}

Dim Symbols::nested(const DimensionMessage& dimension, std::string_view value, size_t axis) {
  if (dimension.value && *dimension.value >= 0) return Dim(*dimension.value);
  return unknown(value, axis);
}

std::vector<DimBinding> Symbols::other_bindings() const {
  std::vector<DimBinding> out;
  for (const DimBinding& binding : bindings_) {
    if (std::find(names_.begin(), names_.end(), binding.name) == names_.end())
      out.push_back(binding);
  }
  return out;
}

void Symbols::check_bindings(bool all_taken) const {
  for (size_t i = 0; i < bindings_.size(); ++i) {
    const std::string& name = bindings_[i].name;
    for (size_t j = 0; j < i; ++j) {
      if (bindings_[j].name == name) refuse("symbol", "--dim " + quoted(name) + " is given twice");
    }
    if (!all_taken || std::find(names_.begin(), names_.end(), name) != names_.end()) continue;
    std::string list;
    constexpr size_t kShown = 16;
    for (size_t n = 0; n < names_.size() && n < kShown; ++n) {
      list += (n > 0 ? ", " : "") + quoted(names_[n]);
    }
    if (names_.size() > kShown) list += ", ...";
    refuse("symbol", "no input has a dimension named " + quoted(name),
           names_.empty() ? "all inputs have fixed sizes" : "the model has: " + list);
  }
}

}  // namespace burin
