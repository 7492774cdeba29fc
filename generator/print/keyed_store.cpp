#include "print/keyed_store.h"

#include "kernel/combiner.h"
#include "print/expr_printer.h"

namespace burin::print {

void print_keyed_store(const KeyOfStore& key, const std::vector<std::string>& values,
                       const std::vector<std::string>& there, const Language& language,
                       TextBuilder& text, Headers& headers) {
  const std::string& taken = there.back();
  text.line("const " + std::string(language.compute_name(key.type)) + " " + key.name + " = " +
            without_parentheses(values[0]) + ";");
  text.open("if (!" + taken + " || " +
            without_parentheses(
                language.binary(better_key(key.combine), key.type, key.name, there[0], headers)) +
            ") {");
  text.line(taken + " = true;");
  text.line(there[0] + " = " + key.name + ";");
  for (size_t k = 1; k < values.size(); ++k)
    text.line(there[k] + " = " + without_parentheses(values[k]) + ";");
  text.close();
}

}  // namespace burin::print
