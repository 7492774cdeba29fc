#include "backends/cpp/program_printer.h"

#include "isa/instruction.h"
#include "kernel/combiner.h"
#include "kernel/layout.h"
#include "support/at.h"
#include "support/check.h"

namespace burin::cpp {

using loops::BufferId;
using loops::Kind;
using loops::Scope;

ProgramPrinter::ProgramPrinter(const loops::Program& program, TextBuilder& text, Headers& headers,
                               const Language& language, std::string index_type,
                               Parameters parameters)
    : program_(program),
      text_(text),
      headers_(headers),
      language_(language),
      index_type_(std::move(index_type)),
      parameters_(std::move(parameters)),
      exprs_(text_, headers_, names(), nullptr, language) {
  exprs_.set_index_type(index_type_);
}

ExprPrinter::Names ProgramPrinter::names() {
  return {[this](int var) { return program_.vars[at(var)].name; },
          [this](const Symbol& symbol) { return parameters_.symbol(symbol); },
          [this](const ExprNode& load) { return element(load.id, load.type, load.at); },
          [](const ExprNode&) -> std::string {
            BURIN_CHECK(false, "a program has no lets");
            return {};
          }};
}

const loops::Buffer& ProgramPrinter::buffer(BufferId id) const { return program_.buffers[at(id)]; }

std::string ProgramPrinter::buffer_name(BufferId id) const {
  const loops::Buffer& one = buffer(id);
  return one.scope == Scope::argument ? parameters_.value(one.value) : one.name;
}

std::string ProgramPrinter::place(BufferId id, const std::vector<Index>& at) {
  const loops::Buffer& one = buffer(id);
  return exprs_.text(address(one.layout, one.shape, at));
}

std::string ProgramPrinter::element(BufferId id, Type compute, const std::vector<Index>& at) {
  const loops::Buffer& one = buffer(id);
  if (one.scope == Scope::local) return one.name;
  BURIN_CHECK(one.scope != Scope::registers, "registers are read by instructions");
  return language_.element({one.type, compute}, buffer_name(id), place(id, at));
}

void ProgramPrinter::print() {
  define_scratch();
  print(program_.body);
}

void ProgramPrinter::define_scratch() {
  for (const loops::Buffer& one : program_.buffers) {
    if (one.scope != Scope::scratch) continue;
    const std::string from =
        one.offset.is_constant(0) ? "scratch" : "scratch + " + exprs_.text(one.offset);
    text_.line(language_.scratch_pointer(language_.storage_name(one.type), one.name, from));
  }
}

void ProgramPrinter::print(const loops::Stmts& stmts) {
  for (const loops::Stmt& stmt : stmts)
    std::visit([this](const auto& one) { print(one); }, stmt.node);
}

// A call of the function has the parts [first, last) of a loop that threads share.
void ProgramPrinter::print(const loops::For& loop) {
  const bool shared = loop.kind == Kind::thread;
  const std::string name = program_.vars[at(loop.var)].name;
  exprs_.open_scope();
  const std::string begin = shared ? "first" : exprs_.text(loop.begin),
                    end = shared ? "last" : exprs_.text(loop.end);
  if (loop.kind == Kind::unrolled) text_.directive(language_.unroll(loop.end.constant()));
  const std::string step = loop.step == 1 ? "++" + name : name + " += " + std::to_string(loop.step);
  text_.open("for (" + index_type_ + " " + name + " = " + begin + "; " + name + " < " + end + "; " +
             step + ") {");
  exprs_.open_scope();
  print(loop.body);
  exprs_.close_scope();
  text_.close();
  exprs_.close_scope();
}

void ProgramPrinter::print(const loops::If& branch) {
  exprs_.open_scope();
  text_.open("if (" + exprs_.text(branch.when) + ") {");
  print(branch.then);
  if (!branch.otherwise.empty()) {
    text_.reopen("} else {");
    print(branch.otherwise);
  }
  text_.close();
  exprs_.close_scope();
}

void ProgramPrinter::print(const loops::Let& let) {
  text_.line("const " + index_type_ + " " + program_.vars[at(let.var)].name + " = " +
             without_parentheses(exprs_.text(let.value)) + ";");
}

void ProgramPrinter::print(const loops::Alloc& alloc) {
  const loops::Buffer& one = buffer(alloc.buffer);
  switch (one.scope) {
    case Scope::stack:
      text_.line(language_.stack_array(one.type, one.name, product(one.shape).constant()));
      return;
    case Scope::registers: {
      // Its innermost dimension is a vector.
      std::string array = one.name;
      for (size_t d = 0; d + 1 < one.shape.size(); ++d)
        array += "[" + std::to_string(one.shape[d].constant()) + "]";
      text_.line(language_.vector_name(one.type, one.shape.back().constant(), headers_) + " " +
                 array + ";");
      return;
    }
    case Scope::local:
      text_.line(std::string(language_.compute_name(one.type)) + " " + one.name + ";");
      return;
    default:
      return;  // its pointer is there
  }
}

void ProgramPrinter::print(const loops::Store& store) {
  BURIN_CHECK(store.to.size() == 1 && !is_keyed(store.combine), "of one value");
  exprs_.open_scope();
  const loops::Buffer& to = buffer(store.to[0]);
  std::string value = exprs_.text(store.value[0]);
  const Type compute = store.value[0].type();
  const std::string where = element(store.to[0], compute, store.at);
  if (const auto op = combining(store.combine)) {
    const std::string there = language_.load({to.type, compute}, where, headers_);
    value = language_.binary(*op, compute, there, value, headers_);
  }
  if (to.scope == Scope::local) {
    text_.line(where + " = " + without_parentheses(value) + ";");
  } else {
    text_.line(language_.store({to.type, compute}, where, without_parentheses(value), headers_));
  }
  exprs_.close_scope();
}

std::string ProgramPrinter::operand(const loops::Region& region, const isa::Instruction& op,
                                    size_t number) {
  const loops::Buffer& one = buffer(region.buffer);
  const bool registers = op.operands[number].place == isa::Place::registers;
  BURIN_CHECK(registers == (one.scope == Scope::registers), op.name + ": " + one.name);
  if (!registers)
    return "&" + buffer_name(region.buffer) + "[" + place(region.buffer, region.first) + "]";
  std::string out = one.name;
  for (size_t d = 0; d + 1 < region.first.size(); ++d)
    out += "[" + exprs_.text(region.first[d]) + "]";
  return out;
}

void ProgramPrinter::print(const loops::Call& call) {
  const isa::Spelling* spelling = isa::spelling_for(*call.op, parameters_.compiler);
  BURIN_CHECK(spelling != nullptr, call.op->name + " has no spelling");
  exprs_.open_scope();
  std::string text = spelling->text;
  for (size_t k = 0; k < call.operands.size(); ++k) {
    const std::string hole = "{" + call.op->operands[k].name + "}";
    const std::string with = operand(call.operands[k], *call.op, k);
    for (size_t from = 0; (from = text.find(hole, from)) != std::string::npos; from += with.size())
      text.replace(from, hole.size(), with);
  }
  if (!spelling->header.empty()) headers_.insert(spelling->header);
  text_.line(text);
  exprs_.close_scope();
}

void ProgramPrinter::print(const loops::Barrier&) {
  BURIN_CHECK(false, "threads of a call share nothing that they wait for");
}

}  // namespace burin::cpp
