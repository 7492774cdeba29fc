#include "vliw/checker/pipelined_parts.h"

#include <algorithm>

namespace burin::vliw {
namespace {

// Packets up to the end of the loop; 0 if there is none.
size_t end_of_loop(const Stretch& stretch) {
  for (size_t k = 0; k < stretch.packets.size(); ++k) {
    if (stretch.packets[k]->end_loop0) return k + 1;
  }
  return 0;
}

// Nothing but alignment and the loop's label, so that control falls into it.
bool plain(const std::vector<std::string>& anchors, const PipelinedClaim& claim) {
  return std::all_of(anchors.begin(), anchors.end(), [&](const std::string& anchor) {
    return anchor == "label " + claim.label || anchor.find(".p2align") != std::string::npos;
  });
}

// Does control never go past the last packet?
bool leaves_for_certain(const Stretch& part) {
  if (part.packets.empty() || part.packets.back()->end_loop0 || part.packets.back()->end_loop1)
    return false;
  const std::vector<Instruction>& last = part.packets.back()->instructions;
  return std::any_of(last.begin(), last.end(), [](const Instruction& i) {
    return !i.unknown() && i.form->is(kJump) && i.form->key.find("if(") == std::string::npos;
  });
}

}  // namespace

ShortLoops take_short_loops(const std::vector<PipelinedClaim>& claims,
                            std::vector<Stretch>& stretches) {
  std::map<std::string, size_t> at;
  for (size_t k = 0; k < stretches.size(); ++k) {
    if (stretches[k].anchors.size() == 1) at[stretches[k].anchors[0]] = k;
  }
  ShortLoops found;
  std::vector<bool> taken(stretches.size(), false);
  for (const PipelinedClaim& claim : claims) {
    if (!claim.away || claim.short_loop.empty()) continue;
    const auto set_up = at.find("label " + claim.short_loop);
    const auto body = at.find("label " + claim.short_body);
    if (set_up == at.end() || body == at.end() || body->second != set_up->second + 1) continue;
    const size_t k = set_up->second;
    if (k == 0 || taken[k] || taken[k + 1] || !leaves_for_certain(stretches[k - 1]) ||
        !leaves_for_certain(stretches[k + 1]))
      continue;
    found[claim.label] = {stretches[k], stretches[k + 1]};
    taken[k] = taken[k + 1] = true;
  }
  std::vector<Stretch> rest;
  for (size_t k = 0; k < stretches.size(); ++k) {
    if (!taken[k]) rest.push_back(std::move(stretches[k]));
  }
  stretches = std::move(rest);
  return found;
}

PipelinedParts cut_pipelined(const PipelinedClaim& claim, const Stretch& original_before,
                             const Stretch& original_loop, const std::vector<Stretch>& packed,
                             const ShortLoops& away) {
  PipelinedParts parts;
  const auto fail = [&](const char* trouble) {
    parts.trouble = trouble;
    return parts;
  };
  const bool guarded = !claim.short_loop.empty();
  const size_t needed = 2 + (claim.even.empty() ? 0 : 1) + (guarded ? (claim.away ? 1 : 3) : 0);
  parts.used = needed;
  if (packed.size() < needed) return fail("its parts are missing");
  if (packed[0].anchors != original_before.anchors)
    return fail("labels and directives are not those of the original");
  if (claim.stages < 1 || claim.unroll < 1 || claim.unroll > 2)
    return fail("a claim that makes no sense");
  parts.body = original_loop.part(0, end_of_loop(original_loop));
  parts.original_tail = original_loop.part(parts.body.packets.size(), original_loop.packets.size());
  if (parts.body.packets.empty()) return fail("no end of the loop");
  parts.original_before = original_before;
  // in front of the kernel
  Stretch front = packed[0];
  size_t at = 1;
  const auto count = [](int n) { return static_cast<size_t>(std::max(0, n)); };
  if (claim.even.empty()) {
    const size_t size = front.packets.size();
    const size_t prologue = std::min(size, count(claim.prologue_packets));
    const size_t peeled = std::min(size - prologue, count(claim.peeled_packets));
    parts.prologue = front.part(size - prologue, size);
    parts.peeled = front.part(size - prologue - peeled, size - prologue);
    parts.packed_before = front.part(0, size - prologue - peeled);
  } else {
    if (packed[1].anchors != std::vector<std::string>{"label " + claim.even})
      return fail("not the label of the prologue");
    parts.prologue = packed[1];
    const size_t size = front.packets.size();
    const size_t peeled = std::min(size, count(claim.peeled_packets));
    parts.peeled = front.part(size - peeled, size);
    parts.packed_before = front.part(0, size - peeled);
    ++at;
  }
  const Stretch& loop = packed[at++];
  if (loop.anchors != original_loop.anchors || !plain(loop.anchors, claim))
    return fail("the kernel is not at the loop's label");
  parts.kernel = loop.part(0, end_of_loop(loop));
  if (parts.kernel.packets.empty()) return fail("no end of the kernel");
  const size_t behind = parts.kernel.packets.size() + count(claim.epilogue_packets);
  parts.epilogue = loop.part(parts.kernel.packets.size(), behind);
  parts.packed_tail = loop.part(behind, loop.packets.size());
  if (!guarded) return parts;
  if (!parts.packed_tail.packets.empty()) return fail("packets behind the epilogue");
  const auto elsewhere = away.find(claim.label);
  if (claim.away && elsewhere == away.end()) return fail("its short loop is missing");
  const Stretch& set_up = claim.away ? elsewhere->second.first : packed[at];
  const Stretch& body = claim.away ? elsewhere->second.second : packed[at + 1];
  const Stretch& tail = claim.away ? packed[at] : packed[at + 2];
  if (set_up.anchors != std::vector<std::string>{"label " + claim.short_loop} ||
      body.anchors != std::vector<std::string>{"label " + claim.short_body} ||
      tail.anchors.empty() || tail.anchors[0] != "label " + claim.done)
    return fail("not the labels of its short loop");
  parts.short_setup = set_up;
  const size_t inside = claim.away ? end_of_loop(body) : body.packets.size();
  parts.short_body = body.part(0, inside);
  parts.short_exit = body.part(inside, body.packets.size());
  parts.packed_tail = tail;
  parts.packed_tail.anchors.erase(parts.packed_tail.anchors.begin());
  return parts;
}

bool ends_at_its_end(const Stretch& part) {
  for (const Packet* packet : part.packets) {
    if (packet->end_loop0) return packet == part.packets.back();
  }
  return false;
}

bool calm(const Packet& packet, const std::string& done) {
  if (packet.end_loop1) return false;
  for (const Instruction& i : packet.instructions) {
    if (i.unknown()) return false;
    if (!done.empty() && i.form->key == "jump@" && i.operands[0].text == done) continue;
    if (i.form->is(kJump | kCall | kSolo | kSoloAx | kLoop1)) return false;
    if (i.form->is(kLoop0)) continue;
    RegisterSet named = i.form->uses | i.form->defs;
    for (const Operand& operand : i.operands) named |= operand.set;
    for (const int r : {kLoopCount0, kLoopStart0, kLoopConfig, kOther, kVectorTemporary}) {
      if (named.has(r)) return false;
    }
  }
  return true;
}

bool sets_up(const Stretch& part) {
  for (const Packet* packet : part.packets) {
    for (const Instruction& i : packet->instructions) {
      if (!i.unknown() && i.form->is(kLoop0)) return true;
    }
  }
  return false;
}

bool jumps_away(const Stretch& part) {
  if (part.packets.empty()) return false;
  const std::vector<Instruction>& last = part.packets.back()->instructions;
  return std::any_of(last.begin(), last.end(),
                     [](const Instruction& i) { return i.form->key == "jump@"; });
}

std::string named_elsewhere(const PipelinedClaim& claim, const PipelinedParts& parts,
                            const Names& packed_names) {
  for (const std::string& name :
       {claim.label, claim.even, claim.short_loop, claim.short_body, claim.done}) {
    if (name.empty()) continue;
    if (packed_names.labels(name) != 1) return name + " is not one label";
    int ours = 0;
    for (const Stretch* part :
         {&parts.packed_before, &parts.prologue, &parts.epilogue, &parts.short_setup,
          &parts.short_exit}) {
      for (const Packet* packet : part->packets) ours += Names::mentions(*packet, name);
    }
    if (packed_names.mentions(name) != ours) return name + " is named elsewhere";
  }
  return {};
}

}  // namespace burin::vliw
