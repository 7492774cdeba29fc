// Diagnostics: everything that a user can cause is one line that names file, node, operator,
// operand and rule (style: lower case, no full stop, what was observed first, the rule second, a
// hint last).
//
// The place that finds the fault knows the rule; only its callers know the node, and only the
// outermost caller knows the file. So refuse() throws a Refused with what is known, and each caller
// that knows more adds it (see located()).
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace burin {

// Where a diagnostic belongs. Empty fields are left out of the line.
struct Location {
  std::string file{};  // as the user gave it
  std::string line{};  // "12:7" in text files, a JSON pointer in JSON files
  std::string
      node{};  // "node 17 'conv1'", already quoted; a path through subgraphs where there is one
  std::string op{};       // "Conv"
  std::string operand{};  // "input W", "attribute group"
};

struct Diagnostic {
  Location where;
  std::string rule;  // kebab-case id: "shape-mismatch", "bad-attribute", "unsupported-operator" ...
  std::string message;  // what was observed, then the rule
  std::string hint;     // the way out, or empty
};

// "model.onnx: node 17 'conv1' (Conv) input W: error: weight has 3 channels, X has 4
// [shape-mismatch]"
std::string to_line(const Diagnostic& diagnostic);
// The same for what is only told: "model.onnx: output 'y': warning: it is declared ... ".
std::string to_warning(const Diagnostic& diagnostic);

// An input was refused. Carries one or several diagnostics, in a stable order.
class Refused : public std::exception {
 public:
  explicit Refused(Diagnostic diagnostic) : diagnostics{std::move(diagnostic)} {}
  explicit Refused(std::vector<Diagnostic> all) : diagnostics(std::move(all)) {}
  const char* what() const noexcept override;

  std::vector<Diagnostic> diagnostics;

 private:
  mutable std::string text_;
};

[[noreturn]] void refuse(std::string_view rule, std::string message, std::string hint = {});

// Runs body; what it refuses gets the fields of `where` that it does not have yet.
template <class Body>
decltype(auto) located(const Location& where, Body&& body);

void fill_location(Refused& refused, const Location& where);

// Text that came from outside, made safe to print in a line: 'name' with every byte that is not
// plain printable ASCII escaped, cut to a readable length.
std::string quoted(std::string_view text);
// Otherwise a std::string finds std::quoted, where a header of the library brings it.
inline std::string quoted(const std::string& text) { return quoted(std::string_view(text)); }
inline std::string quoted(std::string& text) { return quoted(std::string_view(text)); }
inline std::string quoted(const char* text) { return quoted(std::string_view(text)); }

template <class Body>
decltype(auto) located(const Location& where, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (Refused& refused) {
    fill_location(refused, where);
    throw;
  }
}

}  // namespace burin
