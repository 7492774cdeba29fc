#include "print/vector_moves.h"

#include "kernel/layout.h"
#include "loops/walk.h"
#include "support/at.h"
#include "support/check.h"

namespace burin::print {

void print_vector_moves(
    const loops::Program& program, const loops::For& loop,
    const std::function<std::string(loops::BufferId, const std::vector<Index>&)>& pointer,
    const Language& language, TextBuilder& text, Headers& headers) {
  BURIN_CHECK(loop.begin.is_constant(0) && loop.end.is_constant(4) && loop.step == 1,
              "a vector of other lanes");
  const auto neighbours = [&](loops::BufferId id, std::vector<Index> at) -> Language::Neighbours {
    const loops::Buffer& buffer = program.buffers[burin::at(id)];
    const Index moves = address(buffer.layout, buffer.shape, at);
    for (Index& index : at) index = loops::with_var(index, loop.var, 0);
    BURIN_CHECK(moves - address(buffer.layout, buffer.shape, at) == program.var(loop.var),
                buffer.name + " has no neighbours there");
    return {buffer.type, buffer.scope, pointer(id, at)};
  };
  for (const loops::Stmt& stmt : loop.body) {
    const auto& store = std::get<loops::Store>(stmt.node);
    const ExprNode& load = *store.value.at(0);
    BURIN_CHECK(load.kind == ExprKind::load && store.combine == Combiner::none,
                "a vector that is computed");
    text.line(language.move_four(neighbours(store.to[0], store.at), neighbours(load.id, load.at),
                                 headers));
  }
}

}  // namespace burin::print
