#include "vliw/checker/word_counts.h"

#include <cctype>

namespace burin::vliw {
namespace {

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
}

}  // namespace

void Names::add(std::string_view text, Count& count) {
  text = text.substr(0, text.find("//"));
  size_t from = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && in_word(text[at])) continue;
    if (at > from) ++count[std::string(text.substr(from, at - from))];
    from = at + 1;
  }
}

void Names::add(const Packet& packet, Count& count) {
  for (const Instruction& i : packet.instructions) {
    for (const Operand& operand : i.operands) {
      if (operand.kind == '@' || (operand.kind == 'i' && !operand.has_value))
        add(operand.text, count);
    }
  }
}

Names::Names(const Module& module) {
  for (const Item& item : module.items) {
    if (item.kind == Item::Kind::kLabel) ++labels_[item.text];
    if (item.kind == Item::Kind::kDirective) add(item.text, mentions_);
    if (item.kind == Item::Kind::kPacket) add(item.packet, mentions_);
  }
}

int Names::mentions(const Packet& packet, const std::string& name) {
  Count count;
  add(packet, count);
  return get(count, name);
}

}  // namespace burin::vliw
