#include "import/dims.h"

#include <charconv>

#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr std::string_view kForms =
    "the forms are name=N, name=LO..HI, name=LO.., name=..HI and, with the size to optimise for, "
    "name=LO..HI@HINT";

int64_t parse_size(std::string_view digits, std::string_view whole) {
  int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end || value == DimBinding::kOpen) {
    const bool large = error == std::errc::result_out_of_range && digits[0] != '-';
    refuse("symbol",
           "--dim " + quoted(whole) + ": " + quoted(digits) +
               (large ? " is larger than 9223372036854775807" : " is no number"),
           std::string(kForms));
  }
  return value;
}

}  // namespace

DimBinding parse_dim_binding(std::string_view text) {
  const size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) {
    refuse("symbol", "--dim " + quoted(text) + " names no dimension", std::string(kForms));
  }
  DimBinding binding;
  binding.name = text.substr(0, equals);
  std::string_view sizes = text.substr(equals + 1);
  const size_t at = sizes.find('@');
  if (at != std::string_view::npos) {
    binding.hint = parse_size(sizes.substr(at + 1), text);
    sizes = sizes.substr(0, at);
  }
  const size_t dots = sizes.find("..");
  binding.min = dots == 0 ? DimBinding::kOpen : parse_size(sizes.substr(0, dots), text);
  if (dots == std::string_view::npos) {
    binding.max = binding.min;
  } else if (dots == 0 || dots + 2 < sizes.size()) {
    binding.max = parse_size(sizes.substr(dots + 2), text);
  }
  if (binding.min > binding.max) {
    refuse("symbol", "--dim " + quoted(text) + ": the range is empty", std::string(kForms));
  }
  if (at != std::string_view::npos && (binding.hint < binding.min || binding.hint > binding.max)) {
    refuse("symbol", "--dim " + quoted(text) + ": the hint lies outside the range",
           std::string(kForms));
  }
  return binding;
}

}  // namespace burin
