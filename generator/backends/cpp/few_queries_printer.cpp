// Prints attention of few queries; the loops are described in select/few_queries.h.
#include "backends/cpp/kernel_printer_core.h"

namespace burin::cpp {
namespace {

const char* name_of(EmptyRows empty) {
  switch (empty) {
    case EmptyRows::nan:
      return "burin_rt::EmptyRow::nan";
    case EmptyRows::zero_if_masked:
      return "burin_rt::EmptyRow::zero_if_masked";
    case EmptyRows::zero_if_nan:
      break;
  }
  return "burin_rt::EmptyRow::zero_if_nan";
}

// "name", or "name + offset".
std::string moved(const std::string& name, const std::string& offset) {
  return offset == "0" ? name : name + " + " + offset;
}

}  // namespace

// The row of the present query in scratch.
Index KernelPrinter::query_of(const AttentionSchedule& attention) const {
  return attention.query < 0 || attention.few->alone()
             ? Index(0)
             : Index::axis(attention.query, attention.queries);
}

// for (each query) { body }, unless that is around all steps.
void KernelPrinter::each_query(const AttentionSchedule& attention,
                               const std::function<void()>& body) {
  const bool loops = attention.query >= 0 && !attention.few->alone();
  if (loops) open_loop(attention.query);
  body();
  if (loops) close_loops(1);
}

Index KernelPrinter::place_in_row(const std::vector<int>& along) const {
  Index place = 0;
  for (const int axis : along) {
    const Dim& extent = kernel_.axes[static_cast<size_t>(axis)].extent;
    place = place * extent + Index::axis(axis, extent);
  }
  return place;
}

// The rows of the present block of keys.
void KernelPrinter::print_computed_rows(const RowFactor& factor, const Expr& element, int key,
                                        const std::vector<int>& along, const Index& length) {
  const Dim& keys = kernel_.axes[static_cast<size_t>(key)].extent;
  const Index place = (Index::axis(key, keys) - block_first(key)) * length + place_in_row(along);
  LoopNodes nodes{LoopNode{Fill{element, place, "rows"}}};
  const auto over_rows = [&] {
    nodes = {LoopNode{ForLoop{key, block_first(key), block_end(key), std::move(nodes)}}};
  };
  if (factor.rows_inside) over_rows();
  for (size_t i = along.size(); i-- > 0;) {
    const int axis = along[i];
    nodes = {LoopNode{
        ForLoop{axis, 0, kernel_.axes[static_cast<size_t>(axis)].extent, std::move(nodes)}}};
  }
  if (!factor.rows_inside) over_rows();
  name_divisions(nodes);
  print(nodes);
}

// What `count` rows from `first` on add to the scores of the present query, or to its sums.
void KernelPrinter::print_rows(const AttentionSchedule& attention, const Rows& given) {
  const FewQueries& few = *attention.few;
  const Sizes& sizes = *few_;
  const Index query = query_of(attention);
  const std::string scores = moved("scores", exprs_.text(query * sizes.keys + given.first)),
                    lanes = ", " + std::to_string(few.lanes) + ">(";
  const auto rows = [&](const Index& length) {
    return given.name + ", " + exprs_.text(given.pitch) + ", " + exprs_.text(given.count) + ", " +
           exprs_.text(length) + ", ";
  };
  if (given.of_k) {
    text_.line("burin_rt::score_rows<" + std::to_string(few.rows) + lanes +
               moved("q", exprs_.text(query * sizes.depth)) + ", " + rows(sizes.depth) + scores +
               ");");
  } else {
    text_.line("burin_rt::add_rows<" + std::to_string(few.vectors) + lanes + scores + ", " +
               rows(sizes.elements) + moved("sums", exprs_.text(query * sizes.elements)) + ");");
  }
}

// The same of all rows, for the present query, where they lie in a tensor.
void KernelPrinter::print_rows_in_place(const AttentionSchedule& attention, bool of_k) {
  const RowFactor& factor = of_k ? attention.few->k : attention.few->v;
  const std::string name = moved(value_name(factor.tensor), exprs_.text(factor.first));
  print_rows(attention, {of_k, name, factor.pitch, 0, few_->keys});
}

// The same for all queries, a block of rows after another.
void KernelPrinter::print_rows_in_blocks(const AttentionSchedule& attention, bool of_k) {
  const int key = attention.key;
  const Index& length = of_k ? few_->depth : few_->elements;
  open_blocks(key, std::to_string(attention.few->rows));
  exprs_.open_scope();
  print_computed_rows(of_k ? attention.few->k : attention.few->v, of_k ? attention.k : attention.v,
                      key, of_k ? attention.depth : std::vector<int>{attention.element}, length);
  exprs_.close_scope();
  each_query(attention, [&] {
    print_rows(attention,
               {of_k, "rows", length, block_first(key), block_end(key) - block_first(key)});
  });
  close_blocks(key);
}

void KernelPrinter::print_few_queries(const AttentionSchedule& attention) {
  const FewQueries& few = *attention.few;
  const bool k_in_place = few.k.tensor != kNoValue, v_in_place = few.v.tensor != kNoValue;
  out_.headers.insert("attention_rows.h");
  scratch_pointer("float", "q", few.q_offset);
  scratch_pointer("float", "sums", few.sums_offset);
  if (!few.alone()) scratch_pointer("float", "rows", few.rows_offset);
  scratch_pointer("float", "scores", few.scores_offset);
  const auto loops = [&](const std::vector<int>& axes, LoopNode node) {
    LoopNodes nodes{std::move(node)};
    for (size_t i = axes.size(); i-- > 0;) {
      const int axis = axes[i];
      nodes = {LoopNode{
          ForLoop{axis, 0, kernel_.axes[static_cast<size_t>(axis)].extent, std::move(nodes)}}};
    }
    exprs_.open_scope();
    name_divisions(nodes);
    print(nodes);
    exprs_.close_scope();
  };
  const auto write = [&] { loops({attention.element}, {Store{0, attention.value, {}}}); };
  std::vector<int> around = attention.batch;
  if (few.alone() && attention.query >= 0) around.push_back(attention.query);
  for (const int axis : around) open_loop(axis);
  each_query(attention, [&] {
    const Index place = query_of(attention) * few_->depth + place_in_row(attention.depth);
    loops(attention.depth, {Fill{attention.q, place, "q"}});
    if (k_in_place) print_rows_in_place(attention, true);
  });
  if (!k_in_place) print_rows_in_blocks(attention, true);
  each_query(attention, [&] {
    if (attention.masked.kind() != ExprKind::let)
      loops({attention.key}, {Fill{attention.masked, place_of_score(attention), "scores"}});
    const std::string row = moved("scores", exprs_.text(query_of(attention) * few_->keys));
    if (attention.factor) {
      print_row_weights(attention, row);
    } else {
      text_.line("burin_rt::weigh_row<" + std::to_string(few.lanes) + ">(" + row + ", " +
                 exprs_.text(few_->keys) + ", " + name_of(attention.empty) + ");");
    }
    loops({attention.element},
          {Fill{Expr::constant(Type::f32, 0), place_of_sum(attention), "sums"}});
    if (v_in_place) {
      print_rows_in_place(attention, false);
      write();
    }
  });
  if (!v_in_place) {
    print_rows_in_blocks(attention, false);
    each_query(attention, write);
  }
  close_loops(around.size());
}

}  // namespace burin::cpp
