#include "verify/call_graph.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <string_view>

namespace burin {
namespace {

constexpr std::string_view kByPointer = "__indirect_call";

// What stands between the quotation marks behind `key` in `line`.
std::string_view quoted_behind(std::string_view line, std::string_view key) {
  const size_t at = line.find(key);
  if (at == line.npos) return {};
  const size_t open = line.find('"', at + key.size());
  if (open == line.npos) return {};
  const size_t close = line.find('"', open + 1);
  return close == line.npos ? std::string_view() : line.substr(open + 1, close - open - 1);
}

// "name\nfile:1:2\n24 bytes (static)\n0 dynamic objects", with \n as two characters; -1: no body.
int64_t bytes_in(std::string_view label) {
  const size_t end = label.find(" bytes (");
  if (end == label.npos) return -1;
  size_t begin = end;
  while (begin > 0 && label[begin - 1] >= '0' && label[begin - 1] <= '9') --begin;
  int64_t bytes = -1;
  std::from_chars(label.data() + begin, label.data() + end, bytes);
  return bytes;
}

}  // namespace

void CallGraph::add(const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (line.starts_with("node:")) {
      const int64_t bytes = bytes_in(quoted_behind(line, "label:"));
      if (bytes >= 0) frames[std::string(quoted_behind(line, "title:"))] = bytes;
    } else if (line.starts_with("edge:")) {
      calls[std::string(quoted_behind(line, "sourcename:"))].insert(
          std::string(quoted_behind(line, "targetname:")));
    }
  }
}

int64_t CallGraph::largest() const {
  int64_t out = 0;
  for (const auto& [name, bytes] : frames) out = std::max(out, bytes);
  return out;
}

CallGraph::Path CallGraph::deepest() const {
  std::set<std::string> called;
  for (const auto& [from, to] : calls) called.insert(to.begin(), to.end());
  // What was found below a function; and those above it at which a cycle was cut on the way, so
  // that from elsewhere there may be more.
  struct Found {
    Path path;
    std::set<std::string> cut;
  };
  std::map<std::string, Path> known;
  std::set<std::string> open;
  const std::function<Found(const std::string&)> from = [&](const std::string& name) -> Found {
    // A path does not go through a function twice.
    const auto found = known.find(name);
    const auto is_open = [&](const std::string& one) { return open.contains(one); };
    if (found != known.end() &&
        std::none_of(found->second.functions.begin(), found->second.functions.end(), is_open))
      return {found->second, {}};
    if (!open.insert(name).second) return {{}, {name}};
    Found below;
    const auto look = [&](const std::string& one) {
      Found found = from(one);
      below.cut.merge(found.cut);
      if (found.path.bytes > below.path.bytes) below.path = std::move(found.path);
    };
    if (name == kByPointer) {
      for (const auto& [one, bytes] : frames) {
        if (!called.contains(one) && !open.contains(one)) look(one);
      }
    }
    if (const auto further = calls.find(name); further != calls.end()) {
      for (const std::string& one : further->second) look(one);
    }
    open.erase(name);
    below.cut.erase(name);
    const auto frame = frames.find(name);
    if (frame != frames.end()) {
      below.path.bytes += frame->second;
      below.path.functions.insert(below.path.functions.begin(), name);
    }
    if (below.cut.empty()) known[name] = below.path;
    return below;
  };
  Path out;
  for (const auto& [name, bytes] : frames) {
    if (called.contains(name)) continue;
    Path path = from(name).path;
    if (path.bytes > out.bytes) out = std::move(path);
  }
  return out;
}

}  // namespace burin
