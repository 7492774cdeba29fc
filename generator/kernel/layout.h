// Layout: how a tensor lies in memory. A permutation of its axes, and blocks that some of them are
// cut into: the axis's place holds the number of the block, the place within it comes last.
// NCHW[16]c is order 0 1 2 3 with axis 1 in blocks of 16; a weight panel of 12 rows is order m k
// with m in blocks of 12. The last block of an axis is padded, so a blocked tensor may take more
// bytes than it has elements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/index/index.h"

namespace burin {

struct Layout {
  struct Block {
    int axis = 0;
    int64_t factor = 1;
    bool operator==(const Block&) const = default;
  };
  std::vector<int> order;     // of all axes, outermost first; empty: as they are
  std::vector<Block> blocks;  // inside all axes, outermost first; an axis at most once
  bool is_row_major() const { return order.empty() && blocks.empty(); }
  bool operator==(const Layout&) const = default;
};

// The extents in memory, outermost first.
std::vector<Dim> physical_shape(const Layout& layout, const std::vector<Dim>& shape);
// Elements that the tensor takes, padding included.
Dim physical_elements(const Layout& layout, const std::vector<Dim>& shape);

// Where the element at `at` lies, in elements. One-to-one over the shape.
Index address(const Layout& layout, const std::vector<Dim>& shape, const std::vector<Index>& at);

// "row-major", "0 1/16 2 3 [16]": the axes in order, blocked ones with their factor.
std::string to_string(const Layout& layout);
// The same backwards, for a tensor of this rank; nullopt where the text is no layout of it.
std::optional<Layout> layout_from_string(std::string_view text, size_t rank);

// Row-major strides of a shape in elements, the address of a point, and the point at an address.
std::vector<Dim> row_major_strides(const std::vector<Dim>& shape);
Index linearize(const std::vector<Index>& at, const std::vector<Dim>& shape);
std::vector<Index> delinearize(const Index& linear, const std::vector<Dim>& shape);

}  // namespace burin
