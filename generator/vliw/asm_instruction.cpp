// One instruction's text: literals, registers, immediates and targets.
#include <cctype>
#include <charconv>

#include "support/check.h"
#include "support/diagnostics.h"
#include "vliw/assembly.h"

namespace burin::vliw {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

[[noreturn]] void bad(int line, size_t column, std::string message) {
  located({"", std::to_string(line) + ":" + std::to_string(column), "", "", ""},
          [&] { refuse("bad-assembly", std::move(message)); });
  std::abort();
}

constexpr int64_t kWord = int64_t{1} << 32;

// Does a target follow this literal? "jump", "if (p0) jump:nt", "call", "loop0(".
bool wants_target(std::string_view literal) {
  literal = trim(literal);
  for (const std::string_view end : {"jump", "jump:nt", "jump:t", "call", "loop0(", "loop1("}) {
    if (literal.size() < end.size() || literal.substr(literal.size() - end.size()) != end) continue;
    const size_t before = literal.size() - end.size();
    if (before == 0 || !is_word(literal[before - 1]) || end.back() == '(') return true;
  }
  return false;
}

// False: a number that does not fit in 64 bits. is_number: not an expression with symbols.
bool parse_number(std::string_view text, int64_t& value, bool& is_number) {
  is_number = false;
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  uint64_t magnitude = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (result.ptr != text.data() + text.size() || text.empty()) return true;
  if (result.ec == std::errc::result_out_of_range) return false;
  if (result.ec != std::errc{}) return true;
  value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  is_number = true;
  return true;
}

// The same of a number or of one that is shifted to the left: 16<<2.
bool parse_value(std::string_view text, int64_t& value, bool& is_number) {
  const size_t shift = text.find("<<");
  if (shift == std::string_view::npos) return parse_number(text, value, is_number);
  int64_t by = 0;
  bool known = false;
  if (!parse_number(trim(text.substr(0, shift)), value, is_number) ||
      !parse_number(trim(text.substr(shift + 2)), by, known))
    return false;
  is_number = is_number && known && by >= 0 && by < 32 && value < kWord && value >= -kWord;
  if (is_number) value *= int64_t{1} << by;
  return true;
}

class Splitter {
 public:
  Splitter(std::string_view text, int line, int column)
      : text_(text), line_(line), column_(column) {}

