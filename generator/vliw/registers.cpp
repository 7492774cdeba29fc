#include "vliw/registers.h"

#include <array>
#include <utility>

#include "support/check.h"

namespace burin::vliw {
namespace {

struct Named {
  std::string_view name;
  int first;
  int count;
};

// Control registers by name and by number; pairs are two entries long.
constexpr std::array kControlRegisters{
    Named{"sa0", kLoopStart0, 1},
    Named{"c0", kLoopStart0, 1},
    Named{"lc0", kLoopCount0, 1},
    Named{"c1", kLoopCount0, 1},
    Named{"sa1", kLoopStart1, 1},
    Named{"c2", kLoopStart1, 1},
    Named{"lc1", kLoopCount1, 1},
    Named{"c3", kLoopCount1, 1},
    Named{"p3:0", kPredicate, 4},
    Named{"c4", kPredicate, 4},
    Named{"m0", kModifier, 1},
    Named{"c6", kModifier, 1},
    Named{"m1", kModifier + 1, 1},
    Named{"c7", kModifier + 1, 1},
    Named{"usr", kStatus, 3},
    Named{"c8", kStatus, 3},
    Named{"ugp", kOther, 1},
    Named{"c10", kOther, 1},
    Named{"gp", kGlobalPointer, 1},
    Named{"c11", kGlobalPointer, 1},
    Named{"cs0", kCircular, 1},
    Named{"c12", kCircular, 1},
    Named{"cs1", kCircular + 1, 1},
    Named{"c13", kCircular + 1, 1},
    Named{"cs", kCircular, 2},
    Named{"ovf", kSticky, 1},
    Named{"vtmp", kVectorTemporary, 1},
    Named{"c1:0", kLoopCount0, 2},
    Named{"lc0:sa0", kLoopCount0, 2},
    Named{"c3:2", kLoopCount1, 2},
    Named{"lc1:sa1", kLoopCount1, 2},
    Named{"c7:6", kModifier, 2},
    Named{"m1:0", kModifier, 2},
    Named{"c13:12", kCircular, 2},
    Named{"cs1:0", kCircular, 2},
};
// These are all one to us: nothing may be moved across a write of one of them.
constexpr std::array kOtherNames{
    "pc",         "c9",         "c5",         "upcyclelo", "upcyclehi", "upcycle", "c14",
    "c15",        "c15:14",     "framelimit", "framekey",  "c16",       "c17",     "c17:16",
    "pktcountlo", "pktcounthi", "pktcount",   "c18",       "c19",       "c19:18",  "utimerlo",
    "utimerhi",   "utimer",     "c30",        "c31",       "c31:30",    "gosp",    "elr",
    "sgp0",       "sgp1",       "ccr",        "c5:4",      "c9:8",      "c11:10",  "sgp1:0"};

bool read_number(std::string_view& text, int& value) {
  size_t n = 0;
  value = 0;
  while (n < text.size() && text[n] >= '0' && text[n] <= '9' && n < 4)
    value = value * 10 + (text[n++] - '0');
  if (n == 0 || n > 3 || (n > 1 && text[0] == '0')) return false;
  text.remove_prefix(n);
  return true;
}

RegisterName run(char file, int base, int number, int width) {
  RegisterName name{RegisterName::Status::kRegister, file, width, {}, base + number};
  for (int i = 0; i < width; ++i) name.set.add(base + number + i);
  return name;
}

// "r5", "v3:0": no name of a control register, of which there are many.
bool is_numbered(std::string_view text) {
  return text.size() > 1 && text[1] >= '0' && text[1] <= '9' && text != "p3:0" &&
         (text[0] == 'r' || text[0] == 'v' || text[0] == 'p' || text[0] == 'q');
}

RegisterName control(std::string_view text) {
  for (const Named& named : kControlRegisters) {
    if (named.name != text) continue;
    const bool pair = text.find(':') != std::string_view::npos && text != "p3:0";
    RegisterName name{RegisterName::Status::kRegister,
                      'C',
                      pair ? 2 : 1,
                      {},
                      named.count == 1 ? named.first : -1};
    for (int i = 0; i < named.count; ++i) name.set.add(named.first + i);
    if (text == "m0" || text == "m1") name.file = 'M';
    return name;
  }
  for (const std::string_view other : kOtherNames) {
    if (other != text) continue;
    RegisterName name{
        RegisterName::Status::kRegister, 'C', text.find(':') != text.npos ? 2 : 1, {}, -1};
    name.set.add(kOther);
    if (text == "c5:4") name.set = name.set | control("p3:0").set;
    if (text == "c9:8") name.set = name.set | control("usr").set;
    if (text == "c11:10") name.set = name.set | control("gp").set;
    return name;
  }
  return {};
}

}  // namespace

RegisterName register_name(std::string_view text) {
  if (text == "sp") return run('R', kScalar, 29, 1);
  if (text == "fp") return run('R', kScalar, 30, 1);
  if (text == "lr") return run('R', kScalar, 31, 1);
  if (text == "lr:fp") return run('R', kScalar, 30, 2);
  if (!is_numbered(text)) {
    if (const RegisterName name = control(text); name.status != RegisterName::Status::kNone)
      return name;
  }
  const char file = text.empty() ? '\0' : text[0];
  std::string_view rest = text.substr(text.empty() ? 0 : 1);
  int number = 0;
  if (!read_number(rest, number)) return {};
  int low = number;
  if (!rest.empty()) {
    if (rest[0] != ':') return {};
    rest.remove_prefix(1);
    if (!read_number(rest, low) || !rest.empty()) return {};
  }
  const int width = number - low + 1;
  const auto within = [&](int count, bool quads) {
    if (number >= count) return false;
    return width == 1 || (width == 2 && low % 2 == 0) || (quads && width == 4 && low % 4 == 0);
  };
  const RegisterName invalid{RegisterName::Status::kInvalid, file, 1, {}, -1};
  switch (file) {
    case 'r':
      return within(32, false) ? run('R', kScalar, low, width) : invalid;
    case 'v':
      // v4:5 names the pair with its halves exchanged: not in the table, so it stays unknown text
      return within(32, true) ? run('V', kVector, low, width)
             : width == 0     ? RegisterName{}
                              : invalid;
    case 'p':
      return width == 1 && within(4, false) ? run('P', kPredicate, low, 1) : invalid;
    case 'q':
      return width == 1 && within(4, false) ? run('Q', kVectorPredicate, low, 1) : invalid;
    case 'm':
      return invalid;
    case 's':
    case 'g': {
      RegisterName name{RegisterName::Status::kRegister, file == 's' ? 'S' : 'G', width, {}, -1};
      name.set.add(kOther);
      return name;
    }
    default:
      return {};
  }
}

std::string name_of_register(int number) {
  BURIN_CHECK(number >= 0 && number < kRegisterCount);
  if (number < kVector) return "r" + std::to_string(number);
  if (number < kPredicate) return "v" + std::to_string(number - kVector);
  if (number < kVectorPredicate) return "p" + std::to_string(number - kPredicate);
  if (number < kModifier) return "q" + std::to_string(number - kVectorPredicate);
  if (number == kStatus) return "usr";
  if (number == kLoopConfig) return "lpcfg";
  if (number == kOther) return "system";
  for (const Named& named : kControlRegisters) {
    if (named.count == 1 && named.first == number) return std::string(named.name);
  }
  return "?";
}

RegisterSet registers_of_list(std::string_view list) {
  RegisterSet set;
  while (!list.empty()) {
    const size_t end = std::min(list.find(' '), list.size());
    const std::string_view word = list.substr(0, end);
    if (word == "z") {  // of HVX: no operand names it
      set.add(kOther);
    } else if (word == "v") {  // all of them: a histogram
      for (int r = kVector; r < kPredicate; ++r) set.add(r);
    } else if (end > 0) {
      const RegisterName name = register_name(word);
      BURIN_CHECK(name.status == RegisterName::Status::kRegister, std::string(list));
      set |= name.set;
    }
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return set;
}

}  // namespace burin::vliw
