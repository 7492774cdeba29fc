#include "lower/paths.h"

#include <algorithm>

#include "support/diagnostics.h"

namespace burin {
namespace {

const Path kAlways;

void collect_reads(const Node& node, std::vector<GraphValueId>& reads) {
  reads.insert(reads.end(), node.inputs.begin(), node.inputs.end());
  for (const Attribute& attribute : node.attributes) {
    const auto* block = std::get_if<std::shared_ptr<const Block>>(&attribute.value);
    if (!block) continue;
    for (const Node& inner : (*block)->nodes) collect_reads(inner, reads);
    reads.insert(reads.end(), (*block)->outputs.begin(), (*block)->outputs.end());
  }
}

}  // namespace

std::vector<GraphValueId> reads_of(const Node& node) {
  std::vector<GraphValueId> reads;
  collect_reads(node, reads);
  std::sort(reads.begin(), reads.end());
  reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
  std::erase(reads, kAbsent);
  return reads;
}

Expr runs(PathForm form, const Operand& predicate, int path) {
  if (form == PathForm::mask) return predicate.at({Index(path)});
  const Expr element = predicate.scalar();
  if (form == PathForm::number)
    return compare(Binary::eq, element, Expr::constant(element.type(), path));
  return path == 1 ? element : Expr::unary(Unary::logical_not, element);
}

bool is_prefix(const Path& shorter, const Path& longer) {
  return shorter.size() <= longer.size() &&
         std::equal(shorter.begin(), shorter.end(), longer.begin());
}

std::optional<Path> Paths::of(GraphValueId id) const {
  if (never_.contains(id)) return std::nullopt;
  const auto found = needs_.find(id);
  return found == needs_.end() ? kAlways : found->second;
}

const Path& Paths::made(GraphValueId id) const {
  const auto found = made_.find(id);
  return found == made_.end() ? kAlways : found->second;
}

void Paths::place(GraphValueId id, Path needs, Path made) {
  never_.erase(id);
  left_.erase(id);
  joined_.erase(id);
  needs_.erase(id);
  made_.erase(id);
  if (!needs.empty()) needs_.emplace(id, std::move(needs));
  if (!made.empty()) made_.emplace(id, std::move(made));
}

void Paths::never(GraphValueId id) { never_.insert(id); }

std::optional<Path> Paths::of_reader(const std::vector<GraphValueId>& reads) const {
  Path all;
  for (const GraphValueId id : reads) {
    const std::optional<Path> one = of(id);
    if (!one) return std::nullopt;
    Path both;
    std::set_union(all.begin(), all.end(), one->begin(), one->end(), std::back_inserter(both));
    all = std::move(both);
  }
  for (size_t i = 1; i < all.size(); ++i) {
    const auto [fork, path] = all[i];
    if (all[i - 1].first == fork && at(fork).exclusive()) return std::nullopt;  // two of one choice
  }
  return all;
}

void Paths::check_open(GraphValueId id, const Path& reader) const {
  if (left_.contains(id)) {
    refuse("unsupported-feature", "a path of a Switch goes on after its Combine was read",
           "give what it still needs to a Combine too, or put the Combine's readers behind it");
  }
  if (!is_prefix(made(id), reader)) {
    refuse("unsupported-feature",
           "it joins what paths of Switches with different predicates compute",
           "give both to a Combine first");
  }
}

int Paths::fork(Fork fork) {
  for (size_t i = 0; i < forks_.size(); ++i) {
    const Fork& other = forks_[i];
    if (other.predicate.value() == fork.predicate.value() && other.form == fork.form &&
        other.count == fork.count)
      return static_cast<int>(i);
  }
  forks_.push_back(std::move(fork));
  return static_cast<int>(forks_.size()) - 1;
}

void Paths::join(GraphValueId id, const Path& within, const std::set<int>& forks) {
  for (const int fork : forks) joined_[id].emplace_back(within, fork);
}

Steps& Paths::steps(const Path& path, Steps& block) {
  return path.empty() ? block : waiting_[path];
}

std::vector<const Steps*> Paths::waiting() const {
  std::vector<const Steps*> out;
  for (const auto& [path, steps] : waiting_) out.push_back(&steps);
  return out;
}

void Paths::settle_for(GraphValueId id, Steps& block) {
  const auto found = joined_.find(id);
  if (found == joined_.end()) return;
  const std::vector<std::pair<Path, int>> forks = found->second;
  joined_.erase(found);
  for (const auto& [within, fork] : forks) settle(within, fork, block);
}

void Paths::settle_all(Steps& block) {
  while (!waiting_.empty()) {
    // The deepest first: their branches stand in lists that wait too.
    const auto deepest = std::max_element(
        waiting_.begin(), waiting_.end(),
        [](const auto& a, const auto& b) { return a.first.size() < b.first.size(); });
    const Path path = deepest->first;
    settle(Path(path.begin(), path.end() - 1), path.back().first, block);
  }
}

void Paths::settle(const Path& within, int fork, Steps& block) {
  std::vector<Steps> paths;
  for (int path = 0; path < at(fork).count; ++path) {
    Path inside = within;
    inside.emplace_back(fork, path);
    std::set<int> deeper;
    for (const auto& [other, steps] : waiting_) {
      if (other.size() > inside.size() && is_prefix(inside, other))
        deeper.insert(other[inside.size()].first);
    }
    for (const int one : deeper) settle(inside, one, block);
    paths.emplace_back();
    if (const auto found = waiting_.find(inside); found != waiting_.end()) {
      paths.back() = std::move(found->second);
      waiting_.erase(found);
    }
    for (const auto& [id, made] : made_) {
      if (is_prefix(inside, made)) left_.insert(id);
    }
  }
  Steps& to = steps(within, block);
  for (Step& step : branch(fork, std::move(paths))) to.push_back(std::move(step));
}

// Paths of one choice as a chain, others one after the other.
Steps Paths::branch(int number, std::vector<Steps> paths) const {
  const Fork& fork = at(number);
  Steps out;
  const bool none =
      std::all_of(paths.begin(), paths.end(), [](const Steps& steps) { return steps.empty(); });
  if (none) return out;
  const auto condition = [&](size_t path) {
    return runs(fork.form, fork.predicate, static_cast<int>(path));
  };
  const auto make = [&](size_t path, Steps otherwise) {
    auto branch = std::make_shared<If>();
    branch->condition = condition(path);
    branch->then_steps = std::move(paths[path]);
    branch->else_steps = std::move(otherwise);
    branch->origins = fork.origins;
    return Step(std::move(branch));
  };
  if (fork.form == PathForm::mask) {
    for (size_t path = 0; path < paths.size(); ++path) {
      if (!paths[path].empty()) out.push_back(make(path, {}));
    }
    return out;
  }
  if (fork.form == PathForm::flag) {
    Steps otherwise = std::move(paths[0]);
    out.push_back(make(1, std::move(otherwise)));
    return out;
  }
  if (fork.closed) {
    out = std::move(paths.back());
  } else if (!paths.back().empty()) {
    out.push_back(make(paths.size() - 1, {}));
  }
  for (size_t path = paths.size() - 1; path-- > 0;) {
    Steps outer;
    outer.push_back(make(path, std::move(out)));
    out = std::move(outer);
  }
  return out;
}

}  // namespace burin