  Instruction run() {
    out_.line = line_;
    out_.column = column_;
    while (at_ < text_.size()) step();
    if (depth_ != 0) fail(at_, "parentheses do not match");
    out_.literals.push_back(literal_);
    return std::move(out_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (!is_space(c) && wants_target(literal_) && c != ':') return target();
    if (c == '#') return immediate();
    const bool word_start = is_word(c) && (at_ == 0 || !is_word(text_[at_ - 1]));
    if (word_start && (at_ == 0 || text_[at_ - 1] != '.')) return word();
    if (c == '(') ++depth_;
    if (c == ')' && --depth_ < 0) fail(at_, "parentheses do not match");
    if (c == ',' || c == ')') {
      const std::string_view before = trim(literal_);
      if (before.empty() ? out_.operands.empty()
                         : before.back() == ',' || (c == ',' && before.back() == '(')) {
        fail(at_, "an operand is missing");
      }
    }
    literal_ += text_[at_++];
  }

  void word() {
    size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    size_t pair = end;
    if (pair + 1 < text_.size() && text_[pair] == ':' && is_word(text_[pair + 1])) {
      ++pair;
      while (pair < text_.size() && is_word(text_[pair])) ++pair;
      const std::string_view name = text_.substr(at_, pair - at_);
      if (check(name).status == RegisterName::Status::kRegister) return take(name);
    }
    const std::string_view name = text_.substr(at_, end - at_);
    const RegisterName found = check(name);
    const bool whole_side = trim(text_.substr(0, at_)).empty() ||
                            (trim(text_.substr(end)).empty() && !trim(literal_).empty() &&
                             trim(literal_).back() == '=');
    if (found.status == RegisterName::Status::kRegister && (found.file != 'C' || whole_side))
      return take(name);
    literal_ += name;
    at_ = end;
  }

  RegisterName check(std::string_view name) {
    const RegisterName found = register_name(name);
    if (found.status == RegisterName::Status::kInvalid) fail(at_, "no register " + quoted(name));
    return found;
  }

  void take(std::string_view name) {
    const RegisterName found = register_name(name);
    Operand operand;
    operand.kind = found.file;
    operand.width = found.width;
    operand.first = found.first;
    operand.set = found.set;
    operand.text = std::string(name);
    push(std::move(operand), at_ + name.size());
  }

  void immediate() {
    const size_t start = at_;
    size_t from = at_ + 1;
    Operand operand;
    if (from < text_.size() && text_[from] == '#') {
      operand.extended = true;
      ++from;
    }
    size_t end = from;
    int depth = 0;
    for (; end < text_.size(); ++end) {
      const char c = text_[end];
      if (c == ';') break;  // the jump of a compound
      if (c == '(') ++depth;
      if (depth == 0 && (c == ',' || c == ')' || c == ':')) break;
      if (depth == 0 && c == '+' && end + 1 < text_.size() && text_[end + 1] == '#') break;
      if (c == ')') --depth;
    }
    std::string_view text = text_.substr(from, end - from);
    end -= text.size() - trim_right(text);
    text = trim(text_.substr(from, end - from));
    if (text.empty() || text[0] == '#') fail(start, "an immediate is missing");
    operand.text = std::string(text);
    if (!parse_value(text, operand.value, operand.has_value))
      fail(start, "a number of more than 64 bits");
    const bool wide = operand.value >= kWord || operand.value < -kWord / 2;
    if (wide && literal_.find("CONST64") == std::string::npos)
      fail(start, "a number of more than 32 bits");
    // Registers and addresses have 32 bits: #0xfffffffc is #-4.
    if (!wide) operand.value = static_cast<int32_t>(static_cast<uint32_t>(operand.value));
    push(std::move(operand), end);
  }

  static size_t trim_right(std::string_view text) {
    size_t n = text.size();
    while (n > 0 && is_space(text[n - 1])) --n;
    return n;
  }

  void target() {
    Operand operand;
    operand.kind = '@';
    size_t from = at_;
    while (from < text_.size() && text_[from] == '#') {
      operand.extended = from > at_;
      ++from;
    }
    size_t end = from;
    while (end < text_.size() && text_[end] != ',' && text_[end] != ')') ++end;
    end = from + trim_right(text_.substr(from, end - from));
    if (end == from) fail(at_, "a target is missing");
    operand.text = std::string(text_.substr(from, end - from));
    push(std::move(operand), end);
  }

  void push(Operand operand, size_t next) {
    if (out_.operands.size() == 12) fail(at_, "too many operands");
    out_.literals.push_back(std::move(literal_));
    literal_.clear();
    out_.operands.push_back(std::move(operand));
    at_ = next;
  }

  [[noreturn]] void fail(size_t at, std::string message) const {
    bad(line_, static_cast<size_t>(column_) + at, std::move(message));
  }

  std::string_view text_;
  int line_, column_;
  size_t at_ = 0;
  int depth_ = 0;
  std::string literal_;
  Instruction out_;
};

// "if ( p0 ) r1 = " -> "if(p0)r1=": a blank only survives between two words.
void append_squeezed(std::string& key, std::string_view literal) {
  bool space = false;
  for (const char c : literal) {
    if (is_space(c)) {
      space = true;
      continue;
    }
    if (space && !key.empty() && is_word(key.back()) && is_word(c)) key += ' ';
    space = false;
    key += c;
  }
  if (space && !key.empty() && is_word(key.back())) key += ' ';
}

void append_placeholder(std::string& key, std::string_view placeholder) {
  if (!key.empty() && key.back() == ' ' && !is_word(placeholder[0])) key.pop_back();
  key += placeholder;
}

}  // namespace

std::string Instruction::text() const {
  std::string out;
  for (size_t i = 0; i < operands.size(); ++i) {
    out += literals[i];
    if (operands[i].kind == 'i') out += operands[i].extended ? "##" : "#";
    if (operands[i].kind == '@' && operands[i].extended) out += "##";
    out += operands[i].text;
  }
  return out + literals.back();
}

std::string key_of(const Instruction& instruction) {
  std::string key;
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    append_squeezed(key, instruction.literals[i]);
    const Operand& operand = instruction.operands[i];
    if (operand.kind == 'i') {
      append_placeholder(key, "#");
    } else if (operand.kind == '@') {
      append_placeholder(key, "@");
    } else {
      const std::string letter(1, operand.kind);
      append_placeholder(key, operand.width == 1   ? letter
                              : operand.width == 2 ? letter + letter
                                                   : letter + "Q");
    }
  }
  append_squeezed(key, instruction.literals.back());
  while (!key.empty() && key.back() == ' ') key.pop_back();
  return key;
}

