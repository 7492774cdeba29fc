#include "vliw/support/large_input.h"

#include "vliw/support/emulator.h"
#include "vliw/support/random_assembly.h"

namespace burin::vliw::testing {
namespace {

// Every "f1", "g2" or ".LBB0_1" of the text gets the number of its copy.
std::string renamed(const std::string& text, int copy) {
  const auto is_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  };
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_name(text[end])) ++end;
    if (end == i) {
      out += text[i++];
      continue;
    }
    const std::string word = text.substr(i, end - i);
    const bool defined = (end < text.size() && text[end] == ':' && (i == 0 || text[i - 1] == '\n'));
    out += word;
    if (word.rfind(".L", 0) == 0 || defined) out += "_" + std::to_string(copy);
    i = end;
  }
  return out;
}

std::string straight(const std::string& name, const std::vector<const Form*>& forms, int size,
                     Random& random) {
  std::string out = name + ":\n";
  for (int i = 0; i < size; ++i) {
    const Form& form = *forms[static_cast<size_t>(random.below(static_cast<int>(forms.size())))];
    out += "\t{\n\t\t" + random_instruction(form, random) + "\n\t}\n";
  }
  return out + "\t{\n\t\tjumpr r31\n\t}\n";
}

}  // namespace

int instructions_of(const Module& module) {
  int count = 0;
  for (const Item& item : module.items) count += static_cast<int>(item.packet.instructions.size());
  return count;
}

std::string large_input(const std::string& kind, int count, const Machine& machine) {
  std::string text;
  Random random(20);
  if (kind == "compiled") {
    const std::string once =
        read_text(std::string(BURIN_SOURCE_DIR) + "/tests/vliw/data/calls_unpacked.s");
    const int each = instructions_of(read_assembly(once, "calls_unpacked.s", machine));
    for (int copy = 0; copy * each < count; ++copy) text += renamed(once, copy);
    return text;
  }
  std::vector<const Form*> forms = usable_forms(machine);
  if (kind == "memory") {
    std::erase_if(forms, [](const Form* form) { return !form->is(kLoad | kStore); });
  }
  for (int made = 0, f = 0; made < count; ++f) {
    const int size = kind == "random" ? 10 + random.below(31) : kind == "searched" ? 60 : 2000;
    const std::string name = "f" + std::to_string(f);
    const std::string function = kind == "random" ? random_function(name, forms, size, random)
                                                  : straight(name, forms, size, random);
    for (size_t at = function.find("\t{\n"); at != function.npos;
         at = function.find("\t{\n", at + 1))
      ++made;  // one instruction each
    text += function;
  }
  return text;
}

}  // namespace burin::vliw::testing
