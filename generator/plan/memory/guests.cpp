#include "plan/memory/guests.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "plan/memory/bytes.h"
#include "support/at.h"

namespace burin {
namespace {

struct Taken {
  const Group* group = nullptr;
  int64_t first = 0, end = 0;
};

// An output, and what lies there before it does.
struct Room {
  const Group* owner = nullptr;
  Type type{};
  int64_t bytes = 0;
  std::vector<Taken> taken;

  std::optional<int64_t> free_offset(const Group& guest) const {
    if (owner->held.meets(guest.held)) return std::nullopt;
    const int64_t wanted = guest.bytes.constant();
    int64_t offset = 0;
    for (const Taken& one : taken) {  // by their first bytes
      if (!one.group->held.meets(guest.held)) continue;
      if (one.first - offset >= wanted) break;
      offset = std::max(offset, one.end);
    }
    if (offset + wanted > bytes) return std::nullopt;
    return offset;
  }
};

bool all_of_type(const KernelGraph& graph, const Group& group, Type type) {
  return std::all_of(group.members.begin(), group.members.end(), [&](const Member& member) {
    return graph.values[at(member.value)].type == type;
  });
}

}  // namespace

void place_guests(const KernelGraph& graph, const std::set<ValueId>& rooms,
                  std::vector<Group>& groups) {
  std::vector<Room> outputs;
  for (const Group& group : groups) {
    if (!rooms.contains(group.external)) continue;
    const Value& value = graph.values[at(group.external)];
    // What the run finds out has the room that the caller says.
    const bool known = std::all_of(value.shape.begin(), value.shape.end(),
                                   [](const Dim& extent) { return extent.is_constant(); });
    if (known && size_bits(value.type) >= 8)
      outputs.push_back({&group, value.type, memory_bytes(graph, group.external).constant(), {}});
  }
  std::vector<size_t> order;
  for (size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].external == kNoValue && groups[g].bytes.is_constant() && !groups[g].held.empty())
      order.push_back(g);
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return groups[a].bytes.constant() > groups[b].bytes.constant();
  });
  for (const size_t g : order) {
    Group& guest = groups[g];
    for (Room& room : outputs) {
      if (!all_of_type(graph, guest, room.type)) continue;
      const std::optional<int64_t> offset = room.free_offset(guest);
      if (!offset) continue;
      const Taken taken{&guest, *offset, *offset + guest.bytes.constant()};
      room.taken.insert(
          std::upper_bound(room.taken.begin(), room.taken.end(), taken,
                           [](const Taken& a, const Taken& b) { return a.first < b.first; }),
          taken);
      for (Member& member : guest.members) member.offset += *offset;
      guest.external = room.owner->external;
      break;
    }
  }
}

}  // namespace burin
