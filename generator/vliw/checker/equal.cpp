#include <algorithm>

#include "vliw/checker/checker.h"
#include "vliw/checker/symbols.h"

namespace burin::vliw {
namespace {

// A run of packets between two labels or directives that mean something.
struct Stretch {
  std::vector<std::string> anchors;  // in front of it
  std::vector<const Packet*> packets;
  int line = 0;
};

bool means_nothing(const Item& item) {
  if (item.kind != Item::Kind::kDirective) return false;
  const size_t at = item.text.find_first_not_of(" \t");
  return at == std::string::npos || item.text.compare(at, 2, "//") == 0 ||
         item.text.compare(at, 4, ".loc") == 0;
}

std::vector<Stretch> stretches(const Module& module) {
  std::vector<Stretch> all(1);
  for (const Item& item : module.items) {
    if (item.kind == Item::Kind::kPacket) {
      if (all.back().packets.empty()) all.back().line = item.packet.line;
      all.back().packets.push_back(&item.packet);
      continue;
    }
    if (means_nothing(item)) continue;
    if (!all.back().packets.empty()) all.emplace_back();
    all.back().anchors.push_back((item.kind == Item::Kind::kLabel ? "label " : "") + item.text);
  }
  return all;
}

std::vector<Event> run(const Stretch& stretch, Values& values, OperationNames& names,
                       const Machine& machine) {
  SymbolicRun symbolic(values, names, machine);
  std::vector<Event> events;
  for (const Packet* packet : stretch.packets) symbolic.step(*packet, events);
  events.push_back(symbolic.snapshot(values.name("end"), {}, stretch.line));
  return events;
}

std::string difference(const Event& a, const Event& b, const Values& values) {
  const std::string &was = values.text(a.what), &is = values.text(b.what);
  if (a.what != b.what) return "'" + is + "' instead of '" + was + "'";
  if (a.operands != b.operands) return "'" + was + "' reads other values";
  for (int r = 0; r < kRegisterCount; ++r) {
    if (a.registers[static_cast<size_t>(r)] != b.registers[static_cast<size_t>(r)])
      return name_of_register(r) + " differs at '" + was + "'";
  }
  if (a.stores != b.stores) return "memory differs at '" + was + "'";
  return "sticky bits differ at '" + was + "'";
}

}  // namespace

std::vector<Violation> check_equal(const Module& original, const Module& packed,
                                   const Machine& machine) {
  std::vector<Violation> violations;
  const std::vector<Stretch> before = stretches(original), after = stretches(packed);
  const size_t count = std::min(before.size(), after.size());
  Values values;
  OperationNames names(values, machine);
  for (size_t i = 0; i < count; ++i) {
    if (before[i].anchors != after[i].anchors) {
      return {{after[i].line, 1, "labels", "labels and directives are not those of the original"}};
    }
    const std::vector<Event> a = run(before[i], values, names, machine),
                             b = run(after[i], values, names, machine);
    for (size_t e = 0; e < std::max(a.size(), b.size()); ++e) {
      if (e >= a.size() || e >= b.size()) {
        violations.push_back({after[i].line, 1, "flow", "another number of changes of flow"});
        break;
      }
      if (a[e] == b[e]) continue;
      violations.push_back({b[e].line, 1, "not-equal", difference(a[e], b[e], values)});
      break;
    }
  }
  if (before.size() != after.size())
    violations.push_back({0, 1, "labels", "labels and directives are not those of the original"});
  return violations;
}

}  // namespace burin::vliw
