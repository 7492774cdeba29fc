#include <algorithm>
#include <deque>

#include "render/rendered_text.h"
#include "render/template_body.h"
#include "support/diagnostics.h"
#include "support/spelling.h"

namespace burin {
namespace {

using NodeKind = TemplateNode::Kind;

class Rendering {
 public:
  Rendering(const TemplateBody& body, TemplateValues environment)
      : body_(body), environment_(std::move(environment)) {}

  void nodes(const std::vector<TemplateNode>& nodes) {
    for (const TemplateNode& node : nodes) {
      switch (node.kind) {
        case NodeKind::kLine:
          line(node);
          break;
        case NodeKind::kFor:
          loop(node);
          break;
        case NodeKind::kIf:
          choose(node);
          break;
        case NodeKind::kLet: {
          TemplateValue scratch = 0;
          lets_.push_back(value(node.expressions[0], node, scratch));
          environment_.push_back(&lets_.back());
          break;
        }
        case NodeKind::kAssert: {
          TemplateValue scratch = 0;
          if (*value(node.expressions[0], node, scratch).get<bool>()) break;
          source(node).fail("assertion " + node.source + " does not hold");
        }
      }
    }
  }

  std::string out;

 private:
  SourceLine source(const TemplateNode& node) const { return {body_.file, node.line}; }
  const TemplateValue& value(const TemplateExpr& expr, const TemplateNode& node,
                             TemplateValue& scratch) const {
    return evaluate(expr, environment_, source(node), scratch);
  }

  // A block's names end with it.
  void block(const std::vector<TemplateNode>& inner) {
    const size_t outer = environment_.size(), outer_lets = lets_.size();
    nodes(inner);
    environment_.resize(outer);
    while (lets_.size() > outer_lets) lets_.pop_back();
  }

  void loop(const TemplateNode& node) {
    TemplateValue scratch = 0;
    const List& items = *value(node.expressions[0], node, scratch).get<List>();
    for (const TemplateValue& item : items) {
      environment_.push_back(&item);
      block(node.blocks[0]);
      environment_.pop_back();
    }
  }

  void choose(const TemplateNode& node) {
    for (size_t i = 0; i < node.blocks.size(); ++i) {
      TemplateValue scratch = 0;
      const bool taken =
          i == node.expressions.size() || *value(node.expressions[i], node, scratch).get<bool>();
      if (taken) return block(node.blocks[i]);
    }
  }

  void line(const TemplateNode& node) {
    if (node.segments.size() == 1 && node.segments[0].is_expression &&
        node.segments[0].expression.type.kind == TemplateType::Kind::kCode) {
      return code_lines(node);
    }
    std::string text;
    for (const TemplateSegment& segment : node.segments) {
      if (!segment.is_expression) {
        text += segment.text;
        continue;
      }
      TemplateValue scratch = 0;
      const std::string printed = value(segment.expression, node, scratch).printed();
      if (printed.find('\n') != printed.npos) {
        source(node).fail("code of several lines must stand alone on its line");
      }
      text += printed;
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    out += text.empty() ? "\n" : node.indent + text + "\n";
  }

  // Code alone on a line: as many lines as it has, each indented like this one; none when it is
  // empty.
  void code_lines(const TemplateNode& node) {
    TemplateValue scratch = 0;
    const std::string text = value(node.segments[0].expression, node, scratch).printed();
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      // Preprocessor lines stay at the left edge.
      if (end > at) out += (text[at] == '#' ? "" : node.indent) + text.substr(at, end - at);
      out += '\n';
      at = end + 1;
    }
  }

  const TemplateBody& body_;
  TemplateValues environment_;
  std::deque<TemplateValue> lets_;  // of the blocks around: their places do not move
};

}  // namespace

Code Template::render(const Args& args) const {
  TemplateValues environment;
  for (const TemplateParam& param : body_->params) {
    const SourceLine line{body_->file, param.line};
    const auto at = args.find(param.name);
    if (at == args.end()) line.fail("argument " + quoted(param.name) + " is missing");
    const std::string why = mismatch(at->second, param.type);
    if (!why.empty()) line.fail("argument " + quoted(param.name) + ": " + why);
    environment.push_back(&at->second);
  }
  if (args.size() > environment.size()) {
    std::vector<std::string> known;
    for (const TemplateParam& param : body_->params) known.push_back(param.name);
    for (const auto& [name, value] : args) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      const std::string hint = did_you_mean(name, known);
      SourceLine{body_->file, 1}.fail("unknown argument " + quoted(name) +
                                      (hint.empty() ? "" : "; " + hint));
    }
  }
  Rendering rendering(*body_, std::move(environment));
  rendering.nodes(body_->nodes);
  return RenderedText::code(std::move(rendering.out));
}

}  // namespace burin
