#include "verify/object_file.h"

#include <string_view>

namespace burin {
namespace {

// Fields at their places in the file; outside of it they are 0.
class Fields {
 public:
  explicit Fields(const std::string& bytes) : bytes_(bytes) {}
  uint64_t at(uint64_t place, int size) const {
    uint64_t out = 0;
    for (int i = 0; i < size; ++i) {
      if (place + static_cast<uint64_t>(i) < bytes_.size())
        out |= uint64_t{static_cast<unsigned char>(bytes_[place + static_cast<uint64_t>(i)])}
               << (8 * i);
    }
    return out;
  }

 private:
  const std::string& bytes_;
};

constexpr uint64_t kNoBits = 8, kWrite = 1, kAlloc = 2, kExecutable = 4;

}  // namespace

bool read_object_sizes(const std::string& bytes, ObjectSizes& out) {
  constexpr std::string_view kMagic =
      "\x7f"
      "ELF";
  constexpr size_t kClass = 4, kData = 5;
  if (bytes.size() < 64 || !std::string_view(bytes).starts_with(kMagic) || bytes[kData] != 1)
    return false;
  const bool wide = bytes[kClass] == 2;
  const Fields fields(bytes);
  const uint64_t table = wide ? fields.at(0x28, 8) : fields.at(0x20, 4);
  const uint64_t each = fields.at(wide ? 0x3a : 0x2e, 2), count = fields.at(wide ? 0x3c : 0x30, 2);
  out = {};
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = table + i * each;
    const uint64_t type = fields.at(at + 4, 4), flags = fields.at(at + 8, wide ? 8 : 4);
    const auto size =
        static_cast<int64_t>(wide ? fields.at(at + 0x20, 8) : fields.at(at + 0x14, 4));
    if ((flags & kAlloc) == 0 || type == kNoBits) continue;
    if (flags & kExecutable) {
      out.code += size;
    } else if (!(flags & kWrite)) {
      out.constants += size;
    }
  }
  return true;
}

}  // namespace burin
