#include "vliw/temporary.h"

#include <algorithm>

#include "vliw/effects.h"

namespace burin::vliw {
namespace {

// Who reads what instruction u writes, up to the next certain write, over the end of the body into
// the next iteration; -1: somebody in a later iteration.
int readers_of(const std::vector<Effects>& effects, size_t u, const RegisterSet& loaded) {
  int readers = 0;
  for (size_t i = u + 1; i <= u + effects.size(); ++i) {
    const size_t v = i % effects.size();
    if (effects[v].reads.meets(loaded)) {
      if (i >= effects.size()) return -1;
      ++readers;
    }
    if (!effects[v].conditional && (effects[v].writes & loaded) == loaded) break;
  }
  return readers;
}

}  // namespace

std::vector<int> lone_readers(const std::vector<Instruction>& body, const RegisterSet& behind) {
  std::vector<Effects> effects;
  for (const Instruction& i : body) effects.push_back(effects_of(i));
  std::vector<int> all(body.size(), 0);
  for (size_t u = 0; u < body.size(); ++u) {
    const Instruction& i = body[u];
    if (i.unknown() || !i.form->is(kLoad) || !i.form->vector_access || effects[u].conditional ||
        i.operands.empty() || i.operands[0].kind != 'V')
      continue;
    const RegisterSet& loaded = i.operands[0].set;
    if (!behind.meets(loaded)) all[u] = std::max(0, readers_of(effects, u, loaded));
  }
  return all;
}

Instruction as_temporary(const Instruction& load, const Machine& machine) {
  return with_suffix(load, 0, "tmp", machine);
}

std::vector<Instruction> with_loads_again(const std::vector<Instruction>& body,
                                          const RegisterSet& behind, Resources& resources,
                                          RegisterSet& free) {
  const Machine& machine = resources.machine();
  const std::vector<int> readers = lone_readers(body, behind);
  std::vector<Instruction> changed = body;
  std::vector<std::vector<Instruction>> in_front(body.size());
  for (size_t u = 0; u < body.size(); ++u) {
    if (readers[u] == 0) continue;
    const std::string& key = body[u].form->key;
    const Instruction load = as_temporary(body[u], machine);
    if (load.unknown() || (key != "V=vmem(R+#)" && key != "V=vmem(R++#)")) continue;
    const RegisterSet loaded = body[u].operands[0].set;
    std::vector<const Form*> forms{load.form};
    int now = body[u].operands[0].first, left = readers[u];
    for (size_t v = u + 1; v < body.size() && left > 0; ++v) {
      if (!effects_of(body[v]).reads.meets(loaded)) continue;
      --left;
      forms.push_back(body[v].form);
      if (forms.size() > static_cast<size_t>(machine.instructions) ||
          !resources.conflict(forms.data(), forms.size()).empty()) {
        int next = kVector;
        while (next < kVector + 32 && !free.has(next)) ++next;
        if (next == kVector + 32) break;
        free.remove(next);
        now = next;
        const std::string offset = body[u].form->post_increment ? "0" : body[u].operands[2].text;
        in_front[u].push_back(parse_instruction(
            name_of_register(now) + " = vmem(" + body[u].operands[1].text + "+#" + offset + ")",
            machine, body[u].line, body[u].column));
        forms = {load.form, body[v].form};
      }
      for (Operand& operand : changed[v].operands) {
        if (operand.set != loaded) continue;
        operand.first = now;
        operand.set = {};
        operand.set.add(now);
        operand.text = name_of_register(now);
      }
    }
  }
  std::vector<Instruction> out;
  for (size_t u = 0; u < body.size(); ++u) {
    out.insert(out.end(), in_front[u].begin(), in_front[u].end());
    out.push_back(std::move(changed[u]));
  }
  return out;
}

int keep_together(LoopGraph& graph, const std::vector<Instruction>& body,
                  const std::vector<int>& readers, Resources& resources) {
  int loads = 0;
  std::vector<LoopEdge> back;
  for (size_t u = 0; u < body.size(); ++u) {
    if (readers[u] == 0 || readers[u] >= resources.machine().instructions) continue;
    const Instruction load = as_temporary(body[u], resources.machine());
    if (load.unknown()) continue;
    std::vector<const Form*> forms{load.form};
    std::vector<LoopEdge> mine;
    for (const LoopEdge& edge : graph.edges) {
      if (edge.from != static_cast<int>(u) || !edge.flow || !edge.forward) continue;
      forms.push_back(body[static_cast<size_t>(edge.to)].form);
      LoopEdge with;
      with.from = edge.to;
      with.to = edge.from;
      mine.push_back(with);
    }
    if (static_cast<int>(mine.size()) != readers[u] ||
        !resources.conflict(forms.data(), forms.size()).empty())
      continue;
    back.insert(back.end(), mine.begin(), mine.end());
    ++loads;
  }
  graph.edges.insert(graph.edges.end(), back.begin(), back.end());
  return loads;
}

}  // namespace burin::vliw
