// What is known before the run of a tensor's elements one by one, where OpContext::known says
// nothing because some are not.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "kernel/symbolic/symbolic.h"
#include "ops/api/core/op_context.h"

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
  // What is known after `steps` of `tensors`, which are all that these read and more, and of what
  // they write, where the only element of each tensor in `before` is as it says.
  virtual std::map<ValueId, SymbolicElements> known_after(
      const Steps& steps, const std::set<ValueId>& tensors,
      const std::map<ValueId, Dim>& before) const = 0;
  // The integer `value`, without axes, where this is known of what it loads. nullopt: not known.
  virtual std::optional<Dim> integer_of(const Expr& value,
                                        const std::map<ValueId, SymbolicElements>& known) const = 0;
  // What an integer, without axes, is never above (kernel/symbolic/element_ranges.h); nullopt: no
  // size is.
  virtual std::optional<Dim> most(const Expr& value) const = 0;
  // What all elements of a tensor lie between, where those of tensors in `assumed` do as it says.
  virtual std::optional<ElementBounds> range_of(
      const Operand& tensor, const std::map<ValueId, ElementBounds>& assumed) const = 0;
  // Whether the tensor is one integer of which nothing is known.
  virtual bool is_unknown_integer(ValueId id) const = 0;
};

// The same context (generator/lower).
const ElementContext& elements_of(const OpContext& op);

}  // namespace burin
