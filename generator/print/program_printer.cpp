#include "print/program_printer.h"

#include <set>
#include <utility>

#include "isa/instruction.h"
#include "kernel/combiner.h"
#include "kernel/layout.h"
#include "loops/walk.h"
#include "print/definitions.h"
#include "print/induction_variables.h"
#include "print/kept_bits.h"
#include "print/keyed_store.h"
#include "print/vector_moves.h"
#include "print/vector_stores.h"
#include "support/at.h"
#include "support/check.h"

namespace burin::print {

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
      exprs_(text_, headers_, names(), language),
      matrices_(loops::matrices_in(program.body)) {
  exprs_.set_index_type(index_type_);
  loops::for_each(program_.body, [this](const loops::Stmt& stmt) {
    if (const auto* store = std::get_if<loops::Store>(&stmt.node)) {
      for (const BufferId to : store->to) ++stores_[to];
    }
  });
}

ExprPrinter::Names ProgramPrinter::names() {
  return {[this](int var) { return program_.vars[at(var)].name; },
          [this](const Symbol& symbol) {
            return counted_.contains(symbol->name) ? symbol->name : parameters_.symbol(symbol);
          },
          [this](const ExprNode& load) { return element(load.id, load.type, load.at); },
          [](const ExprNode&) -> std::string {
            BURIN_CHECK(false, "a program has no lets");
            return {};
          },
          [this](const ExprNode& load) { return component(load); }};
}

// Of an image; empty: an element of an array.
std::string ProgramPrinter::component(const ExprNode& load) {
  if (!buffer(load.id).image) return {};
  const std::string place = language_.texel_place(exprs_.text(load.at[1]), exprs_.text(load.at[0]));
  const std::string text =
      language_.component(buffer_name(load.id), place, exprs_.text(load.at[2]), headers_);
  return load.type == Type::f16 ? language_.to_fp16(text, headers_) : text;
}

const loops::Buffer& ProgramPrinter::buffer(BufferId id) const { return program_.buffers[at(id)]; }

std::string ProgramPrinter::buffer_name(BufferId id) const {
  const loops::Buffer& one = buffer(id);
  if (const auto passed = passed_.find(id); passed != passed_.end()) return passed->second;
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

// Of a launch, names of numbers that nothing behind them in their block mentions are left out.
void ProgramPrinter::print(const loops::Stmts& stmts, bool last) {
  Definitions definitions(text_);
  parts_.open();
  ++depth_;
  for (size_t i = 0; i < stmts.size(); ++i) {
    const auto* alloc = std::get_if<loops::Alloc>(&stmts[i].node);
    const size_t start = text_.text().size();
    parts_.say(
        part_comment(stmts, i, depth_ == 1, [this](BufferId id) { return buffer_name(id); }));
    if (last && i + 1 == stmts.size() && print_last(stmts[i])) continue;
    if (alloc != nullptr && i + 1 < stmts.size() && print_definition(*alloc, stmts[i + 1])) {
      ++i;
      continue;
    }
    std::visit([this](const auto& one) { print(one); }, stmts[i].node);
    definitions.add(name_of(stmts[i], program_), start);
  }
  --depth_;
  parts_.close();
  if (ids_ != nullptr) definitions.drop_unused();
}

// A call of the function has a part of a loop that threads share: points [first, last), or the
// points from the loop's variable to the end of the part, which are parameters then.
void ProgramPrinter::print(const loops::For& loop) {
  exprs_.open_scope();
  if (loop.kind == Kind::vector && ids_ != nullptr) {
    print_vector_moves(
        program_, loop,
        [this](BufferId id, const std::vector<Index>& at) {
          return "&" + buffer_name(id) + "[" + place(id, at) + "]";
        },
        language_, text_, headers_);
  } else if (loop.kind == Kind::vector) {
    VectorStores stores(
        program_, loop,
        [this](BufferId id, const std::vector<Index>& at) {
          return language_.element({buffer(id).type, buffer(id).type}, buffer_name(id),
                                   place(id, at));
        },
        language_, text_, exprs_, headers_);
    for (const loops::Stmt& stmt : loop.body) {
      const auto* store = std::get_if<loops::Store>(&stmt.node);
      BURIN_CHECK(store != nullptr, "a loop over lanes has more than stores");
      stores.print(*store);
    }
  } else if (loop.kind == Kind::thread && loop.part_end >= 0) {
    loops::Stmts body = loop.body;
    std::erase_if(body, [&](const loops::Stmt& stmt) {
      const auto* let = std::get_if<loops::Let>(&stmt.node);
      return let != nullptr && let->var == loop.part_end;
    });
    print(body);
  } else if (loop.kind == Kind::outlined) {
    print_outlined(loop);
  } else {
    print_turns(loop);
  }
  exprs_.close_scope();
}

// A work-item, or all of its group, has one point. Where more are launched than there are, those
// beyond have nothing to do.
void ProgramPrinter::print_points(const loops::For& loop) {
  BURIN_CHECK(loop.begin.is_constant(0) && loop.step == 1, "points that begin elsewhere");
  size_t dimension = 0;
  loops::for_each(loop.body, [&](const loops::Stmt& stmt) {
    const auto* inner = std::get_if<loops::For>(&stmt.node);
    dimension += inner != nullptr && inner->kind == loop.kind;
  });
  const bool group = loop.kind == Kind::group, local = loop.kind == Kind::item && in_group_;
  const std::string& id = local   ? ids_->local
                          : group ? ids_->group.at(dimension)
                                  : ids_->global.at(dimension);
  const std::string name = program_.vars[at(loop.var)].name;
  Definitions own(text_);
  const size_t start = text_.text().size();
  text_.line("const " + index_type_ + " " + name + " = (" + index_type_ + ")" + id + ";");
  own.add(name, start);
  if (!local && ids_->beyond.at(dimension))
    text_.line("if (" + name + " >= " + exprs_.text(loop.end) + ") return;");
  const bool outside = std::exchange(in_group_, in_group_ || group);
  print(loop.body, true);
  in_group_ = outside;
  own.drop_unused();
}

// With nothing behind it in the function; false: it is printed as anywhere.
bool ProgramPrinter::print_last(const loops::Stmt& stmt) {
  const auto* loop = std::get_if<loops::For>(&stmt.node);
  const auto* branch = std::get_if<loops::If>(&stmt.node);
  if (loop != nullptr && (loop->kind == Kind::group || loop->kind == Kind::item)) {
    print_points(*loop);
    return true;
  }
  if (branch == nullptr || !branch->otherwise.empty()) return false;
  text_.line("if (" + exprs_.opposite(branch->when) + ") return;");
  print(branch->then, true);
  return true;
}

// An array of the function that it fills would be copied: it gets it. Others are pointers.
void ProgramPrinter::print_outlined(const loops::For& loop) {
  const std::set<BufferId> inside = loops::allocated_in(loop.body);
  std::set<BufferId> touched = loops::touched_by(loop.body);
  std::erase_if(touched, [&](BufferId one) {
    return buffer(one).scope != Scope::stack || inside.contains(one);
  });
  BURIN_CHECK(touched.size() <= 1, "an outlined function touches one array of what is around it");
  if (touched.empty()) {
    text_.open(language_.outlined_function(headers_));
  } else {
    const BufferId array = *touched.begin();
    const std::string name = buffer_name(array);
    passed_[array] = name + "_array";
    text_.open(language_.outlined_function(buffer(array).type, name, passed_[array], headers_));
  }
  exprs_.open_scope();
  print(loop.body);
  exprs_.close_scope();
  passed_.clear();
  text_.close("});");
}

void ProgramPrinter::print_turns(const loops::For& loop) {
  const bool shared = loop.kind == Kind::thread;
  const std::string name = program_.vars[at(loop.var)].name;
  const std::string begin = shared ? "first" : exprs_.text(loop.begin),
                    end = shared ? "last" : exprs_.text(loop.end);
  InductionVariables inductions(
      program_.var(loop.var), loop.begin, text_, exprs_, language_, index_type_,
      [](const std::string& of, const char* what) { return of + "_" + what; });
  for (const loops::InductionVariable& one : loop.inductions) {
    counted_.insert({one.quotient, one.remainder});
    inductions.add(one);
  }
  const size_t start = text_.text().size();
  if (loop.kind == Kind::independent) text_.line(language_.independent(headers_));
  if (loop.kind == Kind::unrolled) text_.directive(language_.unroll(loop.end.constant()));
  if (loop.unroll > 0) text_.directive(language_.unroll(loop.unroll));
  const std::string step = loop.step == 1 ? "++" + name : name + " += " + std::to_string(loop.step);
  text_.open("for (" + index_type_ + " " + name + " = " + begin + "; " + name + " < " + end + "; " +
             step + ") {");
  exprs_.open_scope();
  print(loop.body);
  exprs_.close_scope();
  if (!loop.inductions.empty()) inductions.step(std::string_view(text_.text()).substr(start));
  text_.close();
}

void ProgramPrinter::print(const loops::If& branch) {
  const auto inside = [this](const loops::Stmts& stmts) {
    exprs_.open_scope();
    print(stmts);
    exprs_.close_scope();
  };
  exprs_.open_scope();
  text_.open("if (" + exprs_.text(branch.when) + ") {");
  inside(branch.then);
  if (!branch.otherwise.empty()) {
    text_.reopen("} else {");
    inside(branch.otherwise);
  }
  text_.close();
  exprs_.close_scope();
}

void ProgramPrinter::print(const loops::Let& let) {
  text_.line("const " + index_type_ + " " + program_.vars[at(let.var)].name + " = " +
             without_parentheses(exprs_.text(let.value)) + ";");
}

void ProgramPrinter::print(const loops::Name& name) {
  text_.line("const " + index_type_ + " " + name.name + " = " +
             without_parentheses(exprs_.text(name.value)) + ";");
  exprs_.name_index(name.value, name.name);
}

// A variable that is stored at once is defined so, and for good where that is its only store.
bool ProgramPrinter::print_definition(const loops::Alloc& alloc, const loops::Stmt& next) {
  const auto* store = std::get_if<loops::Store>(&next.node);
  const loops::Buffer& one = buffer(alloc.buffer);
  if (store == nullptr || one.scope != Scope::local || store->combine != Combiner::none ||
      store->to != std::vector{alloc.buffer})
    return false;
  const std::string value = without_parentheses(exprs_.text(store->value[0]));
  text_.line((stores_[alloc.buffer] == 1 ? "const " : "") +
             std::string(language_.compute_name(one.type)) + " " + one.name + " = " + value + ";");
  return true;
}

void ProgramPrinter::print(const loops::Alloc& alloc) {
  const loops::Buffer& one = buffer(alloc.buffer);
  switch (one.scope) {
    case Scope::stack:
      text_.line(language_.stack_array(one.type, one.name, product(one.shape).constant()));
      return;
    case Scope::registers: {
      if (matrices_.contains(alloc.buffer)) {
        text_.line(language_.matrix_name(one.type, one.shape[0].constant(), one.shape[1].constant(),
                                         headers_) +
                   " " + one.name + ";");
        return;
      }
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
      return;  // its pointer is there, in front of all that a function does
  }
}

void ProgramPrinter::print(const loops::Store& store) {
  if (is_keyed(store.combine)) return print_keyed(store);
  BURIN_CHECK(store.to.size() == 1, "of one value");
  exprs_.open_scope();
  const loops::Buffer& to = buffer(store.to[0]);
  if (keeps_bits(program_, store, language_)) {
    const std::string from = exprs_.element(store.value[0]);
    text_.line(element(store.to[0], store.value[0].type(), store.at) + " = " + from + ";");
    exprs_.close_scope();
    return;
  }
  std::string value = exprs_.text(store.value[0]);
  const Type compute = store.value[0].type();
  const std::string where = element(store.to[0], compute, store.at);
  const bool adds = store.combine == Combiner::sum, multiplies = store.combine == Combiner::product;
  if (is_float(compute) && compute == to.type && (adds || multiplies)) {
    text_.line(where + (adds ? " += " : " *= ") + without_parentheses(value) + ";");
    exprs_.close_scope();
    return;
  }
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

void ProgramPrinter::print_keyed(const loops::Store& store) {
  exprs_.open_scope();
  const std::vector<std::string> values = exprs_.texts(store.value);
  std::vector<std::string> there;
  for (size_t k = 0; k < store.to.size(); ++k) {
    const bool taken = k + 1 == store.to.size();
    there.push_back(element(store.to[k], taken ? Type::boolean : store.value[k].type(), store.at));
  }
  print_keyed_store({"key" + std::to_string(keys_++), store.value[0].type(), store.combine}, values,
                    there, language_, text_, headers_);
  exprs_.close_scope();
}

std::string ProgramPrinter::operand(const loops::Region& region, const isa::Instruction& op,
                                    size_t number) {
  const loops::Buffer& one = buffer(region.buffer);
  const isa::Place where = op.operands[number].place;
  const bool registers = where == isa::Place::registers;
  BURIN_CHECK(registers == (one.scope == Scope::registers), op.name + ": " + one.name);
  if (where == isa::Place::image) return buffer_name(region.buffer);
  if (where == isa::Place::element) return element(region.buffer, one.type, region.first);
  if (!registers)
    return "&" + buffer_name(region.buffer) + "[" + place(region.buffer, region.first) + "]";
  std::string out = one.name;
  if (matrices_.contains(region.buffer)) return out;
  for (size_t d = 0; d + 1 < region.first.size(); ++d)
    out += "[" + exprs_.text(region.first[d]) + "]";
  return out;
}

void ProgramPrinter::print(const loops::Call& call) {
  const isa::Spelling* spelling = isa::spelling_for(*call.op, parameters_.compiler);
  BURIN_CHECK(spelling != nullptr, call.op->name + " has no spelling");
  exprs_.open_scope();
  std::string text = spelling->text;
  const auto fill = [&](const std::string& hole, const std::string& with) {
    for (size_t from = 0; (from = text.find(hole, from)) != std::string::npos; from += with.size())
      text.replace(from, hole.size(), with);
  };
  for (size_t k = 0; k < call.operands.size(); ++k) {
    const std::string& name = call.op->operands[k].name;
    const std::vector<Index>& first = call.operands[k].first;
    fill("{" + name + "}", operand(call.operands[k], *call.op, k));
    if (call.op->operands[k].place == isa::Place::image)
      fill("{" + name + ".at}",
           language_.texel_place(exprs_.text(first[1]), exprs_.text(first[0])));
  }
  for (size_t s = 0; s < call.sizes.size(); ++s)
    fill("{" + call.op->sizes[s]->name + "}", without_parentheses(exprs_.text(call.sizes[s])));
  if (!spelling->header.empty()) headers_.insert(spelling->header);
  text_.line(text);
  exprs_.close_scope();
}

}  // namespace burin::print
