// The timeline as text, as JSON and as a page of its own.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "vliw/explain.h"

namespace burin::vliw {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

std::string title_of(const ExplainedBlock& block) {
  return fmt::format("{} (line {}){}{}", block.label.empty() ? "block" : block.label, block.line,
                     block.loop ? ", loop" : "", block.part.empty() ? "" : ", " + block.part);
}

// What became of a hardware loop; empty for other blocks.
std::string pipelining_of(const ExplainedBlock& block) {
  if (!block.pipelining) return {};
  const LoopReport& loop = *block.pipelining;
  if (!loop.pipelined) return "not pipelined: " + loop.reason;
  std::string text = fmt::format("pipelined: II {}, ResMII {}, RecMII {}, {} stages", loop.ii,
                                 loop.bounds.resource, loop.bounds.recurrence, loop.stages);
  if (loop.unroll > 1) text += fmt::format(", {} iterations a kernel", loop.unroll);
  if (loop.copies > 0) text += fmt::format(", {} copies", loop.copies);
  for (const PipelinedClaim::Guard& guard : loop.apart)
    text += ", guard: " + name_of_register(guard.a) + " and " + name_of_register(guard.b) +
            " point apart";
  return text;
}

std::string summary_of(const ExplainedBlock& block) {
  // Parts of a pipelined loop were not there.
  const std::string as_read = block.before.packets == 0
                                  ? std::string()
                                  : fmt::format("as read {} packets, {:g} cycles; ",
                                                block.before.packets, block.before.cycles);
  return fmt::format(
      "{} packets, {:g} cycles, {} stalls; {}no schedule below {} packets, {} cycles; {}{}",
      block.after.packets, block.after.cycles, block.after.stalls, as_read, block.bound.packets,
      block.bound.cycles, block.chosen, block.optimal ? ", optimal" : "");
}

}  // namespace

std::string explain_text(const std::vector<ExplainedBlock>& blocks) {
  std::string out;
  for (const ExplainedBlock& block : blocks) {
    out += title_of(block) + ": " + summary_of(block) + "\n";
    if (block.pipelining) out += "  " + pipelining_of(block) + "\n";
    for (const ExplainedPacket& packet : block.packets) {
      if (packet.stall > 0)
        out += fmt::format("  {:4}  stall {}: {}\n", packet.cycle - packet.stall, packet.stall,
                           packet.waits_for);
      bool first = true;
      for (const ExplainedInstruction& i : packet.instructions) {
        out += fmt::format("  {:4}  slot {:<3} {:<10} {}\n",
                           first ? std::to_string(packet.cycle) : "", i.slots, i.units, i.text);
        first = false;
      }
      out += "        closed: " + packet.closed + "\n";
    }
    out += "\n";
  }
  return out;
}

std::string explain_json(const std::vector<ExplainedBlock>& blocks) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  const auto cost = [](const Cost& c) {
    return nlohmann::ordered_json{
        {"packets", c.packets}, {"cycles", c.cycles}, {"stalls", c.stalls}};
  };
  for (const ExplainedBlock& block : blocks) {
    nlohmann::ordered_json one{
        {"label", block.label},
        {"line", block.line},
        {"loop", block.loop},
        {"chosen", block.chosen},
        {"optimal", block.optimal},
        {"before", cost(block.before)},
        {"after", cost(block.after)},
        {"bound", {{"packets", block.bound.packets}, {"cycles", block.bound.cycles}}}};
    if (!block.part.empty()) one["part"] = block.part;
    if (block.pipelining) {
      const LoopReport& loop = *block.pipelining;
      one["pipelining"] = {{"pipelined", loop.pipelined},
                           {"resource_bound", loop.bounds.resource},
                           {"recurrence_bound", loop.bounds.recurrence},
                           {"ii", loop.ii},
                           {"stages", loop.stages},
                           {"iterations", loop.unroll},
                           {"copies", loop.copies},
                           {"why", pipelining_of(block)}};
    }
    one["packets"] = nlohmann::ordered_json::array();
    for (const ExplainedPacket& packet : block.packets) {
      nlohmann::ordered_json p{{"cycle", packet.cycle},
                               {"stall", packet.stall},
                               {"waits_for", packet.waits_for},
                               {"closed", packet.closed}};
      for (const ExplainedInstruction& i : packet.instructions) {
        p["instructions"].push_back({{"text", i.text}, {"slots", i.slots}, {"units", i.units}});
      }
      one["packets"].push_back(std::move(p));
    }
    all.push_back(std::move(one));
  }
  return all.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string explain_html(const std::vector<ExplainedBlock>& blocks, const std::string& title) {
  std::string out =
      "<!doctype html>\n<meta charset=\"utf-8\">\n<title>" + escaped(title) +
      "</title>\n<style>\nbody{font:14px/1.4 sans-serif;max-width:70em;margin:2em auto;padding:0 "
      "1em}\n"
      "table{border-collapse:collapse;width:100%}td,th{border:1px solid #ccc;padding:2px "
      "6px;text-align:left;vertical-align:top}\n"
      "code{font:12px monospace}tr.stall td{background:#fdd}td.closed{color:#666}\n</style>\n<h1>" +
      escaped(title) + "</h1>\n";
  for (const ExplainedBlock& block : blocks) {
    out += "<h2>" + escaped(title_of(block)) + "</h2>\n<p>" + escaped(summary_of(block)) +
           "</p>\n" +
           (block.pipelining ? "<p>" + escaped(pipelining_of(block)) + "</p>\n" : std::string()) +
           "<table>\n";
    out +=
        "<tr><th>cycle</th><th>slot 3</th><th>slot 2</th><th>slot 1</th><th>slot 0</th><th>closed "
        "because</th></tr>\n";
    for (const ExplainedPacket& packet : block.packets) {
      if (packet.stall > 0) {
        out +=
            fmt::format("<tr class=\"stall\"><td>{}</td><td colspan=\"5\">stall {}: {}</td></tr>\n",
                        packet.cycle - packet.stall, packet.stall, escaped(packet.waits_for));
      }
      std::string cells[4];
      std::string rest;
      for (const ExplainedInstruction& i : packet.instructions) {
        const std::string text = "<code>" + escaped(i.text) + "</code>" +
                                 (i.units.empty() ? "" : "<br>" + escaped(i.units));
        const bool placed = i.slots.size() == 1 && i.slots[0] >= '0' && i.slots[0] <= '3';
        (placed ? cells[i.slots[0] - '0'] : rest) += text;
      }
      out += fmt::format(
          "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td "
          "class=\"closed\">{}</td></tr>\n",
          packet.cycle, cells[3], cells[2], cells[1], cells[0] + rest, escaped(packet.closed));
    }
    out += "</table>\n";
  }
  return out;
}

}  // namespace burin::vliw
