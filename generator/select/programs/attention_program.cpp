#include "select/programs/attention_program.h"

#include <limits>

namespace burin {

using loops::BufferId;
using loops::Stmt;
using loops::Stmts;

BufferId allocate(Making& making, const char* name, std::vector<Dim> shape, const Dim& offset,
                  Stmts& out) {
  const BufferId made =
      making.buffer(loops::Scope::scratch, name, Type::f32, std::move(shape), offset);
  out.push_back({loops::Alloc{made}});
  return made;
}

Expr float_number(double value) { return Expr::constant(Type::f32, value); }
Expr no_score() { return float_number(-std::numeric_limits<double>::infinity()); }

void read_let(Making& making, int let, std::function<Expr()> element) {
  making.read_let_from(let, [element = std::move(element)](int, int, const std::vector<Index>&) {
    return element();
  });
}

Expr is_finite(const Expr& number) { return compare(Binary::eq, number - number, float_number(0)); }

Expr flag_of(const Expr& holds) {
  return Expr::select(holds, Expr::constant(Type::i32, 1), Expr::constant(Type::i32, 0));
}

Guard is_set(const Making& making, BufferId flags, std::vector<Index> at) {
  const Expr flag = making.element(flags, Type::i32, std::move(at));
  return {{Index::data(flag.ptr(), {0, 1}), 1, 2}};
}

Stmts attention_stmts(Making& making) {
  const AttentionSchedule& attention = *making.schedule().attention;
  if (!attention.decode) return attention_tiles(making);
  Stmts decode = decode_attention(making);
  if (!attention.tiled) return decode;
  return {Stmt{loops::If{{{attention.queries, 0, attention.decode->most + 1}},
                         std::move(decode),
                         attention_tiles(making)}}};
}

}  // namespace burin
