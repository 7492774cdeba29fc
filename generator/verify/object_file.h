// What an object file holds, by its sections.
#pragma once

#include <cstdint>
#include <string>

namespace burin {

struct ObjectSizes {
  int64_t code = 0;       // executable sections
  int64_t constants = 0;  // of the others, those that are loaded and not written
  bool operator==(const ObjectSizes&) const = default;
};

// ELF of 32 or 64 bits, little-endian; false: the bytes are no such file.
bool read_object_sizes(const std::string& bytes, ObjectSizes& out);

}  // namespace burin
