// Names of several networks in one tree, and of trees in one program.
#include <algorithm>
#include <cctype>
#include <map>

#include "backends/cpp/names.h"
#include "support/diagnostics.h"

namespace burin::cpp {
namespace {

// What a tree puts behind the name of a network: in C, in macros, in names of files and targets.
constexpr const char* kEndings[] = {"",
                                    "_arena_align",
                                    "_arena_bytes",
                                    "_body",
                                    "_content",
                                    "_content_h",
                                    "_context",
                                    "_dims",
                                    "_explain",
                                    "_fault",
                                    "_h",
                                    "_init",
                                    "_init_opencl",
                                    "_inputs",
                                    "_kernels",
                                    "_kernels_h",
                                    "_memory",
                                    "_memory_h",
                                    "_opencl",
                                    "_outputs",
                                    "_parallel_for",
                                    "_program",
                                    "_release",
                                    "_run",
                                    "_self_test",
                                    "_strerror",
                                    "_tests",
                                    "_threads",
                                    "_threads_count",
                                    "_threads_create",
                                    "_threads_destroy",
                                    "_threads_h",
                                    "_threads_parallel_for",
                                    "_weights",
                                    "_weights_align",
                                    "_weights_bytes",
                                    "_weights_crc",
                                    "_weights_offset",
                                    "_workers"};

// Those of them that stand alone where trees meet: headers in the folders that a program's callers
// list, with their guards, and targets of its build.
constexpr std::string_view kSharedEndings[] = {
    "_content",  "_host",        "_java",      "_jni",       "_rpc",    "_init",
    "_rpc_skel", "_rpc_handles", "_rpc_sizes", "_self_test", "_shared", "_threads"};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return text;
}

[[noreturn]] void refuse_pair(const std::string& one, const std::string& other,
                              const std::string& both) {
  const char* const hint = "give the models other names with --names, the tree with --name";
  if (one == other)
    refuse("name-collision", "two networks of one tree are named " + quoted(one), hint);
  refuse("name-collision",
         "the networks " + quoted(one) + " and " + quoted(other) + " of one tree would both have " +
             quoted(both) + " in C, as a macro or as a file",
         hint);
}

}  // namespace

std::string_view ending_of_trees(std::string_view name) {
  const std::string plain = lower(std::string(name));
  for (const std::string_view ending : kSharedEndings) {
    if (plain.size() > ending.size() && plain.ends_with(ending)) return ending;
  }
  return {};
}

void refuse_name_collisions(const std::vector<std::string>& names) {
  std::map<std::string, const std::string*> known;
  for (const std::string& name : names) {
    for (const char* ending : kEndings) {
      const auto [at, fresh] = known.emplace(lower(name + ending), &name);
      if (!fresh) refuse_pair(*at->second, name, name + ending);
    }
  }
}

}  // namespace burin::cpp
