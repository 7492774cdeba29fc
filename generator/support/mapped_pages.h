// Large constants that stay on the disk until somebody looks at them. The bytes go to a temporary
// file without a name and come back as a read-only mapping, so that they take memory only while
// they are read. That keeps the generator's memory near the size of one tensor, however large the
// model is.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace burin {

// The deleter of owners whose bytes are a read-only mapping of a file that nobody writes: its pages
// can be dropped at any time, because reading brings them back.
struct MappedPages {
  std::function<void()> remove;
  void operator()(const void*) const { remove(); }
};

// A mapping with these bytes; null where no temporary file can be made, and for few bytes, which
// are better kept in memory.
std::shared_ptr<const void> move_to_disk(std::span<const std::byte> bytes);

// Says that these bytes of `owner` are not needed for now. Nothing happens unless they are mapped
// pages.
void forget_pages(const void* data, std::size_t bytes, const std::shared_ptr<const void>& owner);

}  // namespace burin
