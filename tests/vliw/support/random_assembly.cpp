#include "vliw/support/random_assembly.h"

#include <algorithm>
#include <set>

namespace burin::vliw::testing {
namespace {

// Placeholders of a key, in order, with where they stand.
struct Hole {
  std::string kind;
  size_t at = 0;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<Hole> holes(const std::string& key) {
  std::vector<Hole> all;
  for (size_t i = 0; i < key.size(); ++i) {
    if (key[i] == '#' || key[i] == '@') {
      all.push_back({std::string(1, key[i]), i});
      continue;
    }
    if (std::string_view("RVPQMCSG").find(key[i]) == std::string_view::npos) continue;
    if (i > 0 && is_word(key[i - 1]) && key[i - 1] != ' ') continue;
    size_t end = i;
    while (end < key.size() && std::isupper(static_cast<unsigned char>(key[end]))) ++end;
    if (end < key.size() && (is_word(key[end]) || key[end] == '(')) continue;
    all.push_back({key.substr(i, end - i), i});
    i = end - 1;
  }
  return all;
}

int random_immediate(const Form& form, size_t k, Random& random) {
  const bool address = static_cast<int>(k) == form.offset;
  if (address && form.vector_access) return random.below(5) - 2;
  if (address)
    return (random.below(9) - (form.extend.empty() && !form.post_increment ? 0 : 4)) * form.bytes;
  for (const ExtendRange& range : form.extend) {
    if (range.operand != static_cast<int>(k) || range.bits < 2) continue;
    const int top = 1 << std::min(range.bits - 1, 12);
    const int value = random.below(top);
    return (range.is_signed && random.chance(50) ? -value : value) * (1 << range.align);
  }
  return random.below(4);
}

std::string pair(char file, int number) {
  return file + std::to_string(number + 1) + ":" + std::to_string(number);
}

}  // namespace

uint64_t Random::next() {
  uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

std::vector<const Form*> usable_forms(const Machine& machine) {
  // Time stamps, traps, caches, locks and state that a program cannot see or that ends it.
  const std::vector<std::string> without = {
      "memw_locked", "memd_locked", "memw_rl", "memd_rl", "_phys",    "trap",
      "barrier",     "syncht",      "isync",   "pause",   "dcfetch",  "l2",
      "dc",          "ic",          "brkpt",   "release", "vgather",  "vscatter",
      "vtmp",        "vhist",       "vwhist",  "z=",      "zld",      "vextract",
      "alloc",       "dealloc",     "pc",      "gp",      "loop",     "start",
      "stop",        "wait",        "resume",  "swi",     "tlb",      "k0",
      "crswap",      "siad",        "ciad",    "setprio", "setimask", "getimask",
      "iassign",     "memcpy",      "movlen",  "hintjr",  "diag",     ":brev",
      ":circ",       ":mem_noshuf", "nmi",     "cabac",   "CONST",    "cmp.eq(R.new",
      "R<<#+#",      "R=#)",        "raw",     "vrmpyz",  "unpause",  "vmem(R+#):scatter_release",
      "vprefixqb"};
  std::vector<const Form*> forms;
  for (const Form& form : machine.forms) {
    if (form.is(kCall | kJump | kSolo | kSoloAx | kLoop0 | kLoop1 | kTemporaryLoad | kSlot1Alu |
                kCurrentLoad))
      continue;
    if (form.key.find(';') != std::string::npos || form.key.find(".new") != std::string::npos ||
        form.key.find(".tmp") != std::string::npos)
      continue;
    if (form.key.find('@') != std::string::npos || form.key == "nop") continue;
    const bool banned = std::any_of(without.begin(), without.end(), [&](const std::string& w) {
      return form.key.find(w) != std::string::npos;
    });
    if (banned) continue;
    const std::vector<Hole> all = holes(form.key);
    const bool system = std::any_of(all.begin(), all.end(), [](const Hole& h) {
      return std::string_view("CSG").find(h.kind[0]) != std::string_view::npos;
    });
    if (system || all.size() != form.roles.size()) continue;
    if (form.is(kLoad | kStore) && form.base < 0 &&
        form.key.find("(R+R<<#)") == std::string::npos &&
        form.key.find("(R++M)") == std::string::npos)
      continue;
    if ((form.is(kLoad) || form.is(kStore)) && form.bytes == 0) continue;
    forms.push_back(&form);
  }
  return forms;
}

std::string random_instruction(const Form& form, Random& random) {
  const std::vector<Hole> all = holes(form.key);
  const size_t memory = form.is(kLoad | kStore)
                            ? std::min(form.key.find("mem"), form.key.find("vmem"))
                            : std::string::npos;
  const size_t open = memory == std::string::npos ? std::string::npos : form.key.find('(', memory);
  std::string out;
  size_t from = 0;
  int address_registers = 0;
  std::set<int> written;
  for (size_t k = 0; k < all.size(); ++k) {
    const Hole& hole = all[k];
    const OperandRole& role = form.roles[k];
    out += form.key.substr(from, hole.at - from);
    from = hole.at + hole.kind.size();
    const bool in_address =
        open != std::string::npos && hole.at > open && hole.at < form.key.find(')', open);
    if (hole.kind == "#") {
      out +=
          "#" + std::to_string(role.role == 'k' ? role.literal : random_immediate(form, k, random));
    } else if (hole.kind == "M") {
      out += "m" + std::to_string(random.below(2));
    } else if (hole.kind == "R" && in_address) {
      out += address_registers++ == 0 ? "r" + std::to_string(16 + random.below(4))
                                      : "r" + std::to_string(24 + random.below(2));
    } else {
      const bool writes = role.role == 'd' || role.role == 'x';
      const bool pairs = hole.kind.size() == 2;
      for (int tries = 0;; ++tries) {
        int number = 0;
        if (hole.kind[0] == 'R')
          number = pairs ? 2 * random.below(role.low ? 4 : 8) : random.below(role.low ? 8 : 16);
        if (hole.kind[0] == 'R' && !writes && !pairs && random.chance(10))
          number = 16 + random.below(2);
        if (role.low && number >= 8) number = random.below(8);
        if (hole.kind[0] == 'V') number = pairs ? 2 * random.below(16) : random.below(32);
        if (hole.kind == "VQ") number = 4 * random.below(8);
        if (hole.kind[0] == 'P' || hole.kind[0] == 'Q') number = random.below(4);
        const int unique = hole.kind[0] * 64 + number;
        if (writes &&
            (written.count(unique) || (pairs && written.count(unique + 1)) ||
             written.count(unique & ~1)) &&
            tries < 20)
          continue;
        if (writes) {
          written.insert(unique);
          if (pairs) written.insert(unique + 1);
        }
        const char file = static_cast<char>(std::tolower(hole.kind[0]));
        if (hole.kind == "VQ")
          out += "v" + std::to_string(number + 3) + ":" + std::to_string(number);
        else
          out += pairs ? pair(file, number) : file + std::to_string(number);
        break;
      }
    }
  }
  return out + form.key.substr(from);
}

std::string random_function(const std::string& name, const std::vector<const Form*>& forms,
                            int size, Random& random) {
  const bool calls = random.chance(30);
  std::string out = "\t.p2align 4\n" + name + ":\n";
  if (calls) out += "\t{\n\t\tallocframe(#0)\n\t}\n";
  const auto emit = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const Form& form = *forms[static_cast<size_t>(random.below(static_cast<int>(forms.size())))];
      out += "\t{\n\t\t" + random_instruction(form, random) + "\n\t}\n";
    }
  };
  int labels = 0;
  while (size > 0) {
    const int part = std::min(size, 4 + random.below(16));
    size -= part;
    const std::string label = ".L" + name + "_" + std::to_string(labels++);
    const int kind = random.below(4);
    if (kind == 0) {
      out += "\t{\n\t\tloop0(" + label + ",#" + std::to_string(2 + random.below(5)) + ")\n\t}\n" +
             label + ":\n";
      emit(part);
      out += "\t{\n\t\tnop\n\t\tnop\n\t} :endloop0\n";
    } else if (kind == 1) {
      out += "\t{\n\t\tif (" + std::string(random.chance(50) ? "!" : "") + "p" +
             std::to_string(random.below(4)) + ") jump:nt " + label + "\n\t}\n";
      emit(part);
      out += label + ":\n";
    } else {
      emit(part);
      if (calls) out += "\t{\n\t\tcall helper\n\t}\n";
    }
  }
  return out + (calls ? "\t{\n\t\tdealloc_return\n\t}\n" : "\t{\n\t\tjumpr r31\n\t}\n");
}

}  // namespace burin::vliw::testing
