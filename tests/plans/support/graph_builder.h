// Small kernel graphs, written down step by step. Tensors are matrices of f32 unless said
// otherwise.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "kernel/run_order.h"

namespace burin {

inline void PrintTo(const Index& index, std::ostream* out) { *out << to_string(index); }

}  // namespace burin

namespace burin::test {

Symbol param(const std::string& name, int64_t min, int64_t max, int64_t hint);
Symbol run_symbol(const std::string& name, int64_t min, int64_t max);
Symbol iteration(const std::string& name, int64_t max);

class GraphBuilder {
 public:
  KernelGraph graph;

  // Each step has its identity: the numbers are their positions.
  KernelGraph numbered() const { return with_step_ids(graph); }

  // Steps go to the innermost open list; `into` opens one for the time of a call.
  GraphBuilder() : open_{&graph.steps} {}

  ValueId value(ValueKind kind, std::vector<Dim> shape, Type type = Type::f32);
  ValueId input(std::vector<Dim> shape, Type type = Type::f32);
  ValueId internal(std::vector<Dim> shape, Type type = Type::f32);
  ValueId output(std::vector<Dim> shape, Type type = Type::f32);
  const std::vector<Dim>& shape(ValueId id) const;
  Type type(ValueId id) const;

  // Axes i0, i1 ... over the shape of a value, and a load at indices.
  static std::vector<Index> axes(const std::vector<Dim>& shape);
  Expr load(ValueId id, std::vector<Index> at) const;

  // One write of `to` over all its elements.
  void map(ValueId to, const Expr& value, std::vector<Let> lets = {});
  void step(Step step) { open_.back()->push_back(std::move(step)); }
  template <class Body>
  void into(Steps& steps, const Body& body) {
    open_.push_back(&steps);
    body();
    open_.pop_back();
  }

  // Kernels that the tests speak of.
  void unary(ValueId to, ValueId x);                  // exp(x), point by point
  void binary(ValueId to, ValueId a, ValueId b);      // a + b, point by point
  void copy(ValueId to, ValueId x);                   // the same elements in row-major order
  void slice(ValueId to, ValueId x, const Dim& row);  // rows [row, row + rows of `to`)
  void transpose(ValueId to, ValueId x);
  void normalise_rows(ValueId to, ValueId x);                  // x / sum of its row
  void concat(ValueId to, const std::vector<ValueId>& parts);  // by rows, one write with cases
  void split(const std::vector<ValueId>& parts, ValueId x);    // by rows, one kernel
  void add_row(ValueId to, const Index& row, ValueId x);       // to[row, j] += x[0, j]
  void set_row(ValueId to, const Index& row, ValueId x);       // to[row, j] := x[0, j]

 private:
  std::vector<Steps*> open_;
};

}  // namespace burin::test
