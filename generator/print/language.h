// How one language of the C family spells what expressions, loops and kernels are made of. The
// printers of this folder walk programs and ask a Language for every type, operation, parameter
// and conversion. Each backend has its own: C++ (backends/cpp), OpenCL C (backends/opencl).
#pragma once

#include <string>
#include <string_view>

#include "kernel/expr/expr.h"
#include "loops/program.h"
#include "print/headers.h"

namespace burin::print {

// An element in memory: how it is stored, and the type in which a kernel has it.
struct Held {
  Type storage, compute;
};

// A pointer to elements of a type that starts at bytes of scratch.
struct ScratchPointer {
  std::string type, name, from;
};

class Language {
 public:
  virtual ~Language() = default;

  virtual std::string_view compute_name(Type type) const = 0;  // "float", "bool", "int32_t"
  virtual std::string_view index_type(int bits) const = 0;     // of 32 or 64 bits: "int64_t"
  // In front of a variable that may not be used; empty where nobody warns.
  virtual std::string_view maybe_unused() const = 0;

  // Texts of operations on operands that are already texts. Headers that they need are added.
  virtual std::string unary(Unary op, Type type, const std::string& a, Headers& headers) const = 0;
  virtual std::string binary(Binary op, Type type, const std::string& a, const std::string& b,
                             Headers& headers) const = 0;
  virtual std::string cast(Type from, Type to, CastMode mode, const std::string& a,
                           Headers& headers) const = 0;
  // a * b + c of f32, rounded once; of languages that have such kernels.
  virtual std::string fused(const std::string&, const std::string&, const std::string&,
                            Headers&) const {
    return no_form();
  }
  // From f32, where fp16 is computed with.
  virtual std::string to_fp16(const std::string& a, Headers& headers) const = 0;
  virtual std::string constant(const ExprNode& constant, Headers& headers) const = 0;
  virtual std::string converted(std::string_view type, const std::string& a) const = 0;

  // Elements in memory: one of a storage type at an index of a pointer; its value; the statement
  // that stores a value there.
  virtual std::string element(Held held, const std::string& pointer,
                              const std::string& index) const = 0;
  virtual std::string load(Held held, const std::string& element, Headers& headers) const = 0;
  virtual std::string store(Held held, const std::string& element, const std::string& value,
                            Headers& headers) const = 0;
  // Whether one element becomes another of the same type by an assignment.
  virtual bool assigns(Held) const { return true; }

  // Of integers of an index type: division rounded down, its remainder; the less, the greater.
  virtual std::string floor_divide(const std::string& type, const std::string& a,
                                   const std::string& b, Headers& headers) const = 0;
  virtual std::string floor_mod(const std::string& type, const std::string& a, const std::string& b,
                                Headers& headers) const = 0;
  virtual std::string least(const std::string& type, const std::string& a, const std::string& b,
                            Headers& headers) const = 0;
  virtual std::string greatest(const std::string& type, const std::string& a, const std::string& b,
                               Headers& headers) const = 0;

  // Parameters of a kernel: a tensor, which is only read or written, and whether nothing else
  // points into it; the scratch. A pointer to elements of `type` that starts at bytes of scratch.
  virtual std::string tensor_parameter(Type type, const std::string& name, bool written,
                                       bool alone) const = 0;
  virtual std::string scratch_parameter(const std::string& name) const = 0;
  virtual std::string scratch_pointer(std::string_view type, const std::string& name,
                                      const std::string& bytes) const = 0;
  // The line that begins a function of its own with such pointers, which share no bytes, and the
  // one that ends and calls it.
  virtual std::string function_of_pointers(const std::vector<ScratchPointer>&) const {
    return no_form();
  }
  virtual std::string call_of_pointers(const std::vector<ScratchPointer>&) const {
    return no_form();
  }

  // Of a program's buffers: an element in memory, an array of a function, a vector or a matrix in
  // registers; in front of a loop that is written out.
  virtual std::string storage_name(Type type) const = 0;
  virtual std::string stack_array(Type type, const std::string& name, int64_t elements) const = 0;
  virtual std::string vector_name(Type type, int64_t lanes, Headers& headers) const = 0;
  virtual std::string matrix_name(Type type, int64_t rows, int64_t columns,
                                  Headers& headers) const = 0;
  virtual std::string unroll(int64_t rounds) const = 0;
  // In front of a loop whose points may run in any order.
  virtual std::string independent(Headers& headers) const = 0;
  // The line that begins a function of its own inside of another, which knows all that stands
  // before it and may have an array of the other's under a name of its own; "});" ends it.
  virtual std::string outlined_function(Headers& headers) const = 0;
  virtual std::string outlined_function(Type type, const std::string& array, const std::string& own,
                                        Headers& headers) const = 0;

  // Of a device: where all work-items of a group wait for each other; a texel's place in its image,
  // and a component of it.
  virtual std::string barrier() const { return no_form(); }
  // Four neighbours at once, from `from` to `to`; pointers are "&x[4 * i]".
  struct Neighbours {
    Type type;
    loops::Scope scope;
    std::string pointer;
  };
  virtual std::string move_four(const Neighbours&, const Neighbours&, Headers&) const {
    return no_form();
  }
  virtual std::string texel_place(const std::string&, const std::string&) const {
    return no_form();
  }
  virtual std::string component(const std::string& image, const std::string& place,
                                const std::string& component, Headers& headers) const;

 private:
  static std::string no_form();
};

}  // namespace burin::print
