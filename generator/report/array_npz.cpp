// .npz: a zip archive of .npy files, as numpy.savez and numpy.savez_compressed write it. The
// archive is minizip's business.
#include <minizip/unzip.h>

#include <memory>

#include "report/array_kinds.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

struct Close {
  void operator()(void* archive) const { unzClose(archive); }
};
using Archive = std::unique_ptr<void, Close>;

Archive opened(const std::string& path) {
  Archive archive(unzOpen64(path.c_str()));
  if (!archive) refuse("io", "is no .npz file");
  return archive;
}

struct Entry {
  std::string name;  // without ".npy"
  uint64_t bytes = 0;
};

Entry current(const Archive& archive) {
  char name[1024] = {};
  unz_file_info64 info{};
  if (unzGetCurrentFileInfo64(archive.get(), &info, name, sizeof name - 1, nullptr, 0, nullptr,
                              0) != UNZ_OK)
    refuse("io", "is a broken archive");
  Entry out{name, info.uncompressed_size};
  if (out.name.ends_with(".npy")) out.name.resize(out.name.size() - 4);
  return out;
}

// Calls `each` with every entry while it is the current one, until it returns true.
template <typename Each>
bool walk(const Archive& archive, const Each& each) {
  for (int at = unzGoToFirstFile(archive.get()); at == UNZ_OK;
       at = unzGoToNextFile(archive.get())) {
    if (each(current(archive))) return true;
  }
  return false;
}

std::string bytes_of(const Archive& archive, const Entry& entry) {
  if (entry.bytes > static_cast<uint64_t>(kMostArrayBytes)) refuse("io", "is larger than 4 GiB");
  if (unzOpenCurrentFile(archive.get()) != UNZ_OK) refuse("io", "is a broken archive");
  // In pieces: what an entry says of its length may be far from what it holds.
  constexpr unsigned kPiece = 1 << 20;
  std::string out;
  for (int got = 1; got > 0;) {
    const size_t before = out.size();
    out.resize(before + kPiece);
    got = unzReadCurrentFile(archive.get(), out.data() + before, kPiece);
    out.resize(before + static_cast<size_t>(std::max(0, got)));
    if (got < 0 || out.size() > entry.bytes) refuse("io", "is a broken archive");
  }
  if (unzCloseCurrentFile(archive.get()) != UNZ_OK || out.size() != entry.bytes)
    refuse("io", "is a broken archive");
  return out;
}

}  // namespace

std::vector<std::string> npz_names(const std::string& path) {
  return located({.file = path}, [&] {
    std::vector<std::string> out;
    walk(opened(path), [&](const Entry& entry) { return out.push_back(entry.name), false; });
    return out;
  });
}

HostTensor read_npz(const std::string& path, const ArrayForm& form) {
  const std::string& name = form.name;
  const Archive archive = opened(path);
  Entry found;
  if (walk(archive, [&](const Entry& one) { return found = one, one.name == name; }))
    return read_npy(bytes_of(archive, found), form);
  std::string names;
  int count = 0;
  walk(archive, [&](const Entry& one) {
    names += (count++ ? ", " : "") + burin::quoted(one.name);
    return false;
  });
  if (count != 1)
    refuse("io", "has no array " + burin::quoted(name), count ? "it has " + names : "it is empty");
  unzGoToFirstFile(archive.get());
  return read_npy(bytes_of(archive, current(archive)), form);
}

}  // namespace burin
