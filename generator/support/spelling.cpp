#include "support/spelling.h"

#include <algorithm>

#include "support/diagnostics.h"

namespace burin {
namespace {

// Optimal string alignment distance, by the usual table of prefixes (three rows kept).
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(previous);
    previous.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replace = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, previous[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view closest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr size_t kLongest = 64;  // names from outside may be megabytes long; no typing error is
  if (name.size() > kLongest) return {};
  size_t best_distance = std::max<size_t>(1, name.size() / 3) + 1;
  std::string_view best;
  for (const std::string& candidate : candidates) {
    const size_t distance = edit_distance(name, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string_view best = closest_name(name, candidates);
  return best.empty() ? "" : "did you mean " + quoted(best) + "?";
}

}  // namespace burin
