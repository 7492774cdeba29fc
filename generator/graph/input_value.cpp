#include "graph/input_value.h"

#include <charconv>
#include <cmath>

#include "kernel/tensor.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int64_t kMostValues = 4096;

[[noreturn]] void refuse_value(const GraphValue& input, const std::string& why) {
  refuse("input", "input " + quoted(input.name) + " " + why,
         "give numbers with --input " + input.name + "=NUMBER, or several with commas");
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == ',') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

template <class T>
T number_of(const GraphValue& input, const std::string& text) {
  T number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || text.empty())
    refuse_value(input,
                 "cannot be " + quoted(text) + ": it is " + std::string(to_string(input.type)));
  return number;
}

int64_t integer_of(const GraphValue& input, const std::string& text) {
  if (input.type == Type::boolean) {
    if (text == "true" || text == "1") return 1;
    if (text == "false" || text == "0") return 0;
    refuse_value(input, "cannot be " + quoted(text) + ": it is a boolean");
  }
  const auto number = number_of<int64_t>(input, text);
  if (number < lowest(input.type) || number > highest(input.type))
    refuse_value(input, "cannot be " + text + ": it is " + std::string(to_string(input.type)));
  return number;
}

std::vector<int64_t> shape_for(const GraphValue& input, int64_t count) {
  if (!input.shape) return count == 1 ? std::vector<int64_t>{} : std::vector<int64_t>{count};
  std::vector<int64_t> shape;
  int64_t elements = 1;
  for (const Dim& dim : *input.shape) {
    if (!dim.is_constant() && input.shape->size() > 1)
      refuse_value(input, "has shape " + to_string(*input.shape) + ", which is open");
    shape.push_back(dim.is_constant() ? dim.constant() : count);
    if (shape.back() < 0 || shape.back() > kMostValues || elements * shape.back() > kMostValues)
      refuse_value(input, "has more than " + std::to_string(kMostValues) + " elements");
    elements *= shape.back();
  }
  if (count != elements && count != 1)
    refuse_value(input, "has " + std::to_string(elements) + " elements, " + std::to_string(count) +
                            " numbers are given");
  return shape;
}

}  // namespace

InputValue parse_input_value(const std::string& text) {
  const size_t cut = text.rfind('=');
  if (cut == std::string::npos || cut == 0 || cut + 1 == text.size())
    refuse("input", "--input " + quoted(text) + " is not NAME=NUMBERS", "as in --input sr=16000");
  return {text.substr(0, cut), text.substr(cut + 1)};
}

Tensor tensor_of(const GraphValue& input, const InputValue& value) {
  if (!input.container.empty() || input.type == Type::none || input.type == Type::string)
    refuse_value(input, "holds no numbers");
  const std::vector<std::string> texts = split_at_commas(value.numbers);
  const auto count = static_cast<int64_t>(texts.size());
  const std::vector<int64_t> shape = shape_for(input, count);
  int64_t elements = 1;
  for (const int64_t extent : shape) elements *= extent;
  const auto text_at = [&](int64_t i) { return texts[static_cast<size_t>(count == 1 ? 0 : i)]; };
  HostTensor host;
  if (is_float(input.type)) {
    std::vector<double> numbers;
    for (int64_t i = 0; i < elements; ++i) numbers.push_back(number_of<double>(input, text_at(i)));
    host = make_tensor(input.type, shape, numbers);
  } else {
    std::vector<int64_t> numbers;
    for (int64_t i = 0; i < elements; ++i) numbers.push_back(integer_of(input, text_at(i)));
    host = make_tensor(input.type, shape, numbers);
  }
  return {host.type, host.shape, to_constant(host), {}};
}

}  // namespace burin
