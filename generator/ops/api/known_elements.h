// What is known before the run of a tensor's elements one by one, where OpContext::known says
// nothing because some are not.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "ops/api/op_context.h"

namespace burin {

class ElementContext {
 public:
  virtual ~ElementContext() = default;
  // Of input i, row-major; an empty list where no element is known.
  virtual std::vector<std::optional<Dim>> known_elements(int i) const = 0;
  // The same of floats that are numbers.
  virtual std::vector<std::optional<double>> known_numbers(int i) const = 0;
  // Of input i, of however many integers: the number that all of them are; nullopt: not known.
  virtual std::optional<int64_t> filled_with(int i) const = 0;
  // The integer `value`, without axes, after `steps`, where the only element of each tensor in
  // `before` is as it says. nullopt: not known.
  virtual std::optional<Dim> integer_after(const Steps& steps, const std::map<ValueId, Dim>& before,
                                           const Expr& value) const = 0;
  // Whether the tensor is one integer of which nothing is known.
  virtual bool is_unknown_integer(ValueId id) const = 0;
};

// The same context (generator/lower).
const ElementContext& elements_of(const OpContext& op);

}  // namespace burin
