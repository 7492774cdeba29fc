// The template engine: text that reads like the file it produces, with control lines that start
// with '$'. templates/README.md is its manual.
//
//   $param tile: int  # rows per register block
//   $for i in range(tile):
//     float acc${i} = 0.0f;
//   $if tile > 4:
//     ...
//
// Strict: names, fields and types are checked when a template is read, unused ones included;
// arguments when it is rendered, in both directions. Every error names template file and line.
// Templates are built into burin, so an error in one, or in what it is given, is a bug:
// TemplateError is an InternalError.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "render/text.h"
#include "render/value.h"
#include "support/check.h"

namespace burin {

class TemplateError : public InternalError {
 public:
  TemplateError(const std::string& file, int line, const std::string& message)
      : InternalError(file + ":" + std::to_string(line) + ": error: " + message) {}
};

struct TemplateParam {
  std::string name;
  TemplateType type;
  std::string doc;
  int line = 0;
};

using Args = std::map<std::string, TemplateValue, std::less<>>;

struct TemplateBody;

class Template {
 public:
  // `file` stands for the text in errors.
  static Template parse(std::string_view text, const std::string& file);

  // A template that is built in: "templates/cpp/loop_nest.cpp.in".
  static Template embedded(std::string_view path);

  const std::vector<TemplateParam>& params() const;

  // O(length of the output * depth of its expressions).
  Code render(const Args& args) const;

 private:
  explicit Template(std::shared_ptr<const TemplateBody> body) : body_(std::move(body)) {}
  std::shared_ptr<const TemplateBody> body_;
};

}  // namespace burin
