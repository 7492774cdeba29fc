#include "import/versions.h"

#include <array>

#include "support/diagnostics.h"

namespace burin {
namespace {

struct KnownDomain {
  std::string_view name;
  int newest;
};

constexpr std::array kDomains = {
    KnownDomain{"", 28},  // kLatestOpset of the operators
    KnownDomain{"ai.onnx.ml", 5},
    KnownDomain{"ai.onnx.preview", 1},
    KnownDomain{"ai.onnx.preview.training", 1},
    KnownDomain{"com.microsoft", 1},
    KnownDomain{"burin", 1},
};

const KnownDomain* find_known(std::string_view domain) {
  for (const KnownDomain& known : kDomains) {
    if (known.name == domain) return &known;
  }
  return nullptr;
}

std::string spelled(std::string_view domain) { return quoted(domain.empty() ? "ai.onnx" : domain); }

}  // namespace

std::string_view normal_domain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

void check_ir_version(int64_t version) {
  if (version < kOldestIr || version > kNewestIr) {
    refuse("version", "the file has IR version " + std::to_string(version) + "; versions " +
                          std::to_string(kOldestIr) + " to " + std::to_string(kNewestIr) +
                          " are read");
  }
}

ImportedOpsets::ImportedOpsets(const std::vector<OpsetMessage>& messages, const std::string& what,
                               const std::optional<int>& assumed)
    : what_(what), assumed_(assumed) {
  if (messages.empty()) refuse("version", what + " has no opset_import");
  for (const OpsetMessage& message : messages) {
    const std::string_view domain = normal_domain(message.domain);
    const auto [at, added] = versions_.emplace(domain, message.version);
    if (!added && at->second == message.version) continue;
    if (!added) {
      refuse("version", what + " imports the operators of " + spelled(domain) + " at versions " +
                            std::to_string(at->second) + " and " + std::to_string(message.version));
    }
    const KnownDomain* known = find_known(domain);
    if (known == nullptr) continue;  // refused where a node uses it
    const bool is_assumed = assumed_ && domain.empty();
    if (message.version < 1 && !is_assumed) {
      refuse("version", what + " imports version " + std::to_string(message.version) + " of " +
                            spelled(domain) + "; versions from 1 on are read");
    }
    if (message.version > known->newest && !is_assumed) {
      at->second = known->newest;
      const std::string newest = std::to_string(known->newest);
      notes_.push_back(what + " imports version " + std::to_string(message.version) + " of " +
                       spelled(domain) + ", which is newer than burin: its operators are read as " +
                       "version " + newest + " has them");
    }
  }
}

void check_domain(std::string_view domain) {
  if (domain == "com.microsoft.nchwc") {
    refuse("version",
           "operators of domain " + quoted(domain) +
               " are onnxruntime's for one machine, whose vectors their layout is for",
           "export the model again, or save it with ORT_ENABLE_EXTENDED instead of ORT_ENABLE_ALL");
  }
  if (find_known(domain) == nullptr) {
    refuse("version", "operators of domain " + quoted(domain) + " are not known",
           "the domains are ai.onnx, ai.onnx.ml, ai.onnx.preview, ai.onnx.preview.training, "
           "com.microsoft "
           "and burin, and functions of the model itself");
  }
}

int ImportedOpsets::version(std::string_view domain) const {
  check_domain(domain);
  if (assumed_ && domain.empty()) return *assumed_;
  const auto found = versions_.find(std::string(domain));
  if (found == versions_.end()) {
    refuse("version", "domain " + spelled(domain) + " is not in the opset_import of " + what_,
           "add it there with the version that the node was written for");
  }
  return static_cast<int>(found->second);
}

}  // namespace burin
