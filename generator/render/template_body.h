// A template after reading: parameters and a tree of lines. Private to render/.
#pragma once

#include <string>
#include <vector>

#include "render/expression.h"
#include "render/template.h"

namespace burin {

// Text of a line, or an expression to print.
struct TemplateSegment {
  std::string text;
  bool is_expression = false;
  TemplateExpr expression = {};
};

struct TemplateNode {
  enum class Kind { kLine, kFor, kIf, kLet, kAssert };
  Kind kind = Kind::kLine;
  int line = 0;
  std::string indent = {};                     // kLine: spaces before the text, as emitted
  std::vector<TemplateSegment> segments = {};  // kLine
  std::vector<TemplateExpr> expressions = {};  // list, conditions of if and elifs, value, assertion
  std::string source = {};                     // kAssert: the text, for the message
  std::vector<std::vector<TemplateNode>> blocks =
      {};  // kFor: one; kIf: one per condition, and the else
};

struct TemplateBody {
  std::string file;
  std::vector<TemplateParam> params;
  std::vector<TemplateNode> nodes;
};

// "list of record(a: int)": parses all of `text`.
TemplateType parse_template_type(std::string_view text, const SourceLine& line);

}  // namespace burin
