// Prints a scheduled kernel as one function of a language: any kernel of any family and type.
// Nothing is decided here.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "print/headers.h"
#include "print/language.h"
#include "select/schedule/kernel_schedule.h"

namespace burin::print {

// One parameter of an emitted kernel, in order: values read, values written, sizes, scratch.
struct KernelParameters {
  std::vector<ValueId> reads;  // in order of appearance
  std::vector<ValueId> writes;
  std::vector<Symbol> symbols;
  std::vector<std::string> symbol_names;  // in the function
  std::map<ValueId, std::string> names;   // of values there
  bool scratch = false;
};

// Of a launch with several members (select/joint/launch_groups.h): a function that members call,
// and a member: which work-groups of the launch are its own, and what its function gets.
struct MemberFunction {
  std::string body;
  std::vector<std::string> signature;
};
struct PrintedMember {
  std::string condition;  // of its work-groups
  size_t function = 0;    // index into PrintedKernel::functions
  std::vector<std::string> arguments;
  KernelParameters parameters;
};

struct PrintedKernel {
  std::string body;                    // from behind the opening brace of the function on
  std::vector<std::string> signature;  // its parameters: "const float* input", "float* output"
  KernelParameters parameters;
  Headers headers;                   // of runtime_min
  std::vector<std::string> formula;  // the cascade over the names of the parameters, line by line
  std::vector<std::string> formula_parts{};  // operands in these lines that may get names
  std::vector<MemberFunction> functions;     // of several members; then `body` is what comes before
  std::vector<PrintedMember> members;  // one of them is chosen, and `parameters` has all values
};

// `aliased`: values that the memory plan lets share bytes with another operand of this kernel;
// their pointers are not declared restrict.
PrintedKernel print_kernel(const KernelSchedule& schedule, const std::vector<Value>& values,
                           const std::vector<ValueId>& aliased, const Language& language);

}  // namespace burin::print
