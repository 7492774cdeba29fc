#include "render/value.h"

#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

const char* name_of(TemplateType::Kind kind) {
  switch (kind) {
    case TemplateType::Kind::kInt:
      return "int";
    case TemplateType::Kind::kBool:
      return "bool";
    case TemplateType::Kind::kString:
      return "string";
    case TemplateType::Kind::kIdentifier:
      return "identifier";
    case TemplateType::Kind::kComment:
      return "comment";
    case TemplateType::Kind::kLiteral:
      return "literal";
    case TemplateType::Kind::kCode:
      return "code";
    case TemplateType::Kind::kList:
      return "list";
    case TemplateType::Kind::kRecord:
      return "record";
  }
  return "";
}

TemplateType::Kind kind_of(const TemplateValue& value) {
  if (value.get<int64_t>() != nullptr) return TemplateType::Kind::kInt;
  if (value.get<bool>() != nullptr) return TemplateType::Kind::kBool;
  if (value.get<Word>() != nullptr) return TemplateType::Kind::kString;
  if (value.get<Identifier>() != nullptr) return TemplateType::Kind::kIdentifier;
  if (value.get<CommentText>() != nullptr) return TemplateType::Kind::kComment;
  if (value.get<StringLiteral>() != nullptr) return TemplateType::Kind::kLiteral;
  if (value.get<Code>() != nullptr) return TemplateType::Kind::kCode;
  return value.get<List>() != nullptr ? TemplateType::Kind::kList : TemplateType::Kind::kRecord;
}

}  // namespace

std::string to_string(const TemplateType& type) {
  if (type.kind == TemplateType::Kind::kList) return "list of " + to_string(type.element.at(0));
  std::string out = name_of(type.kind);
  if (type.kind != TemplateType::Kind::kRecord) return out;
  out += "(";
  for (const auto& [name, field] : type.fields) {
    out += (out.back() == '(' ? "" : ", ") + name + ": " + to_string(field);
  }
  return out + ")";
}

std::string TemplateValue::printed() const {
  if (const auto* value = get<int64_t>()) return Code::integer(*value).text();
  if (const auto* value = get<Word>()) return value->text;
  if (const auto* value = get<Identifier>()) return value->text();
  if (const auto* value = get<CommentText>()) return value->text();
  if (const auto* value = get<StringLiteral>()) return value->text();
  const auto* code = get<Code>();
  BURIN_CHECK(code != nullptr);
  return code->text();
}

void append(List& list, Record record) { list.emplace_back(std::move(record)); }

std::string mismatch(const TemplateValue& value, const TemplateType& type) {
  if (kind_of(value) != type.kind) {
    return std::string("expected ") + to_string(type) + ", found " + name_of(kind_of(value));
  }
  if (type.kind == TemplateType::Kind::kList) {
    const List& items = *value.get<List>();
    for (size_t i = 0; i < items.size(); ++i) {
      const std::string why = mismatch(items[i], type.element.at(0));
      if (!why.empty()) return "item " + std::to_string(i) + ": " + why;
    }
  }
  if (type.kind == TemplateType::Kind::kRecord) {
    const Record& record = *value.get<Record>();
    for (const auto& [name, field] : type.fields) {
      const auto at = record.find(name);
      if (at == record.end()) return "field " + quoted(name) + " is missing";
      const std::string why = mismatch(at->second, field);
      if (!why.empty()) return "field " + quoted(name) + ": " + why;
    }
    for (const auto& [name, field] : record) {
      if (!type.fields.contains(name)) return "unknown field " + quoted(name);
    }
  }
  return "";
}

}  // namespace burin
