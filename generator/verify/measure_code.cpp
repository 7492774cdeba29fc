#include "verify/measure_code.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "render/source_tree.h"
#include "support/diagnostics.h"
#include "support/process.h"
#include "verify/build.h"
#include "verify/call_graph.h"
#include "verify/object_file.h"
#include "verify/tool.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

std::string made_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// "arm-none-eabi-g++ (15:12.2.rel1-1) 12.2.1 20221205 -Os": two versions may give two sizes.
std::string compiler_text(const Compiler& compiler) {
  std::vector<std::string> ask = {compiler.command[0], "--version"};
  const ProcessResult said = run_process(ask, 20);
  std::string out = said.output.substr(0, said.output.find('\n'));
  for (size_t i = 1; i < compiler.command.size(); ++i) out += " " + compiler.command[i];
  for (const std::string& flag : compiler.compile_flags) out += " " + flag;
  return out;
}

// The last number of "file:1:2:name\t24\tstatic" lines.
int64_t largest_frame(const std::string& text) {
  int64_t out = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t tab = text.find('\t', at);
    if (tab < end) out = std::max<int64_t>(out, std::atoll(text.c_str() + tab + 1));
    at = end + 1;
  }
  return out;
}

// "file:_ZN3net3runEv" -> "net::run": without the file of what is static, and without parameters.
std::string readable_function(const std::string& title) {
  const std::string symbol =
      title.substr(title.rfind(':') == title.npos ? 0 : title.rfind(':') + 1);
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  const std::string name = status == 0 && text != nullptr ? text : symbol;
  std::free(text);
  return name.substr(0, name.find('('));
}

std::string beside(const std::string& object, const char* extension) {
  return object.substr(0, object.rfind('.')) + extension;
}

}  // namespace

CodeSizes measure_code(const cpp::EmittedTree& emitted, const Hardware& hardware) {
  if (hardware.compilers.empty())
    refuse("no-compiler", "the description " + quoted(hardware.name) + " names no compiler",
           "leave --code-sizes out");
  const ScratchFolder scratch;
  const std::string tree = scratch.path() + "/tree", work = scratch.path() + "/made";
  write_tree(emitted.tree, tree, emitted.manifest);
  fs::create_directories(work);
  std::vector<std::string> sources;
  for (const auto& [path, entry] : emitted.tree.entries()) {
    if (path.starts_with("src/") && path.ends_with(".cpp")) sources.push_back(path);
  }
  BuildOptions options;
  options.compiler = hardware.compilers[0];
  options.flags = {"-fstack-usage"};
  CodeSizes out;
  out.follows_calls = options.compiler.name == "g++";
  if (out.follows_calls) options.flags.push_back("-fcallgraph-info=su");
  out.compiler = compiler_text(options.compiler);
  const std::vector<std::string> objects = build_objects(tree, sources, work, options);
  CallGraph graph;
  int64_t schedule = 0, kernel = 0, runtime = 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    ObjectSizes sizes;
    if (!read_object_sizes(made_file(objects[i]), sizes))
      throw ToolFailed(options.compiler.command[0] + " made no ELF file of " + sources[i]);
    CodeSizes::Row row{sources[i], sizes.code, sizes.constants, 0};
    const std::string frames = beside(objects[i], ".su");
    if (fs::exists(frames)) row.stack = largest_frame(made_file(frames));
    if (out.follows_calls) graph.add(made_file(beside(objects[i], ".ci")));
    int64_t& kind = sources[i].starts_with("src/kernels/") ? kernel
                    : sources[i].starts_with("src/rt/")    ? runtime
                                                           : schedule;
    kind = std::max(kind, row.stack);
    out.rows.push_back(std::move(row));
  }
  const CallGraph::Path path = graph.deepest();
  out.stack = out.follows_calls ? path.bytes : schedule + kernel + runtime;
  for (const std::string& name : path.functions) out.deepest.push_back(readable_function(name));
  return out;
}

}  // namespace burin
