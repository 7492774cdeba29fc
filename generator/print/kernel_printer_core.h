// The class that prints kernels: parameters, formula, and a program as the body
// (program_printer.h). Launches of devices take its parameters and names
// (backends/opencl/launch_function.h).
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "kernel/expr/expr_text.h"
#include "kernel/layout.h"
#include "print/expr_printer.h"
#include "print/kernel_printer.h"
#include "select/axes/guards.h"
#include "support/check.h"

namespace burin::print {

// Whether `text` has `name` as a whole word.
bool mentions(std::string_view text, std::string_view name);

class KernelPrinter {
 public:
  KernelPrinter(const KernelSchedule& schedule, const std::vector<Value>& values,
                const Language& language)
      : schedule_(schedule),
        kernel_(schedule.kernel),
        values_(values),
        language_(language),
        index_type_(language.index_type(schedule.index_bits)) {}
  PrintedKernel run(const std::vector<ValueId>& aliased);

  // --- Parameters ---
  void find_parameters();
  void collect_shape_symbols(ValueId id);
  const Value& value(ValueId id) const { return values_[static_cast<size_t>(id)]; }
  static int position(const std::vector<ValueId>& list, ValueId id);
  std::string value_name(ValueId id) const;
  std::string symbol_name(const Symbol& symbol) const;
  std::vector<std::string> signature(const std::vector<ValueId>& aliased) const;

  // The parameters that say which points a call has.
  std::vector<std::string> bounds() const;

  const KernelParameters& parameters() const { return out_.parameters; }
  const std::string& index_type() const { return index_type_; }
  std::string axis_name(int axis) const { return "i" + std::to_string(axis); }
  std::string let_name(int let, int component) const;
  std::vector<Index> own_point(int let) const;
  void mark_unused();

  // --- The cascade over the names of the parameters, for people (formula.cpp) ---
  std::vector<std::string> formula() const;
  std::vector<std::string> formula_parts() const;
  TextNames formula_names() const;

 private:
  const KernelSchedule& schedule_;
  const Kernel& kernel_;
  const std::vector<Value>& values_;
  TextBuilder text_;
  PrintedKernel out_;
  const Language& language_;
  const std::string index_type_;
};

}  // namespace burin::print
