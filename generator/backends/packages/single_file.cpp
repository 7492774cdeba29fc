// All sources of a tree's library as one: headers of the tree stand where they are included first.
#include <set>

#include "backends/packages/packages.h"
#include "render/printed_code.h"
#include "support/check.h"

namespace burin::packages {
namespace {

class Joined {
 public:
  explicit Joined(const SourceTree& tree) : tree_(tree) {}

  std::string text;

  void add(const std::string& path) {
    if (!seen_.insert(path).second) return;
    const std::string folder = path.substr(0, path.rfind('/') + 1), bytes = bytes_of(path);
    for (size_t at = 0; at < bytes.size();) {
      const size_t end = std::min(bytes.find('\n', at), bytes.size());
      line(bytes.substr(at, end - at), folder);
      at = end + 1;
    }
  }

 private:
  std::string bytes_of(const std::string& path) const {
    const SourceTree::Entry& entry = tree_.entries().at(path);
    if (!entry.stream) return entry.bytes;
    std::string out;
    entry.stream([&](std::string_view bytes) { out += bytes; });
    return out;
  }

  void line(const std::string& one, const std::string& folder) {
    constexpr std::string_view kInclude = "#include \"";
    if (!one.starts_with(kInclude)) {
      text += one + "\n";
      return;
    }
    const std::string name = one.substr(kInclude.size(), one.rfind('"') - kInclude.size());
    const std::string place = resolved(folder + name);
    add(tree_.entries().contains(place) ? place : "include/" + name);
  }

  // "src/kernels/../rt/vec.h" is "src/rt/vec.h".
  static std::string resolved(std::string path) {
    for (size_t up; (up = path.find("/../")) != path.npos;) {
      const size_t before = up == 0 ? path.npos : path.rfind('/', up - 1);
      path.erase(before == path.npos ? 0 : before + 1,
                 up + 4 - (before == path.npos ? 0 : before + 1));
    }
    return path;
  }

  const SourceTree& tree_;
  std::set<std::string> seen_;
};

}  // namespace

void add_single_file(const Network& own, SourceTree& tree) {
  Joined joined(tree);
  const std::string name = own.names.model.text();
  joined.text = "// The network " + name + " as one source: instead of src/, with include/" + name +
                ".h for callers.\n//   c++ -std=c++17 -ffp-contract=off -fno-exceptions -fno-rtti "
                "-fvisibility=hidden -c single/" +
                name + ".cpp\n";
  for (const auto& [path, entry] : tree.entries()) {
    if (path.starts_with("src/") && path.ends_with(".cpp")) joined.add(path);
  }
  tree.add("single/" + name + ".cpp", printed_code(joined.text), "source");
}

}  // namespace burin::packages
