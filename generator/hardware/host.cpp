#include "hardware/host.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "support/embedded.h"

namespace burin {
namespace {

using Json = nlohmann::ordered_json;

// A shipped description, and what the processor must say of itself in /proc/cpuinfo.
struct Candidate {
  const char* name;
  const char* isa;
  const char* words;  // of the lines "flags" and "Features"
};
// The most capable first.
constexpr Candidate kCandidates[] = {
    {"x86-64-v4-amx", "x86_64",
     "avx2 fma f16c bmi1 bmi2 abm movbe avx512f avx512bw avx512cd avx512dq avx512vl avx512_vnni "
     "avx512_vpopcntdq avx512_bf16 amx_tile amx_int8 amx_bf16"},
    {"x86-64-v4-vpopcntdq", "x86_64",
     "avx2 fma f16c bmi1 bmi2 abm movbe avx512f avx512bw avx512cd avx512dq avx512vl avx512_vnni "
     "avx512_vpopcntdq"},
    {"x86-64-v4-vnni", "x86_64",
     "avx2 fma f16c bmi1 bmi2 abm movbe avx512f avx512bw avx512cd avx512dq avx512vl avx512_vnni"},
    {"x86-64-v3", "x86_64", "avx2 fma f16c bmi1 bmi2 abm movbe"},
    {"armv8-i8mm", "aarch64", "asimd fphp asimdhp asimddp i8mm bf16 atomics crc32"},
    {"armv8-neoverse-n1", "aarch64", "asimd fphp asimdhp asimddp atomics crc32"},
    {"cpp-generic", "", ""},
};

constexpr const char* kIsa =
#if defined(__x86_64__)
    "x86_64";
#elif defined(__aarch64__)
    "aarch64";
#else
    "other";
#endif

std::set<std::string> words_of(std::istream& in) {
  std::set<std::string> out;
  for (std::string word; in >> word;) out.insert(word);
  return out;
}

// Of the first processor.
std::set<std::string> cpu_words() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("flags") && !line.starts_with("Features")) continue;
    std::istringstream words(line.substr(std::min(line.size(), line.find(':') + 1)));
    return words_of(words);
  }
  return {};
}

const char* base_description() {
  const std::set<std::string> has = cpu_words();
  for (const Candidate& one : kCandidates) {
    std::istringstream needed{std::string(one.words)};
    bool all = one.isa[0] == '\0' || std::string_view(one.isa) == kIsa;
    for (const std::string& word : words_of(needed)) all = all && has.contains(word);
    if (all) return one.name;
  }
  return kCandidates[std::size(kCandidates) - 1].name;
}

std::string first_line(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

// "32K" and "16M" of /sys; 0: nothing is known.
int64_t bytes_of(const std::string& text) {
  std::istringstream in(text);
  int64_t number = 0;
  char unit = ' ';
  in >> number >> unit;
  return unit == 'K' ? number << 10 : unit == 'M' ? number << 20 : 0;
}

// How many processors a list such as "0-3,8" names.
int64_t processors_in(const std::string& list) {
  int64_t count = 0;
  std::istringstream in(list);
  for (std::string range; std::getline(in, range, ',');) {
    std::istringstream ends(range);
    int64_t first = 0, last = 0;
    char dash = ' ';
    ends >> first;
    last = ends >> dash >> last ? last : first;
    count += last - first + 1;
  }
  return count;
}

// Sizes of data caches by level, and who shares them.
struct HostCache {
  int64_t bytes = 0, threads = 1;
};
std::map<int64_t, HostCache> host_caches() {
  std::map<int64_t, HostCache> out;
  const std::filesystem::path folder = "/sys/devices/system/cpu/cpu0/cache";
  for (int i = 0; i < 8; ++i) {
    const std::filesystem::path cache = folder / ("index" + std::to_string(i));
    const std::string type = first_line(cache / "type");
    if (type != "Data" && type != "Unified") continue;
    const int64_t bytes = bytes_of(first_line(cache / "size"));
    const int64_t level = std::atoll(first_line(cache / "level").c_str());
    if (bytes > 0 && level > 0)
      out[level] = {bytes,
                    std::max<int64_t>(1, processors_in(first_line(cache / "shared_cpu_list")))};
  }
  return out;
}

// Latencies and bandwidths stay those of the same level of the shipped description.
void put_caches(Json& description) {
  Json& caches = description["memory"]["caches"];
  int64_t before = 0;
  for (const auto& [level, found] : host_caches()) {
    const auto at = static_cast<size_t>(level - 1);
    if (at >= caches.size() || found.bytes <= before) break;
    caches[at]["size_bytes"] = before = found.bytes;
    caches[at]["shared_by_threads"] = std::min<int64_t>(found.threads, 1024);
  }
  // A level that the machine lacks, and one that is not larger than what is in front of it.
  const size_t levels = host_caches().size();
  if (levels > 0 && levels < caches.size())
    caches.erase(caches.begin() + long(levels), caches.end());
  for (size_t i = 1; i < caches.size(); ++i) {
    if (caches[i]["size_bytes"] > caches[i - 1]["size_bytes"]) continue;
    caches.erase(caches.begin() + static_cast<long>(i), caches.end());
  }
}

}  // namespace

std::string host_description() {
  const std::string base = base_description();
  Json out = Json::parse(embedded_file("configs/" + base + ".json"));
  out["name"] = "host-" + base;
  out["description"] = "The machine that burin ran on: as " + base +
                       ", with the caches and processors that its system tells.";
  put_caches(out);
  out["threads_max"] = std::clamp<int64_t>(std::thread::hardware_concurrency(), 1, 1024);
  if (out["threads_max"] > 1 && !out.contains("thread_start_us")) out["thread_start_us"] = 10;
  // The compilers of the description may be for another machine; those of this one are native.
  if (std::string_view(kIsa) == "aarch64" && out["isa"] == "aarch64") {
    out.erase("runner");
    out["compilers"][0]["command"] = {"g++"};
    out["compilers"][1]["command"] = {"clang++"};
    for (Json& compiler : out["compilers"]) compiler["link_flags"] = Json::array();
  }
  return out.dump(2) + "\n";
}

}  // namespace burin
