// Sizes that are not numbers: the named dimensions of the inputs, and placeholders for what a
// declared shape leaves open.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "import/dims.h"
#include "import/fresh_names.h"
#include "import/messages.h"
#include "kernel/index/index.h"

namespace burin {

// What one dimension of a shape says. Nothing where the number is -1, where the name is a word for
// that ("?", "None"), or where a tool made it up and it stands on two axes of the tensor
// ("unk__12"): such an axis has a size of its own.
DimensionMessage meant_dimension(const std::vector<DimensionMessage>& shape, size_t axis);

class Symbols {
 public:
  // `least`: the smallest size of a dimension that no binding bounds.
  explicit Symbols(const std::vector<DimBinding>& bindings, int64_t least = 1)
      : bindings_(bindings), least_(least) {}

  // Names that dim_param entries of the inputs use, so that no made-up name takes one of them.
  void reserve(std::string_view name) { fresh_.reserve(std::string(name)); }

  // A dimension of an input of the model: a param symbol of that name, `<input>_<axis>` when it has
  // none.
  Dim input(const DimensionMessage& dimension, std::string_view input, size_t axis);
  // What --dim says about `name`, which is the length of a container, where that is one number.
  std::optional<int64_t> length(const std::string& name);
  // A number of things, 0 to `most`, that the caller gives: a param symbol called `name`, or like
  // it where a dimension has that name.
  Dim count(const std::string& name, int64_t most = kUnbounded);
  // A dimension of another value: the symbol of an input where it names one, else an unknown symbol
  // (equal names, equal symbols; unnamed ones are all different).
  Dim inner(const DimensionMessage& dimension, std::string_view value, size_t axis);
  // A dimension inside a nested block, where names of the model's inputs do not count.
  Dim nested(const DimensionMessage& dimension, std::string_view value, size_t axis);

  // The param symbols in order of appearance, without those that a binding fixes.
  const std::vector<Symbol>& params() const { return params_; }
  // Refuses as symbol bindings of one name twice and, with `all_taken`, those that no input's
  // dimension took.
  void check_bindings(bool all_taken) const;
  std::vector<DimBinding> other_bindings() const;  // that no input's dimension took
  const std::vector<std::string>& names() const { return names_; }  // of all dimensions of inputs

 private:
  Dim param(const std::string& name, SymbolInfo info);
  Dim unknown(std::string_view value, size_t axis);

  const std::vector<DimBinding>& bindings_;
  int64_t least_;
  std::vector<std::string> names_;  // of all params, the fixed ones too
  std::vector<Symbol> params_;
  std::map<std::string, Dim, std::less<>> by_name_;          // params
  std::map<std::string, Dim, std::less<>> unknown_by_name_;  // dim_param names that no input has
  FreshNames fresh_;
};

}  // namespace burin
