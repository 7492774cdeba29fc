// Buffers in scratch as pointers into it, around the statements of a program: local pointers, or
// parameters of a function of its own that may assume that they do not overlap.
#include "loops/walk.h"
#include "print/language.h"
#include "print/program_printer.h"
#include "print/text_builder.h"
#include "support/at.h"

namespace burin::print {

void ProgramPrinter::print() {
  const std::vector<ScratchPointer> pointers = scratch_pointers(program_.body);
  if (!program_.told_apart || pointers.size() < 2) {
    define_scratch(pointers);
    print(program_.body);
    return;
  }
  text_.open(language_.function_of_pointers(pointers));
  print(program_.body);
  text_.close(language_.call_of_pointers(pointers));
}

void ProgramPrinter::print_launch(const loops::Stmts& stmts, const Ids& ids) {
  ids_ = &ids;
  define_scratch(scratch_pointers(stmts));
  print(stmts, true);
}

// Of what the statements touch: a policy may have made one for a form that it did not take.
std::vector<ScratchPointer> ProgramPrinter::scratch_pointers(const loops::Stmts& stmts) {
  const std::set<loops::BufferId> touched = loops::touched_by(stmts);
  std::vector<ScratchPointer> out;
  for (const loops::BufferId b : touched) {
    const loops::Buffer& one = buffer(b);
    if (one.scope != loops::Scope::scratch) continue;
    std::string from = parameters_.scratch;
    if (!one.offset.is_constant(0)) from += " + " + exprs_.text(one.offset);
    out.push_back({language_.storage_name(one.type), one.name, from});
  }
  return out;
}

void ProgramPrinter::define_scratch(const std::vector<ScratchPointer>& pointers) {
  for (const ScratchPointer& one : pointers)
    text_.line(language_.scratch_pointer(one.type, one.name, one.from));
}

}  // namespace burin::print
