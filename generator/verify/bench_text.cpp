// What bench measured, for people and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hardware/json_file.h"
#include "report/overview.h"
#include "support/diagnostics.h"
#include "verify/bench.h"

namespace burin {
namespace {

using Json = nlohmann::ordered_json;

// Two operations for each multiplication that is summed.
std::string rate_text(int64_t macs, int64_t ns) {
  return macs == 0 || ns == 0 ? std::string("-")
                              : fmt::format("{:.2f}", 2.0 * double(macs) / double(ns));
}

std::string against(int64_t ns, int64_t earlier) {
  if (earlier <= 0 || ns <= 0) return {};
  return fmt::format("  was {}, {:.2f} times", time_text(earlier), double(ns) / double(earlier));
}

const RunTimes* with_threads(const std::optional<BenchResult>& result, int threads) {
  if (!result) return nullptr;
  for (const RunTimes& one : result->whole) {
    if (one.threads == threads) return &one;
  }
  return nullptr;
}

// The function as it was before: of that name, or else the only one of the same nodes.
int64_t earlier_ns(const KernelTime& kernel, const std::optional<BenchResult>& earlier) {
  int64_t of_nodes = 0, count = 0;
  for (const KernelTime& old : earlier ? earlier->kernels : std::vector<KernelTime>{}) {
    if (old.name == kernel.name) return old.ns;
    if (old.nodes != kernel.nodes) continue;
    of_nodes = old.ns;
    ++count;
  }
  return count == 1 ? of_nodes : 0;
}

std::string nodes_in_short(const std::vector<Origin>& nodes) {
  std::string out;
  for (size_t i = 0; i < nodes.size() && i < 2; ++i)
    out += (i ? ", " : "") + nodes[i].op + " " + burin::quoted(nodes[i].node);
  return nodes.size() > 2 ? out + fmt::format(" and {} more", nodes.size() - 2) : out;
}

}  // namespace

void add_nodes(const std::vector<Origin>& nodes, std::vector<Origin>& to) {
  for (const Origin& node : nodes) {
    if (std::find(to.begin(), to.end(), node) == to.end()) to.push_back(node);
  }
}

std::optional<int> rank_correlation(const std::vector<KernelTime>& kernels) {
  std::vector<std::pair<int64_t, int64_t>> times;
  for (const KernelTime& one : kernels) {
    if (one.ns > 0 && one.predicted_ns > 0) times.emplace_back(one.ns, one.predicted_ns);
  }
  if (times.size() < 3) return std::nullopt;
  // Twice a rank; what is equal shares the ranks in between.
  const auto ranks = [&](auto of) {
    std::vector<size_t> order(times.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return of(times[a]) < of(times[b]); });
    std::vector<double> out(times.size());
    for (size_t i = 0; i < order.size();) {
      size_t end = i;
      while (end < order.size() && of(times[order[end]]) == of(times[order[i]])) ++end;
      for (size_t k = i; k < end; ++k) out[order[k]] = double(i + end - 1);
      i = end;
    }
    return out;
  };
  const std::vector<double> a = ranks([](const auto&one) { return one.first; }),
                            b = ranks([](const auto&one) { return one.second; });
  const double middle = double(times.size() - 1);
  double both = 0, of_a = 0, of_b = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - middle) * (b[i] - middle);
    of_a += (a[i] - middle) * (a[i] - middle);
    of_b += (b[i] - middle) * (b[i] - middle);
  }
  if (of_a == 0 || of_b == 0) return std::nullopt;
  return static_cast<int>(std::lround(100 * both / std::sqrt(of_a * of_b)));
}