// "r1 = add(#8,lsr(r1,#2))": one register, spelt twice.
bool keeps_tie(const Instruction& instruction) {
  const int tied = instruction.form->tied;
  return tied < 0 ||
         instruction.operands[0].set == instruction.operands[static_cast<size_t>(tied)].set;
}

Instruction parse_instruction(std::string_view text, const Machine& machine, int line, int column) {
  while (!text.empty() && is_space(text.front())) {
    text.remove_prefix(1);
    ++column;
  }
  Instruction instruction = Splitter(trim(text), line, column).run();
  instruction.form = machine.find(key_of(instruction));
  // A text may spell a placeholder: "R=R" is no move.
  if (instruction.form != nullptr && instruction.form->roles.size() != instruction.operands.size())
    instruction.form = nullptr;
  if (instruction.form != nullptr) {
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
      const OperandRole& role = instruction.form->roles[i];
      const Operand& operand = instruction.operands[i];
      const bool fixed = role.role != 'k' || (operand.has_value && operand.value == role.literal);
      const int number = operand.first % 32;
      const bool low =
          !role.low || operand.kind != 'R' || number < 8 || (number >= 16 && number < 24);
      if (!fixed || !low) instruction.form = nullptr;
      if (instruction.form == nullptr) break;
    }
    if (instruction.form != nullptr && !keeps_tie(instruction)) instruction.form = nullptr;
  }
  return instruction;
}

std::string_view suffix_of(const Instruction& instruction, int k) {
  const std::string_view after = instruction.literals[static_cast<size_t>(k) + 1];
  if (after.size() < 4 || after[0] != '.' ||
      (after[1] != 'n' && after[1] != 'c' && after[1] != 't'))
    return {};
  for (const std::string_view suffix : {"new", "cur", "tmp"}) {
    if (after.size() > suffix.size() && after[0] == '.' &&
        after.substr(1, suffix.size()) == suffix &&
        !is_word(after.size() > suffix.size() + 1 ? after[suffix.size() + 1] : ' ')) {
      return suffix;
    }
    if (after.size() == suffix.size() + 1 && after[0] == '.' && after.substr(1) == suffix)
      return suffix;
  }
  return {};
}

Instruction with_suffix(const Instruction& instruction, int k, std::string_view suffix,
                        const Machine& machine) {
  Instruction changed = instruction;
  std::string& after = changed.literals[static_cast<size_t>(k) + 1];
  const std::string_view old = suffix_of(instruction, k);
  if (!old.empty()) after.erase(0, old.size() + 1);
  if (!suffix.empty()) after.insert(0, "." + std::string(suffix));
  changed.form = machine.find(key_of(changed));
  return changed;
}

int words_of(const Instruction& instruction) {
  if (instruction.form == nullptr) return 1;
  int extra = 0;
  for (const Operand& operand : instruction.operands)
    extra |= operand.extended && operand.kind != '@' ? 1 : 0;
  for (const ExtendRange& range : instruction.form->extend) {
    const Operand& operand = instruction.operands[static_cast<size_t>(range.operand)];
    if (operand.kind == '@') {
      extra |= operand.extended ? 1 : 0;
      continue;
    }
    if (range.must && instruction.form->extend.size() == 1) extra = 1;
    if (range.operand != instruction.form->extend[0].operand) continue;
    if (!operand.has_value) {  // the assembler extends what it cannot yet compute
      extra = 1;
      continue;
    }
    const int64_t unit = int64_t{1} << range.align;
    const int64_t count = int64_t{1} << range.bits;
    const int64_t low = range.is_signed ? -(count / 2) : 0;
    const int64_t high = low + count - 1;
    // bits count the value, its zero low bits included: s13:2 is -4096 to 4092
    const bool fits = operand.value % unit == 0 && operand.value >= low && operand.value <= high;
    if (!fits) extra = 1;
  }
  return 1 + extra;
}

}  // namespace burin::vliw
