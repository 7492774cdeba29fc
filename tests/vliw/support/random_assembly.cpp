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
  const std::vector<std::string> without = {"memw_locked",
                                            "memd_locked",
                                            "memw_rl",
                                            "memd_rl",
                                            "_phys",
                                            "trap",
                                            "barrier",
                                            "syncht",
                                            "isync",
                                            "pause",
                                            "dcfetch",
                                            "l2",
                                            "dc",
                                            "ic",
                                            "brkpt",
                                            "release",
                                            "vgather",
                                            "vscatter",
                                            "vtmp",
                                            "vhist",
                                            "vwhist",
                                            "z=",
                                            "zld",
                                            "vextract",
                                            "alloc",
                                            "dealloc",
                                            "pc",
                                            "gp",
                                            "loop",
                                            "start",
                                            "stop",
                                            "wait",
                                            "resume",
                                            "swi",
                                            "tlb",
                                            "k0",
                                            "M=R",
                                            "crswap",
                                            "siad",
                                            "ciad",
                                            "setprio",
                                            "setimask",
                                            "getimask",
                                            "iassign",
                                            "memcpy",
                                            "movlen",
                                            "hintjr",
                                            "diag",
                                            ":brev",
                                            ":circ",
                                            ":mem_noshuf",
                                            "nmi",
                                            "cabac",
                                            "CONST",
                                            "cmp.eq(R.new",
                                            "R<<#+#",
                                            "R=#)",
                                            "raw",
                                            "vrmpyz",
                                            "unpause",
                                            "vmem(R+#):scatter_release",
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
    } else if (static_cast<int>(k) == form.tied) {
      out += out.substr(all[0].at, out.find_first_of(".=", all[0].at) - all[0].at);
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

namespace {

std::string packet(const std::string& instructions, const std::string& behind = "") {
  return "\t{\n\t\t" + instructions + "\n\t}" + behind + "\n";
}

std::string reg(int number) { return "r" + std::to_string(number); }

// A window of a circular buffer is walked; m0 is as it was behind it.
std::string circular(Random& random) {
  std::string out = packet("r26 = #" + std::to_string(64 << random.below(2))) + packet("m0 = r26") +
                    packet("cs0 = r16") + packet("r27 = r16");
  const char* const accesses[] = {"D = memw(r27++#4:circ(m0))",  "memw(r27++#8:circ(m0)) = D",
                                  "D = memub(r27++#1:circ(m0))", "memh(r27++#-2:circ(m0)) = D",
                                  "D = memh(r27++#2:circ(m0))",  "D = add(D,#1)"};
  for (int k = 3 + random.below(6); k > 0; --k) {
    std::string text = accesses[random.below(6)];
    const std::string data = reg(random.below(8));
    for (size_t at = text.find('D'); at != std::string::npos; at = text.find('D'))
      text.replace(at, 1, data);
    out += packet(text);
  }
  return out + packet("r27 = #0") + packet("r26 = #8") + packet("m0 = r26");
}

// A store and a load that may touch, in the order of the text.
std::string pair_in_order(Random& random) {
  const std::string a = reg(16 + random.below(4)), b = reg(16 + random.below(4));
  return packet("memw(" + a + "+#" + std::to_string(4 * random.below(8)) +
                    ") = " + reg(random.below(8)) + "\n\t\t" + reg(random.below(8)) + " = memw(" +
                    b + "+#" + std::to_string(4 * random.below(8)) + ")",
                " :mem_noshuf");
}

// The sticky bits of usr read, and others put in their place.
std::string status(Random& random) {
  const std::string r = reg(random.below(8));
  return random.chance(50) ? packet(r + " = usr")
                           : packet("r26 = and(" + r + ",#63)") + packet("usr = r26");
}

}  // namespace

Population population(const Machine& machine, const std::vector<const Form*>& forms,
                      uint64_t seed) {
  Population all{machine, forms, seed % 2 == 1};
  all.machine.soft.store_then_load = all.in_order ? 0 : -1;
  if (all.in_order) {
    std::erase_if(all.forms, [](const Form* form) {
      return form->is(kIfTrue | kIfFalse) && form->key.find('Q') == std::string::npos;
    });
  }
  return all;
}

std::string random_function(const std::string& name, const std::vector<const Form*>& forms,
                            int size, Random& random, bool in_order) {
  const bool calls = random.chance(30);
  const int frame = calls ? 8 * random.below(4) : 0;
  std::string out = "\t.p2align 4\n" + name + ":\n";
  if (calls) out += packet("allocframe(#" + std::to_string(frame) + ")");
  for (int at = 0; at < frame; at += 4)
    out += packet("memw(r29+#" + std::to_string(at) + ") = " + reg(random.below(16)));
  const auto on_frame = [&] {
    const std::string place = "memw(r29+#" + std::to_string(4 * random.below(frame / 4)) + ")";
    const std::string data = reg(random.below(16));
    return random.chance(50) ? packet(place + " = " + data) : packet(data + " = " + place);
  };
  const auto emit = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const int special = random.below(60);
      if (special == 0 && in_order) out += pair_in_order(random);
      if (special == 1) out += status(random);
      if (special < 6 && frame > 0) out += on_frame();
      const Form& form = *forms[static_cast<size_t>(random.below(static_cast<int>(forms.size())))];
      out += "\t{\n\t\t" + random_instruction(form, random) + "\n\t}\n";
    }
  };
  int labels = 0;
  while (size > 0) {
    const int part = std::min(size, 4 + random.below(16));
    size -= part;
    const std::string label = ".L" + name + "_" + std::to_string(labels++);
    const int kind = random.below(8);
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
    } else if (kind == 2) {  // a loop around a loop
      out += packet("loop1(" + label + "a,#" + std::to_string(1 + random.below(3)) + ")") + label +
             "a:\n";
      emit(1 + random.below(3));
      out += packet("loop0(" + label + ",#" + std::to_string(1 + random.below(4)) + ")") + label +
             ":\n";
      emit(part);
      if (random.chance(30)) {  // both end together
        out += packet("nop\n\t\tnop", " :endloop0 :endloop1");
      } else {
        out += packet("nop\n\t\tnop", " :endloop0");
        emit(1 + random.below(3));
        out += packet("nop\n\t\tnop", " :endloop1");
      }
    } else if (kind == 3) {  // a table of jumps
      out += "\t.section .rodata\n\t.p2align 2\n" + label + "t:\n";
      for (int k = 0; k < 4; ++k) out += "\t.word " + label + "c" + std::to_string(k % 3) + "\n";
      out += "\t.text\n";
      out += packet("r28 = and(" + reg(random.below(16)) + ",#3)");
      out += packet("r28 = memw(r28<<#2+##" + label + "t)") + packet("jumpr r28");
      for (int k = 0; k < 3; ++k) {
        out += label + "c" + std::to_string(k) + ":\n";
        emit(1 + part / 3);
        if (k < 2) out += packet("jump " + label);
      }
      out += label + ":\n";
    } else if (kind == 4 && random.chance(50)) {
      out += circular(random);
      emit(part);
    } else {
      emit(part);
      if (calls) out += "\t{\n\t\tcall helper\n\t}\n";
    }
  }
  return out + (calls ? "\t{\n\t\tdealloc_return\n\t}\n" : "\t{\n\t\tjumpr r31\n\t}\n");
}

}  // namespace burin::vliw::testing
