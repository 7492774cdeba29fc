// How often a module names each word: in directives, in targets and in immediates that are symbols.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "vliw/assembly.h"

namespace burin::vliw {

class Names {
 public:
  explicit Names(const Module& module);

  int labels(const std::string& name) const { return get(labels_, name); }
  int mentions(const std::string& name) const { return get(mentions_, name); }

  // Mentions in one packet.
  static int mentions(const Packet& packet, const std::string& name);

 private:
  using Count = std::unordered_map<std::string, int>;  // looked up only, never walked
  static int get(const Count& count, const std::string& name) {
    const auto at = count.find(name);
    return at == count.end() ? 0 : at->second;
  }
  static void add(std::string_view text, Count& count);
  static void add(const Packet& packet, Count& count);

  Count labels_, mentions_;
};

}  // namespace burin::vliw
