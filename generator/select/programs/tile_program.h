// One register tile as statements: rows x vectors of sums that stay in registers across the depth
// (YFlows: output anchored), by calls of rows of isa/; then they leave, vector by vector with what
// is made of them, or as they are into an array of the function.
#pragma once

#include <functional>
#include <optional>

#include "isa/instruction.h"
#include "select/programs/making.h"
#include "select/programs/panels.h"

namespace burin {

struct TileShape {
  int rows = 1, vectors = 1, lanes = 4;
  int accumulators = 1;  // of an element
  int columns() const { return vectors * lanes; }
};

// Points of the depth; the most there can be, where variables say how many there are.
struct TileDepth {
  TileDepth(const Dim& size) : points(size), most(size) {}  // NOLINT: a size is a depth
  TileDepth(Index points, Dim most) : points(std::move(points)), most(std::move(most)) {}
  Index points;
  Dim most;
  bool written_out = false;             // a number of points, all in one turn
  std::vector<loops::For> around = {};  // loops around these points, without bodies
};

// Where the factors lie at a point of the depth: an element for a row, lanes for a vector.
struct TileFactors {
  using Place = std::function<loops::Region(const Index& depth, const Index& number)>;
  Place a;  // none: b alone is combined
  Place b;
  bool by_lane = false;  // a has lanes too, each for the lane of b
  // Points of the depth at which all rows of a, halves or parts of a constant that lie in panels of
  // so many rows, become floats at once; 0: each half is widened as it is loaded.
  int a_widened = 0, a_height = 0;
  // Of parts: all rows at a point of the depth, into a row of an array.
  UnpackedRows a_unpacked = {};
  // Bytes by which what comes from constants is asked for before it is read; 0: it is not.
  int a_prefetch = 0, b_prefetch = 0;
  // Points of the depth that add something; none: all.
  std::function<Guard(const Index& depth)> when = {};
  // Instead of b, where rows have lanes of their own.
  std::function<loops::Region(const Index& depth, const Index& row, const Index& vector)> b_of_row =
      {};
};

// So many floats, as the halves that lie at `at` say.
loops::Call widened(loops::BufferId to, std::vector<Index> place, loops::BufferId halves,
                    std::vector<Index> at, const Dim& count);

// Statements as a function of their own.
loops::Stmts outlined(Making& making, loops::Stmts body);

class RegisterTile {
 public:
  RegisterTile(Making& making, const TileShape& shape);

  // Every sum, in the order of the depth; with several accumulators point k goes into sum k %
  // accumulators, what is left at the end into the first one, and the others are added to that.
  loops::Stmts sums(const TileFactors& factors, Combiner op, const TileDepth& depth);
  // The same into [rows][columns] of an array, by a function of their own where `go` says so.
  loops::Stmts sums_into(loops::BufferId array, const TileFactors& factors, Combiner op,
                         const TileDepth& depth, SumsGo go);

  // A sum, for stores that `leave` gets; its row and column in the tile.
  Expr element() const;
  Index row() const { return shape_.rows > 1 ? making_.at(row_) : Index(0); }
  Index column() const { return vector() * shape_.lanes + making_.at(lane_); }
  // It is not needed after all; nothing was made since.
  void forget() { making_.forget(sums_, kName); }

  // The sum or the greatest of each row's lanes; a row is one vector.
  loops::Stmts of_lanes(Combiner op,
                        const std::function<loops::Region(const Index& row)>& to) const;

  // Stores of every element, over row() and column(); nullopt: they have no form for vectors, or
  // would divide for each of them to find their places.
  std::optional<loops::Stmts> leave(const loops::Stmts& stores) const;

 private:
  static constexpr const char* kName = "sums";

  Index vector() const { return shape_.vectors > 1 ? making_.at(vector_) : Index(0); }
  loops::Region own(const Index& step) const;
  loops::Stmts each(loops::Stmts body) const;
  loops::Stmts each_step(int first,
                         const std::function<loops::Stmts(const Index& step)>& body) const;
  loops::Stmts spill(loops::BufferId array) const;
  bool divides_inside(const loops::Store& store) const;
  // The points of the depth from `first` on, as `point` takes one.
  loops::Stmts in_widened_chunks(const TileFactors& factors, int64_t depth,
                                 const std::function<loops::Stmts(const TileFactors& factors,
                                                                  const Index& point)>& take) const;
  bool is_one_run(const TileFactors& factors, int depth_variable) const;
  const isa::Instruction* instruction(const std::string& kind) const;

  Making& making_;
  const TileShape shape_;
  int row_, vector_, lane_, step_;
  loops::BufferId sums_;
};

// A tile of which all rows and columns are there: `made` makes stores of an element, which have a
// form for vectors. They leave from its registers, from those of a function of its own, or by an
// array, as `go` says.
using MadeOfTile =
    std::function<loops::Stmts(const Index& row, const Index& column, const Expr& sum)>;
loops::Stmts whole_tile(Making& making, const TileShape& shape, const TileFactors& factors,
                        const TileDepth& depth, SumsGo go, const MadeOfTile& made);
// What leave() gives, where it is known to give something.
loops::Stmts vectors_leaving(const RegisterTile& tile, const loops::Stmts& stores);

}  // namespace burin
