#include "verify/shared_objects.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

#include "verify/tool.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

// Adds the text of a file, and of those that it includes by names in quotes, each once.
void add_texts(const fs::path& file, std::set<fs::path>& seen, std::vector<std::string>& texts) {
  constexpr std::string_view kInclude = "#include \"";
  if (file.filename() == "tree.h" || !seen.insert(file).second) return;
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  texts.push_back(text);
  for (size_t at = 0; (at = text.find(kInclude, at)) != text.npos;) {
    at += kInclude.size();
    const std::string name = text.substr(at, text.find('"', at) - at);
    add_texts((file.parent_path() / name).lexically_normal(), seen, texts);
  }
}

}  // namespace

std::string SharedObjects::object(std::vector<std::string> command, const std::string& source,
                                  double seconds) {
  std::vector<std::string> key = command;
  std::set<fs::path> seen;
  add_texts(source, seen, key);
  // Held while it compiles: who wants the same waits for it.
  const std::lock_guard<std::mutex> held(lock_);
  if (const auto known = objects_.find(key); known != objects_.end()) return known->second;
  const std::string place = folder_.path() + "/" + std::to_string(objects_.size()) + ".o";
  for (const std::string& part : {std::string("-c"), std::string("-o"), place, source})
    command.push_back(part);
  run_tool(command, seconds, folder_.path());
  return objects_[key] = place;
}

}  // namespace burin
