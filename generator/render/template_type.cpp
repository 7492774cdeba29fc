#include "render/template_body.h"
#include "support/diagnostics.h"
#include "support/spelling.h"

namespace burin {
namespace {

class TypeParser {
 public:
  TypeParser(std::string_view text, const SourceLine& line) : text_(text), line_(line) { next(); }

  TemplateType whole() {
    TemplateType type = parse(0);
    if (!token_.empty()) line_.fail("unexpected " + quoted(token_) + " after the type");
    return type;
  }

 private:
  void next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    size_t end = at_;
    while (end < text_.size() &&
           std::string_view(" (),:").find(text_[end]) == std::string_view::npos)
      ++end;
    if (end == at_ && end < text_.size()) ++end;
    token_ = text_.substr(at_, end - at_);
    at_ = end;
  }
  std::string take() {
    std::string token(token_);
    next();
    return token;
  }
  void require(std::string_view token) {
    if (token_ != token) line_.fail("expected " + quoted(token) + ", found " + quoted(token_));
    next();
  }

  TemplateType parse(int depth) {
    if (depth > 8) line_.fail("type is nested too deeply");
    const std::string name = take();
    if (name == "int") return {TemplateType::Kind::kInt};
    if (name == "bool") return {TemplateType::Kind::kBool};
    if (name == "string") return {TemplateType::Kind::kString};
    if (name == "identifier") return {TemplateType::Kind::kIdentifier};
    if (name == "comment") return {TemplateType::Kind::kComment};
    if (name == "literal") return {TemplateType::Kind::kLiteral};
    if (name == "code") return {TemplateType::Kind::kCode};
    if (name == "list") {
      require("of");
      return {TemplateType::Kind::kList, {parse(depth + 1)}};
    }
    if (name != "record") {
      const std::string hint = did_you_mean(name, {"int", "bool", "string", "identifier", "comment",
                                                   "literal", "code", "list", "record"});
      line_.fail("unknown type " + quoted(name) + (hint.empty() ? "" : "; " + hint));
    }
    TemplateType record{TemplateType::Kind::kRecord};
    require("(");
    do {
      const std::string field = take();
      require(":");
      if (!record.fields.emplace(field, parse(depth + 1)).second) {
        line_.fail("field " + quoted(field) + " is given twice");
      }
      if (token_ != ",") break;
      next();
    } while (true);
    require(")");
    return record;
  }

  std::string_view text_;
  const SourceLine& line_;
  size_t at_ = 0;
  std::string_view token_;
};

}  // namespace

TemplateType parse_template_type(std::string_view text, const SourceLine& line) {
  return TypeParser(text, line).whole();
}

}  // namespace burin