std::string to_text(const BenchResult& result, const std::optional<BenchResult>& earlier) {
  std::string out =
      fmt::format("{} for {} by {}{}\n", burin::quoted(result.model), result.hardware,
                  result.compiler, result.sizes.empty() ? "" : ", at " + result.sizes);
  if (!result.runner.empty())
    out += "through " + result.runner + ": an emulator's times are not the machine's\n";
  out += fmt::format("{:>7} {:>10} {:>10} {:>6} {:>9} {:>9}\n", "threads", "median", "least",
                     "runs", "GFLOP/s", "x bound");
  for (const RunTimes& one : result.whole) {
    const RunTimes* before = with_threads(earlier, one.threads);
    // The bound is one core's.
    out += fmt::format("{:>7} {:>10} {:>10} {:>6} {:>9} {:>9}{}\n", one.threads,
                       time_text(one.median_ns), time_text(one.least_ns), one.runs,
                       rate_text(result.macs, one.median_ns),
                       one.threads > 1 || result.least_ns == 0
                           ? std::string("-")
                           : fmt::format("{:.2f}", double(one.median_ns) / double(result.least_ns)),
                       before ? against(one.median_ns, before->median_ns) : "");
  }
  if (result.kernels.empty()) return out;
  int64_t total = 0;
  for (const KernelTime& one : result.kernels) total += one.ns;
  out += fmt::format("\n{:>6} {:>10} {:>10} {:>6} {:>9} {:>9}  {}\n", "share", "least", "predicted",
                     "calls", "GFLOP/s", "x bound", "kernel");
  for (const KernelTime& one : result.kernels) {
    out += fmt::format(
        "{:>5}% {:>10} {:>10} {:>6} {:>9} {:>9}  {} ({}){}\n",
        one.ns * 100 / std::max<int64_t>(1, total), time_text(one.ns),
        one.predicted_ns == 0 ? std::string("-") : time_text(one.predicted_ns), one.calls,
        rate_text(one.macs, one.ns),
        one.least_ns == 0 ? std::string("-")
                          : fmt::format("{:.2f}", double(one.ns) / double(one.least_ns)),
        one.name, nodes_in_short(one.nodes), against(one.ns, earlier_ns(one, earlier)));
  }
  if (const std::optional<int> percent = rank_correlation(result.kernels))
    out += fmt::format("\nrank correlation of predicted and measured times: {:.2f}\n",
                       double(*percent) / 100);
  if (!result.unknown.empty()) out += "\nnot told: " + result.unknown + "\n";
  return out;
}

std::string to_json(const BenchResult& result) {
  Json json{{"format", 1},
            {"model", result.model},
            {"hardware", result.hardware},
            {"compiler", result.compiler},
            {"sizes", result.sizes},
            {"macs", result.macs},
            {"least_ns", result.least_ns},
            {"whole", Json::array()},
            {"kernels", Json::array()}};
  for (const RunTimes& one : result.whole) {
    json["whole"].push_back({{"threads", one.threads},
                             {"median_ns", one.median_ns},
                             {"least_ns", one.least_ns},
                             {"runs", one.runs}});
  }
  for (const KernelTime& one : result.kernels) {
    Json nodes = Json::array();
    for (const Origin& origin : one.nodes)
      nodes.push_back({{"name", origin.node}, {"op", origin.op}});
    json["kernels"].push_back({{"name", one.name},
                               {"nodes", nodes},
                               {"macs", one.macs},
                               {"least_ns", one.least_ns},
                               {"ns", one.ns},
                               {"predicted_ns", one.predicted_ns},
                               {"predicted_memory_ns", one.predicted_memory_ns},
                               {"predicted_one_by_one_ns", one.predicted_one_by_one_ns},
                               {"bytes_read", one.bytes_read},
                               {"bytes_written", one.bytes_written},
                               {"calls", one.calls}});
  }
  if (const std::optional<int> percent = rank_correlation(result.kernels))
    json["rank_correlation_percent"] = *percent;
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

BenchResult read_bench(const std::string& path) {
  const JsonDocument document = read_json_file(path);
  const JsonValue root = document.root();
  if (root.at("format").as_integer() != 1)
    root.at("format").refuse("bad-value", "it is of another version of burin");
  BenchResult out;
  out.model = root.at("model").as_string();
  out.hardware = root.at("hardware").as_string();
  out.compiler = root.at("compiler").as_string();
  out.sizes = root.at("sizes").as_string();
  const JsonValue whole = root.at("whole"), kernels = root.at("kernels");
  for (size_t i = 0; i < whole.size(); ++i) {
    out.whole.push_back({static_cast<int>(whole[i].at("threads").as_integer(1, 1024)),
                         whole[i].at("median_ns").as_integer(),
                         whole[i].at("least_ns").as_integer(), whole[i].at("runs").as_integer()});
  }
  for (size_t i = 0; i < kernels.size(); ++i) {
    KernelTime one;
    one.name = kernels[i].at("name").as_string();
    one.ns = kernels[i].at("ns").as_integer();
    const JsonValue nodes = kernels[i].at("nodes");
    for (size_t k = 0; k < nodes.size(); ++k)
      one.nodes.push_back({nodes[k].at("name").as_string(), nodes[k].at("op").as_string()});
    out.kernels.push_back(std::move(one));
  }
  return out;
}

}  // namespace burin
