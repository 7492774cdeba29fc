// Lines, labels, directives and packets of a file. One pass, linear in the bytes.
#include <algorithm>
#include <cctype>
#include <set>
#include <unordered_map>

#include "support/diagnostics.h"
#include "vliw/assembly.h"

namespace burin::vliw {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$' ||
         c == '@';
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file, const Machine& machine)
      : text_(text), machine_(machine) {
    module_.file = file;
  }

  Module run() {
    while (at_ < text_.size()) {
      const size_t end = std::min(text_.find('\n', at_), text_.size());
      ++line_;
      read_line(text_.substr(at_, end - at_));
      at_ = end + 1;
    }
    if (in_comment_) fail(0, "a comment is not closed");
    if (verbatim_ > 0) {
      line_ = verbatim_from_;
      fail(0, "a macro or repetition is not closed");
    }
    if (open_) {
      line_ = packet_.line;
      fail(0, "the packet is not closed");
    }
    return std::move(module_);
  }

 private:
  [[noreturn]] void fail(size_t column, std::string message) const {
    const std::string where = std::to_string(line_) + ":" + std::to_string(column + 1);
    located({module_.file, where, "", "", ""}, [&] { refuse("bad-assembly", std::move(message)); });
    std::abort();
  }

  void read_line(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    std::string kept;
    if (in_comment_ && comment_kept_) {
      const size_t end = line.find("*/");
      if (end == std::string_view::npos || skip(line, end + 2) == line.size()) {
        in_comment_ = end == std::string_view::npos;
        return directive(line);
      }
      directive(line.substr(0, end + 2));
      kept = std::string(end + 2, ' ') + std::string(line.substr(end + 2));
      line = kept;
      in_comment_ = false;
    }
    std::string code(line);
    std::string comment;
    const bool inside = in_comment_;
    strip_comments(code, comment);
    size_t i = skip(code, 0);
    comment_kept_ = in_comment_ && i == code.size() && !open_ && !inside;
    if ((inside || in_comment_) && !comment_kept_) line = code;
    if (!open_ && belongs_to_macro(code, i)) return directive(line);
    if (i == code.size()) {
      if (open_) {
        if (!comment.empty()) packet_.comments.push_back(std::string(line));
      } else {
        directive(line);
      }
      return;
    }
    if (!open_) {
      if (code[i] == '.' && !is_label(code, i)) return directive(line);
      if (code[i] == '#' || is_assignment(code, i)) return directive(line);
      const size_t start = i;
      while (is_label(code, i)) {
        const size_t colon = code.find(':', code[i] == '"' ? quoted_end(code, i) : i);
        Item item{Item::Kind::kLabel, std::string(line), {}, line_};
        const bool last = skip(code, colon + 1) == code.size();
        const bool alone = last && i == start;
        item.text = code.substr(i, colon - i);
        define(item.text, i);
        if (alone) item.packet.comments.push_back(std::string(line));  // the line as it was
        module_.items.push_back(std::move(item));
        i = skip(code, colon + 1);
        if (last) return;
      }
      if (belongs_to_macro(code, i) || code[i] == '.')
        return directive(std::string_view(code).substr(i));
    }
    statements(code, i, comment);
  }

  // Bodies of macros and repetitions are the assembler's, to the letter; so are calls of macros.
  bool belongs_to_macro(const std::string& code, size_t i) {
    size_t end = i;
    while (end < code.size() && is_name(code[end])) ++end;
    const std::string written = code.substr(i, end - i);
    std::string word = written;  // of directives, not of macros, capitals are the same
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (word == ".macro" || word == ".rept" || word == ".rep" || word == ".irp" ||
        word == ".irpc") {
      if (verbatim_++ == 0) verbatim_from_ = line_;
      size_t name = skip(code, end), after = name;
      while (after < code.size() && is_name(code[after])) ++after;
      if (word == ".macro" && after > name) macros_.insert(code.substr(name, after - name));
      return true;
    }
    if (word.rfind(".if", 0) == 0) conditional_ = true;
    if (verbatim_ == 0) return macros_.count(written) > 0;
    if (word == ".endm" || word == ".endmacro" || word == ".endr") --verbatim_;
    return true;
  }

  // A name is defined once; numbers are local labels, and .if may choose between two.
  void define(const std::string& name, size_t column) {
    if (conditional_ || name.find_first_not_of("0123456789") == std::string::npos) return;
    const auto [at, fresh] = labels_.try_emplace(name, line_);
    if (!fresh) {
      fail(column, "label " + quoted(name) + " was defined on line " + std::to_string(at->second));
    }
  }

  // Blanks /* */ out and takes // off; strings are left alone. Comments and strings may hold any
  // byte: compilers write values into comments as they are.
  void strip_comments(std::string& code, std::string& comment) {
    bool string = false;
    for (size_t i = 0; i < code.size(); ++i) {
      const bool pair = i + 1 < code.size();
      if (in_comment_) {
        in_comment_ = !(code[i] == '*' && pair && code[i + 1] == '/');
        code[i] = ' ';
        if (!in_comment_) code[++i] = ' ';
      } else if (string) {
        if (code[i] == '\\')
          ++i;
        else if (code[i] == '"')
          string = false;
      } else if (code[i] == '/' && pair && code[i + 1] == '/') {
        while (i > 0 && is_space(code[i - 1])) --i;
        comment = code.substr(i);
        code.resize(i);
        return;
      } else if (code[i] == '/' && pair && code[i + 1] == '*') {
        in_comment_ = true;
        code[i] = code[i + 1] = ' ';
        ++i;
      } else {
        const auto byte = static_cast<unsigned char>(code[i]);
        if ((byte < 0x20 && byte != '\t') || byte == 0x7f) fail(i, "a control character");
        string = code[i] == '"';
      }
    }
    if (string) fail(code.size(), "a string is not closed");
  }

  static size_t skip(std::string_view code, size_t i) {
    while (i < code.size() && is_space(code[i])) ++i;
    return i;
  }

  // "name = expression" outside a packet assigns a symbol.
  static bool is_assignment(std::string_view code, size_t i) {
    size_t end = i;
    while (end < code.size() && is_name(code[end])) ++end;
    const std::string_view name = code.substr(i, end - i);
    const size_t equal = skip(code, end);
    if (name.empty() || equal >= code.size() || code[equal] != '=') return false;
    const size_t dot = name.find('.');
    const RegisterName::Status status = register_name(name.substr(0, dot)).status;
    return status == RegisterName::Status::kNone && dot != 0 &&
           register_name(name).status == RegisterName::Status::kNone;
  }

  // Behind the closing quote of the string at i.
  static size_t quoted_end(std::string_view code, size_t i) {
    for (++i; i < code.size() && code[i] != '"'; ++i) {
      if (code[i] == '\\') ++i;
    }
    return std::min(i + 1, code.size());
  }

  static bool is_label(std::string_view code, size_t i) {
    size_t end = i;
    if (end < code.size() && code[end] == '"') {
      end = quoted_end(code, end);
    } else {
      while (end < code.size() && is_name(code[end])) ++end;
    }
    if (end == i || end >= code.size() || code[end] != ':') return false;
    // "r1:0 = ..." and "p3:0 = c4" are pairs, not labels
    size_t pair = end + 1;
    while (pair < code.size() && std::isalnum(static_cast<unsigned char>(code[pair])) != 0) ++pair;
    return pair == end + 1 ||
           register_name(code.substr(i, pair - i)).status == RegisterName::Status::kNone;
  }

  void directive(std::string_view line) {
    module_.items.push_back({Item::Kind::kDirective, std::string(line), {}, line_});
  }

  void statements(const std::string& code, size_t i, const std::string& comment) {
    bool took_comment = comment.empty();
    while (i < code.size()) {
      i = skip(code, i);
      if (i == code.size()) break;
      if (code[i] == ';') {
        ++i;
        continue;
      }
      if (code[i] == '{') {
        if (open_) fail(i, "a packet inside a packet");
        open_ = true;
        packet_ = {};
        packet_.line = line_;
        packet_.column = static_cast<int>(i) + 1;
        ++i;
        continue;
      }
      if (code[i] == '}') {
        if (!open_) fail(i, "a closing brace without a packet");
        i = close_packet(code, i + 1);
        continue;
      }
      if (open_ && is_label(code, i)) fail(i, "a label inside a packet");
      if (open_ && code[i] == '.') fail(i, "a directive inside a packet");
      size_t end = i;
      while (end < code.size() && code[end] != ';' && code[end] != '}' && code[end] != '{') ++end;
      Instruction instruction = parse(code, i, end);
      // A compare and jump of one word is written as two statements.
      if (end < code.size() && code[end] == ';' && instruction.form != nullptr &&
          !instruction.form->is(kChangesFlow)) {
        size_t second = end + 1;
        while (second < code.size() && code[second] != ';' && code[second] != '}' &&
               code[second] != '{')
          ++second;
        if (std::string_view(code).substr(end, second - end).find("jump") !=
            std::string_view::npos) {
          Instruction compound = parse(code, i, second);
          if (compound.form != nullptr) {
            instruction = std::move(compound);
            end = second;
          }
        }
      }
      const bool last = skip(code, end) == code.size();
      if (last && !took_comment) {
        instruction.comment = comment;
        took_comment = true;
      }
      if (open_) {
        if (packet_.instructions.size() == 8) fail(i, "more than 8 instructions in a packet");
        packet_.instructions.push_back(std::move(instruction));
      } else {
        Item item{Item::Kind::kPacket, {}, {}, line_};
        item.packet.line = line_;
        item.packet.column = instruction.column;
        item.packet.instructions.push_back(std::move(instruction));
        module_.items.push_back(std::move(item));
      }
      i = end;
    }
    if (!took_comment) {
      if (open_)
        packet_.comments.push_back(comment);
      else if (!module_.items.empty() && module_.items.back().kind == Item::Kind::kPacket)
        module_.items.back().packet.tail_comment = comment;
      else
        directive(comment);
    }
  }

  Instruction parse(const std::string& code, size_t from, size_t end) const {
    return located({module_.file, "", "", "", ""}, [&] {
      return parse_instruction(std::string_view(code).substr(from, end - from), machine_, line_,
                               static_cast<int>(from) + 1);
    });
  }

  size_t close_packet(const std::string& code, size_t i) {
    while (true) {
      i = skip(code, i);
      if (i == code.size() || code[i] != ':') break;
      size_t end = i + 1;
      end = skip(code, end);
      const size_t start = end;
      while (end < code.size() &&
             (std::isalnum(static_cast<unsigned char>(code[end])) || code[end] == '_'))
        ++end;
      const std::string_view word = std::string_view(code).substr(start, end - start);
      if (word == "endloop0")
        packet_.end_loop0 = true;
      else if (word == "endloop1")
        packet_.end_loop1 = true;
      else if (word == "endloop01")
        packet_.end_loop0 = packet_.end_loop1 = true;
      else if (word == "mem_noshuf")
        packet_.memory_in_order = true;
      else
        fail(i, "no packet suffix " + quoted(word));
      i = end;
    }
    open_ = false;
    Item item{Item::Kind::kPacket, {}, std::move(packet_), line_};
    module_.items.push_back(std::move(item));
    return i;
  }

  std::string_view text_;
  const Machine& machine_;
  Module module_;
  size_t at_ = 0;
  int line_ = 0;
  bool in_comment_ = false, comment_kept_ = false;  // kept: on lines of its own
  bool open_ = false;
  bool conditional_ = false;  // .if was seen
  int verbatim_ = 0;          // macros and repetitions that are open
  int verbatim_from_ = 0;
  std::set<std::string> macros_;
  std::unordered_map<std::string, int> labels_;  // and their lines; looked up only, never walked
  Packet packet_;
};

}  // namespace

Module read_assembly(std::string_view text, const std::string& file, const Machine& machine) {
  return Reader(text, file, machine).run();
}

}  // namespace burin::vliw
