// What a kernel does at single points, by evaluation: the checker's view of addresses. Shares
// nothing with the planner, which proves the same symbolically (plan/memory/address.h).
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

using Point = std::vector<int64_t>;  // one entry per axis of the kernel

// One choice of sizes: what every symbol is.
using Sizes = std::function<int64_t(const Symbol&)>;

// Evaluates at a point; nullopt where the index loads data.
std::optional<int64_t> evaluate_at(const Index& index, const Point& point, const Sizes& sizes);

// Points of the axes `over`: all, where there are few, otherwise the corners of every axis and
// others spread between them.
std::vector<Point> sample_points(const Kernel& kernel, const std::vector<int>& over,
                                 const Sizes& sizes);

// Element address of a write or a load at a point.
std::optional<int64_t> address_at(const std::vector<Index>& at, const std::vector<Dim>& shape,
                                  const Point& point, const Sizes& sizes);

// Where a value lies: the space (kNoValue: the arena, else an input or output) and the byte in it.
struct Place {
  ValueId space = kNoValue;
  int64_t byte = 0;
};
using Places = std::function<Place(ValueId)>;

// Each function gives an empty text, or what is wrong.

// The kernel only stores elements to where they already lie.
std::string check_identity(const Kernel& kernel, const std::vector<Value>& values,
                           const Places& places, const Sizes& sizes);

// Every point reads `from` only at the bytes that this point then writes to `to`. What becomes of
// let number `row_let` (-1: there is none) is read back from memory, all of a row at a time, before
// anything else of the row is written.
std::string check_in_place(const Kernel& kernel, ValueId to, ValueId from,
                           const std::vector<Value>& values, const Places& places,
                           const Sizes& sizes, int row_let = -1);

// The bits of the value between which the kernel writes at the points that are tried; nullopt where
// an address depends on data.
std::optional<std::pair<int64_t, int64_t>> written_bits(const Kernel& kernel, ValueId value,
                                                        const std::vector<Value>& values,
                                                        const Sizes& sizes);

// The kernel stores every element of the value.
bool covers_all(const Kernel& kernel, ValueId value, const std::vector<Value>& values,
                const Sizes& sizes);

}  // namespace burin
