// Reading a template: lines become a tree by their indentation; names are resolved to places in an
// environment that grows and shrinks with the blocks, so that rendering looks nothing up.
#include <algorithm>

#include "render/template_body.h"
#include "support/diagnostics.h"
#include "support/embedded.h"
#include "support/spelling.h"

namespace burin {
namespace {

using NodeKind = TemplateNode::Kind;

constexpr int kDeepestBlock = 32;

struct Line {
  int number = 0;
  size_t indent = 0;      // spaces
  std::string_view text;  // without them
  bool blank() const { return text.empty(); }
  bool control() const {
    return text[0] == '$' && (text.size() < 2 || (text[1] != '{' && text[1] != '$'));
  }
};

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
  });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

class TemplateReader {
 public:
  TemplateReader(std::string_view text, TemplateBody& body) : body_(body) {
    int number = 0;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      ++number;
      const size_t indent = std::min(line.find_first_not_of(' '), line.size());
      line.remove_prefix(indent);
      // Lines that are template comments do not exist from here on.
      if (!line.starts_with("$#")) lines_.push_back({number, indent, line});
    }
  }

  void read() {
    read_params();
    body_.nodes = block(0, 0, 0);
    if (!done()) fail("the block ends, but the line is indented");
    pop_scope(0);
  }

 private:
  bool done() const { return at_ == lines_.size(); }
  SourceLine source(int line) const { return {body_.file, line}; }
  [[noreturn]] void fail(const std::string& message) const {
    source(lines_[at_].number).fail(message);
  }
  // Index of the next line that is not blank, or the number of lines.
  size_t next_text() const {
    size_t i = at_;
    while (i < lines_.size() && lines_[i].blank()) ++i;
    return i;
  }

  void read_params() {
    for (; !done(); ++at_) {
      const Line& line = lines_[at_];
      if (line.blank() && !body_.params.empty()) continue;
      if (line.blank() || !line.text.starts_with("$param ")) break;
      const std::string_view rest = line.text.substr(7);
      const size_t colon = rest.find(':');
      const size_t hash = rest.find('#');
      if (colon == rest.npos || hash == rest.npos || hash < colon) {
        fail("expected '$param name: type  # meaning'");
      }
      const std::string name(trimmed(rest.substr(0, colon)));
      const SourceLine at = source(line.number);
      TemplateParam param{
          name, parse_template_type(trimmed(rest.substr(colon + 1, hash - colon - 1)), at),
          std::string(trimmed(rest.substr(hash + 1))), line.number};
      if (param.doc.empty())
        fail("parameter " + quoted(name) + " has no meaning written after '#'");
      declare(name, param.type);
      body_.params.push_back(std::move(param));
    }
  }

  void declare(const std::string& name, const TemplateType& type) {
    if (!is_name(name)) fail(quoted(name) + " is not a name");
    for (const TemplateVariable& other : scope_) {
      if (other.name == name && name != "_") {
        fail("name " + quoted(name) + " is taken on line " + std::to_string(other.line));
      }
    }
    scope_.push_back({name, type, lines_[at_].number, name == "_"});
  }
  void pop_scope(size_t size) {
    for (size_t i = size; i < scope_.size(); ++i) {
      if (!scope_[i].used) {
        source(scope_[i].line).fail("name " + quoted(scope_[i].name) + " is never used");
      }
    }
    scope_.resize(size);
  }

  // Lines indented by `indent` or more, until one that is indented less. `shift` is taken off their
  // indentation. The names declared in the block end with it, but for the outermost one.
  std::vector<TemplateNode> block(size_t indent, size_t shift, int depth) {
    if (depth > kDeepestBlock) fail("blocks are nested too deeply");
    const size_t outer = scope_.size();
    std::vector<TemplateNode> nodes;
    while (true) {
      const size_t next = next_text();
      // Blank lines before a line that ends the block belong outside of it; at the end of the file,
      // to all.
      const bool ends = next == lines_.size() ? depth > 0 : lines_[next].indent < indent;
      if (ends) break;
      for (; at_ < next; ++at_)
        nodes.push_back({.kind = NodeKind::kLine, .line = lines_[at_].number});
      if (done()) break;
      const Line& line = lines_[at_];
      nodes.push_back(line.control() ? control(line, shift, depth) : text_line(line, shift));
    }
    if (depth > 0) pop_scope(outer);
    return nodes;
  }

  // The block under the control line just read.
  std::vector<TemplateNode> body_of(const Line& line, size_t shift, int depth) {
    const size_t next = next_text();
    if (next == lines_.size() || lines_[next].indent <= line.indent) {
      source(line.number).fail("the line has no indented block");
    }
    const size_t indent = lines_[next].indent;
    std::vector<TemplateNode> nodes = block(indent, shift + indent - line.indent, depth + 1);
    const size_t after = next_text();
    if (after < lines_.size() && lines_[after].indent > line.indent) {
      source(lines_[after].number).fail("the line is indented less than the block it is in");
    }
    return nodes;
  }

  TemplateNode control(const Line& line, size_t shift, int depth) {
    const size_t space = std::min(line.text.find_first_of(" :"), line.text.size());
    const std::string_view keyword = line.text.substr(0, space);
    const std::string_view rest = trimmed(line.text.substr(space));
    if (keyword == "$for") return for_loop(line, rest, shift, depth);
    if (keyword == "$if") return if_chain(line, rest, shift, depth);
    if (keyword == "$let") return let(line, rest);
    if (keyword == "$assert") {
      TemplateNode node{.kind = NodeKind::kAssert, .line = line.number};
      node.expressions.push_back(condition(rest, line));
      node.source = rest;
      ++at_;
      return node;
    }
    if (keyword == "$elif" || keyword == "$else") fail(quoted(keyword) + " without '$if'");
    if (keyword == "$param") fail("parameters come first");
    const std::string hint =
        did_you_mean(keyword, {"$for", "$if", "$elif", "$else", "$let", "$assert", "$param"});
    fail("unknown directive " + quoted(keyword) +
         (hint.empty() ? "; '$$' stands for a dollar sign" : "; " + hint));
  }

  std::string_view before_colon(std::string_view rest) const {
    if (rest.empty() || rest.back() != ':') fail("expected ':' at the end of the line");
    return trimmed(rest.substr(0, rest.size() - 1));
  }
  TemplateExpr condition(std::string_view text, const Line& line) {
    TemplateExpr expr = parse_expression(text, scope_, source(line.number));
    if (expr.type.kind != TemplateType::Kind::kBool) {
      fail("a condition needs bool, found " + to_string(expr.type));
    }
    return expr;
  }

  TemplateNode for_loop(const Line& line, std::string_view rest, size_t shift, int depth) {
    rest = before_colon(rest);
    const size_t in = rest.find(" in ");
    if (in == rest.npos) fail("expected '$for name in list:'");
    TemplateNode node{.kind = NodeKind::kFor, .line = line.number};
    TemplateExpr list = parse_expression(rest.substr(in + 4), scope_, source(line.number));
    if (list.type.kind != TemplateType::Kind::kList)
      fail("'$for' needs a list, found " + to_string(list.type));
    const size_t outer = scope_.size();
    declare(std::string(trimmed(rest.substr(0, in))), list.type.element.at(0));
    node.expressions.push_back(std::move(list));
    ++at_;
    node.blocks.push_back(body_of(line, shift, depth));
    pop_scope(outer);
    return node;
  }

  TemplateNode if_chain(const Line& line, std::string_view rest, size_t shift, int depth) {
    TemplateNode node{.kind = NodeKind::kIf, .line = line.number};
    node.expressions.push_back(condition(before_colon(rest), line));
    ++at_;
    node.blocks.push_back(body_of(line, shift, depth));
    while (true) {
      const size_t next = next_text();
      if (next == lines_.size() || lines_[next].indent != line.indent) break;
      const Line& branch = lines_[next];
      const bool is_else = trimmed(branch.text) == "$else:";
      if (!is_else && !branch.text.starts_with("$elif ")) break;
      for (; at_ < next; ++at_) {
        node.blocks.back().push_back({.kind = NodeKind::kLine, .line = lines_[at_].number});
      }
      if (!is_else) {
        node.expressions.push_back(condition(before_colon(trimmed(branch.text.substr(6))), branch));
      }
      ++at_;
      node.blocks.push_back(body_of(branch, shift, depth));
      if (is_else) break;
    }
    return node;
  }

  TemplateNode let(const Line& line, std::string_view rest) {
    const size_t equals = rest.find('=');
    if (equals == rest.npos) fail("expected '$let name = expression'");
    TemplateNode node{.kind = NodeKind::kLet, .line = line.number};
    node.expressions.push_back(
        parse_expression(trimmed(rest.substr(equals + 1)), scope_, source(line.number)));
    declare(std::string(trimmed(rest.substr(0, equals))), node.expressions.back().type);
    ++at_;
    return node;
  }

  TemplateNode text_line(const Line& line, size_t shift) {
    TemplateNode node{.kind = NodeKind::kLine, .line = line.number};
    node.indent = std::string(line.indent - std::min(shift, line.indent), ' ');
    std::string literal;
    std::string_view text = line.text;
    while (!text.empty()) {
      if (text.starts_with("$$")) {
        literal += '$';
        text.remove_prefix(2);
      } else if (text.starts_with("${")) {
        const size_t end = end_of_expression(text);
        const TemplateExpr expr =
            printed(text.substr(2, end - 2), line.text.substr(0, line.text.size() - text.size()));
        if (!literal.empty()) node.segments.push_back({.text = std::move(literal)});
        literal.clear();
        node.segments.push_back({.text = "", .is_expression = true, .expression = expr});
        text.remove_prefix(end + 1);
      } else {
        literal += text[0];
        text.remove_prefix(1);
      }
    }
    if (!literal.empty()) node.segments.push_back({.text = std::move(literal)});
    ++at_;
    return node;
  }

  // Index of the '}' that ends the expression at the start of `text`.
  size_t end_of_expression(std::string_view text) const {
    char quote = '\0';
    for (size_t i = 2; i < text.size(); ++i) {
      const char c = text[i];
      if (quote != '\0') {
        if (c == quote) quote = '\0';
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '}') {
        return i;
      }
    }
    fail("'${' without '}'");
  }

  TemplateExpr printed(std::string_view text, std::string_view before) {
    TemplateExpr expr = parse_expression(text, scope_, source(lines_[at_].number));
    if (!is_printable(expr.type)) fail("cannot print " + to_string(expr.type));
    // Comment text is escaped for comments, and for nothing else.
    const bool in_comment = before.find("//") != before.npos || before.find("/*") != before.npos ||
                            before.starts_with("*") || before.starts_with("#") ||
                            before.starts_with(";");
    if (expr.type.kind == TemplateType::Kind::kComment && !in_comment)
      fail("comment text outside a comment");
    return expr;
  }

  TemplateBody& body_;
  std::vector<Line> lines_;
  size_t at_ = 0;
  std::vector<TemplateVariable> scope_;
};

}  // namespace

Template Template::parse(std::string_view text, const std::string& file) {
  auto body = std::make_shared<TemplateBody>();
  body->file = file;
  TemplateReader(text, *body).read();
  return Template(std::move(body));
}

Template Template::embedded(std::string_view path) {
  return parse(embedded_file(path), std::string(path));
}

const std::vector<TemplateParam>& Template::params() const { return body_->params; }

}  // namespace burin
