#include "unit/support/source_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace burin {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolders[] = {".ci",       "cmake",       "configs",   "generated_examples",
                                    "generator", "runtime_min", "templates", "tests"};

std::string content(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

void add(std::vector<SourceFile>& files, const fs::path& path) {
  const std::string name = path.lexically_relative(BURIN_SOURCE_DIR).generic_string();
  files.push_back({name, content(path)});
}

std::vector<SourceFile> read_all() {
  std::vector<SourceFile> files;
  const fs::path root = BURIN_SOURCE_DIR;
  for (const auto& entry : fs::directory_iterator(root)) {
    // CMake can leave compile_commands.json; .git is a file where the checkout is a worktree.
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || name == "compile_commands.json" || name == ".git") continue;
    add(files, entry.path());
  }
  for (const char* folder : kFolders) {
    if (!fs::exists(root / folder)) continue;
    for (auto at = fs::recursive_directory_iterator(root / folder); at != fs::end(at); ++at) {
      if (at->path().filename() == "__pycache__") at.disable_recursion_pending();
      if (at->is_regular_file()) add(files, at->path());
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

const std::vector<SourceFile>& everything() {
  static const std::vector<SourceFile> files = read_all();
  return files;
}

template <class Keep>
std::vector<SourceFile> kept(const Keep& keep) {
  std::vector<SourceFile> out;
  std::copy_if(everything().begin(), everything().end(), std::back_inserter(out), keep);
  return out;
}

// Walks C++ text: what `at` stands on is code, never inside a comment or a literal.
class Scanner {
 public:
  explicit Scanner(const std::string& text) : text_(text) {}

  std::vector<Literal> literals() {
    std::vector<Literal> out;
    while (at_ < text_.size()) {
      if (starts("//") || starts("#include")) {
        skip_to("\n", 0);
      } else if (starts("/*")) {
        skip_to("*/", 2);
      } else if (starts("R\"") && !follows_word()) {
        raw(out);
      } else if (text_[at_] == '"') {
        quoted('"', &out);
      } else if (text_[at_] == '\'' && !follows_word()) {  // not the separator of 65'536
        quoted('\'', nullptr);
      } else {
        step();
      }
    }
    return out;
  }

 private:
  bool starts(std::string_view what) const { return text_.compare(at_, what.size(), what) == 0; }

  bool follows_word() const {
    return at_ > 0 && (std::isalnum(static_cast<unsigned char>(text_[at_ - 1])) != 0);
  }

  void step() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }

  void skip_to(std::string_view end, size_t beyond) {
    const size_t found = std::min(text_.find(end, at_), text_.size());
    const size_t stop = std::min(found + beyond, text_.size());
    while (at_ < stop) step();
  }

  void raw(std::vector<Literal>& out) {
    at_ += 2;
    const size_t open = std::min(text_.find('(', at_), text_.size());
    const std::string close = ")" + text_.substr(at_, open - at_) + "\"";
    const size_t begin = std::min(open + 1, text_.size());
    const size_t end = std::min(text_.find(close, begin), text_.size());
    out.push_back({text_.substr(begin, end - begin), line_});
    const size_t stop = std::min(end + close.size(), text_.size());
    while (at_ < stop) step();
  }

  void quoted(char quote, std::vector<Literal>* out) {
    const size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    if (out && at_ <= text_.size()) out->push_back({text_.substr(begin, at_ - begin), line_});
    if (at_ < text_.size() && text_[at_] == quote) ++at_;
  }

  const std::string& text_;
  size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

bool SourceFile::is_in(std::string_view folder) const {
  return path.size() > folder.size() && path.compare(0, folder.size(), folder) == 0 &&
         path[folder.size()] == '/';
}

bool SourceFile::ends_with(std::string_view ending) const { return path.ends_with(ending); }

const std::vector<SourceFile>& source_files() {
  static const std::vector<SourceFile> files = kept([](const SourceFile& file) {
    return file.text.find('\0') == std::string::npos && !file.ends_with(".onnx") &&
           !file.ends_with(".pb");
  });
  return files;
}

const std::vector<SourceFile>& source_models() {
  static const std::vector<SourceFile> files =
      kept([](const SourceFile& file) { return file.is_in("tests") && file.ends_with(".onnx"); });
  return files;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<Literal> string_literals(const std::string& text) { return Scanner(text).literals(); }

std::vector<Literal> includes_of(const std::string& text) {
  std::vector<Literal> out;
  int number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    if (line.rfind("#include ", 0) != 0) continue;
    const size_t begin = line.find_first_of("<\"");
    if (begin == std::string::npos) continue;
    const size_t end = line.find_first_of(">\"", begin + 1);
    out.push_back({line.substr(begin + 1, end - begin - 1), number});
  }
  return out;
}

}  // namespace burin
