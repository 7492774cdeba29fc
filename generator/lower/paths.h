// Paths of Switch and Combine (ops/api/core/switch_paths.h) as structured control flow. While a
// block is lowered, the steps of every path wait in a list of their own; when what the paths give
// is needed, all lists of a fork become one branch, in order, where the fork stands.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "kernel/kernel.h"
#include "ops/api/core/switch_paths.h"

namespace burin {

// What must be taken for a value to exist: path numbers of forks, a fork before those inside it.
using Path = std::vector<std::pair<int, int>>;

bool is_prefix(const Path& shorter, const Path& longer);

class Paths {
 public:
  struct Fork {
    Operand predicate;
    PathForm form = PathForm::flag;
    int count = 0;
    bool closed = false;  // the predicate is checked to name a path before any of them runs
    Origins origins;
    bool exclusive() const { return form != PathForm::mask; }
  };

  // --- What is known of values ---
  // The paths that a value needs, empty for one that always exists; nullopt: it never does.
  std::optional<Path> of(GraphValueId id) const;
  // `needs`: the paths; `made`: where its steps are, which is less for an operand that a Switch
  // passes on.
  void place(GraphValueId id, Path needs, Path made);
  void never(GraphValueId id);
  // All that a node reads, together; nullopt: it never runs. Refuses what has no structure: a value
  // of paths whose steps do not stand around those of the reader.
  std::optional<Path> of_reader(const std::vector<GraphValueId>& reads) const;
  const Path& made(GraphValueId id) const;

  // --- Forks ---
  int fork(Fork fork);  // its number; one that is there already has the same
  Fork& at(int fork) { return forks_[static_cast<size_t>(fork)]; }
  const Fork& at(int fork) const { return forks_[static_cast<size_t>(fork)]; }
  // A value that the paths beneath `within` write and that exists outside of them.
  void join(GraphValueId id, const Path& within, const std::set<int>& forks);

  // --- Steps ---
  Steps& steps(const Path& path, Steps& block);
  // Those that wait, of all paths.
  std::vector<const Steps*> waiting() const;
  // Before a value is read: forks that write it become branches.
  void settle_for(GraphValueId id, Steps& block);
  void settle_all(Steps& block);
  // Refuses a value of a path that is a branch already, which is left.
  void check_open(GraphValueId id, const Path& reader) const;

 private:
  void settle(const Path& within, int fork, Steps& block);
  Steps branch(int fork, std::vector<Steps> paths) const;

  std::vector<Fork> forks_;
  std::map<GraphValueId, Path> needs_, made_;
  std::set<GraphValueId> never_;
  std::set<GraphValueId> left_;  // made by steps of a branch that is settled
  std::map<GraphValueId, std::vector<std::pair<Path, int>>> joined_;
  std::map<Path, Steps> waiting_;
};

// Every value that a node reads, those that its nested graphs take from outside included.
std::vector<GraphValueId> reads_of(const Node& node);

}  // namespace burin
