// Which versions of the format and of the operator sets import reads, and what a model says it
// uses.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/messages.h"

namespace burin {

inline constexpr int kOldestIr = 3;  // before it, models name no operator sets
inline constexpr int kNewestIr = 14;

// "ai.onnx" is the long name of "".
std::string_view normal_domain(std::string_view domain);

void check_ir_version(int64_t version);  // refuses as version

// Refuses as version: no operator of this domain is known.
void check_domain(std::string_view domain);

// The operator sets that a model or a function imports.
class ImportedOpsets {
 public:
  ImportedOpsets() = default;
  // `what`: "the model" or "function 'f'"; `assumed`: the version of ai.onnx, whatever the messages
  // say. Refuses as version: none at all, a domain at two versions, a version below 1. One of a
  // known domain that is newer than burin is read as the newest that it knows, which is noted.
  ImportedOpsets(const std::vector<OpsetMessage>& messages, const std::string& what,
                 const std::optional<int>& assumed = {});

  bool imports(std::string_view domain) const { return versions_.count(std::string(domain)) != 0; }
  // Refuses as version: a domain that burin does not know, or that is not imported.
  int version(std::string_view domain) const;
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::string what_;
  std::optional<int> assumed_;
  std::vector<std::string> notes_;
  std::map<std::string, int64_t> versions_;
};

}  // namespace burin
