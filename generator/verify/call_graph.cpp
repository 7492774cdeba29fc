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
  std::map<std::string, Path> known;
  std::set<std::string> open;
  const std::function<const Path&(const std::string&)> from =
      [&](const std::string& name) -> const Path& {
    static const Path kNothing;
    if (const auto found = known.find(name); found != known.end()) return found->second;
    if (!open.insert(name).second) return kNothing;
    Path below;
    const auto look = [&](const std::string& one) {
      const Path& path = from(one);
      if (path.bytes > below.bytes) below = path;
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
    const auto frame = frames.find(name);
    if (frame != frames.end()) {
      below.bytes += frame->second;
      below.functions.insert(below.functions.begin(), name);
    }
    return known[name] = std::move(below);
  };
  Path out;
  for (const auto& [name, bytes] : frames) {
    if (called.contains(name)) continue;
    const Path& path = from(name);
    if (path.bytes > out.bytes) out = path;
  }
  return out;
}

}  // namespace burin
