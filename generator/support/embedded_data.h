// The table that generator/embed.cmake writes; support/embedded.h is its interface.
#pragma once

#include <cstddef>
#include <string_view>

namespace burin {

struct EmbeddedFile {
  std::string_view path;
  const unsigned char* bytes;
  size_t size;
};

extern const EmbeddedFile kEmbeddedFiles[];  // sorted by path
extern const size_t kEmbeddedFileCount;

}  // namespace burin
