#include "backends/cpp/page_pictures.h"

#include <algorithm>
#include <map>

#include "kernel/run_order.h"
#include "render/printed_code.h"
#include "render/printer.h"

namespace burin::cpp {
namespace {

constexpr size_t kMostRows = 800;  // of the graph: a browser's patience
constexpr size_t kMostText = 96;   // characters in a box
constexpr int64_t kRow = 30, kBox = 22, kBoxWidth = 760, kWidth = 960;
constexpr int64_t kArenaHeight = 320, kArenaLeft = 90;

std::string nodes_in_picture(const std::vector<Origin>& nodes) {
  std::string out;
  for (const Origin& node : telling_first(nodes))
    out += (out.empty() ? "" : ", ") + node.op + (node.node.empty() ? "" : " " + node.node);
  return out;
}

std::string cut(const std::string& text) {
  return text.size() > kMostText ? text.substr(0, kMostText - 3) + "..." : text;
}

// A title shows where the pointer rests, and is read to whom sees no pictures.
Code title(const std::string& text) { return code("<title>", html_text(text), "</title>"); }

}  // namespace

std::vector<PageStep> page_steps(const ModelPlan& plan, const KernelSet& kernels) {
  std::vector<PageStep> out;
  int position = -1;
  for_each_step(plan.graph.steps, [&](const Step& step) {
    ++position;
    PageStep one{step.id, position, {}, {}, reads_of(step), writes_of(step)};
    if (const Kernel* kernel = std::get_if<Kernel>(&step)) {
      const bool view = plan.memory.dropped.contains(step.id);
      one.name = view ? "a view" : kernels.kernel_at(step.id).name.text();
      one.nodes = nodes_in_picture(kernel->origins.list());
    } else if (const Procedure* procedure = std::get_if<Procedure>(&step)) {
      one.name = procedure->function;
      one.nodes = nodes_in_picture(procedure->origins.list());
    } else if (std::holds_alternative<std::shared_ptr<If>>(step)) {
      one.name = "if";
    } else if (std::holds_alternative<std::shared_ptr<Loop>>(step)) {
      one.name = "loop";
    } else {
      return;
    }
    out.push_back(std::move(one));
  });
  return out;
}

Code graph_picture(const ModelPlan& plan, const std::vector<PageStep>& steps) {
  const size_t rows = std::min(steps.size(), kMostRows);
  const int64_t height = static_cast<int64_t>(rows) * kRow + 8;
  Printer out;
  out.line("<svg id=\"graph\" role=\"img\" viewBox=\"0 0 ", kWidth, " ", height, "\" width=\"",
           kWidth, "\" height=\"", height, "\">");
  std::map<ValueId, size_t> makers;
  Printer arcs;
  for (size_t i = 0; i < rows; ++i) {
    const PageStep& step = steps[i];
    const int64_t y = static_cast<int64_t>(i) * kRow + 4, middle = y + kBox / 2;
    out.line("<g>", title(step.name + ": " + step.nodes));
    out.line("<rect class=\"step\" x=\"40\" y=\"", y, "\" width=\"", kBoxWidth, "\" height=\"",
             kBox, "\" rx=\"4\"/>");
    out.line("<text class=\"number\" x=\"34\" y=\"", middle + 4, "\">", step.position, "</text>");
    out.line("<text x=\"48\" y=\"", middle + 4, "\">",
             html_text(cut(step.nodes.empty() ? step.name : step.nodes)), "</text></g>");
    for (const ValueId id : step.reads) {
      const auto maker = makers.find(id);
      if (maker == makers.end() || maker->second == i) continue;
      const int64_t from = static_cast<int64_t>(maker->second) * kRow + 4 + kBox / 2,
                    right = 40 + kBoxWidth,
                    bend = right +
                           std::min<int64_t>(150, 14 + 6 * static_cast<int64_t>(i - maker->second));
      arcs.line("<path class=\"arc\" d=\"M", right, " ", from, " C", bend, " ", from, " ", bend,
                " ", middle, " ", right, " ", middle, "\">",
                title(plan.graph.values[static_cast<size_t>(id)].name), "</path>");
    }
    for (const ValueId id : step.writes) makers[id] = i;
  }
  out.block(arcs.code());
  out.line("</svg>");
  if (rows < steps.size())
    out.line("<p>The first ", static_cast<int64_t>(rows), " of ",
             static_cast<int64_t>(steps.size()), " steps; the table has all of them.</p>");
  return out.code();
}

Code arena_picture(const ModelPlan& plan, const std::vector<PageStep>& steps) {
  const MemoryPlan& memory = plan.memory;
  const auto at = [&](const Dim& dim) {
    return evaluate(memory, dim,
                    [](const Symbol& symbol) { return at_hints(Index::symbol(symbol)); });
  };
  const int64_t bytes = at(memory.arena_bytes);
  if (bytes <= 0 || steps.empty()) return {};
  const int64_t last = steps.back().position + 1, width = kWidth - kArenaLeft - 10;
  Printer out;
  out.line("<svg id=\"arena\" role=\"img\" viewBox=\"0 0 ", kWidth, " ", kArenaHeight + 40,
           "\" width=\"", kWidth, "\" height=\"", kArenaHeight + 40, "\">");
  const auto rectangle = [&](const char* kind, int first, int end, int64_t offset, int64_t size,
                             const std::string& what) {
    if (size <= 0) return;
    // The arena begins at the bottom.
    const auto place = [&](int64_t byte) {
      return kArenaHeight -
             static_cast<int64_t>(double(byte) / double(bytes) * (kArenaHeight - 10));
    };
    const int64_t left = kArenaLeft + first * width / last,
                  right = kArenaLeft + (int64_t{end} + 1) * width / last,
                  top = place(offset + size);
    out.line("<rect class=\"", printed_code(kind), "\" x=\"", left, "\" y=\"", top, "\" width=\"",
             std::max<int64_t>(1, right - left), "\" height=\"",
             std::max<int64_t>(1, place(offset) - top), "\">",
             title(what + ": " + std::to_string(size) + " bytes at " + std::to_string(offset) +
                   ", steps " + std::to_string(first) + " to " + std::to_string(end)),
             "</rect>");
  };
  for (size_t i = 0; i < memory.values.size(); ++i) {
    const Placement& place = memory.values[i];
    if (place.sharing == Sharing::none || place.root != kNoValue) continue;
    for (const Interval& live : place.live) {
      rectangle(place.sharing == Sharing::own ? "own" : "shared", live.first, live.last,
                at(place.offset), at(place.bytes), plan.graph.values[i].name);
    }
  }
  const Positions positions(plan.graph);
  for (const ScratchPlacement& scratch : memory.scratch) {
    const int position = positions.at(scratch.step);
    rectangle(
        "scratch", position, position, at(scratch.offset),
        at(scratch.stride) * std::max<int64_t>(0, at(scratch.workers) - 1) + at(scratch.bytes),
        "scratch of step " + std::to_string(position));
  }
  out.line("<line class=\"axis\" x1=\"", kArenaLeft, "\" y1=\"10\" x2=\"", kArenaLeft, "\" y2=\"",
           kArenaHeight, "\"/>");
  out.line("<line class=\"axis\" x1=\"", kArenaLeft, "\" y1=\"", kArenaHeight, "\" x2=\"", kWidth,
           "\" y2=\"", kArenaHeight, "\"/>");
  out.line("<text class=\"number\" x=\"", kArenaLeft - 6, "\" y=\"16\">", bytes, "</text>");
  out.line("<text class=\"number\" x=\"", kArenaLeft - 6, "\" y=\"", kArenaHeight, "\">0</text>");
  out.line("<text x=\"", kArenaLeft, "\" y=\"", kArenaHeight + 24,
           "\">bytes of the arena over steps 0 to ", last - 1,
           "; blue tensors, light those that share bytes, orange scratch</text>");
  out.line("</svg>");
  return out.code();
}

}  // namespace burin::cpp
