// Prints the statements of a program (loops/program.h): loops, conditions, buffers, stores and
// calls of instructions, whatever schedule made them. Nothing is decided here.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "loops/program.h"
#include "print/expr_printer.h"
#include "print/part_comments.h"

namespace burin::print {

class ProgramPrinter {
 public:
  // How parameters of the function are called.
  struct Parameters {
    std::function<std::string(ValueId)> value;
    std::function<std::string(const Symbol&)> symbol;
    std::string compiler{};  // whose spellings of instructions are taken; empty: those of any
    std::string scratch = "scratch";
  };
  // Of a launch: how a work-item is told its number in its group, its group's along each dimension,
  // its own of all; and along which dimensions there may be more than the launch has points.
  struct Ids {
    std::string local;
    std::array<std::string, 3> group, global;
    std::array<bool, 3> beyond = {true, true, true};
  };

  ProgramPrinter(const loops::Program& program, TextBuilder& text, Headers& headers,
                 const Language& language, std::string index_type, Parameters parameters);

  // The whole program.
  void print();
  // The statements of one launch of it, as a function that may return early.
  void print_launch(const loops::Stmts& stmts, const Ids& ids);

 private:
  ExprPrinter::Names names();
  const loops::Buffer& buffer(loops::BufferId id) const;
  std::string buffer_name(loops::BufferId id) const;
  std::string place(loops::BufferId id, const std::vector<Index>& at);
  std::string element(loops::BufferId id, Type compute, const std::vector<Index>& at);
  std::string operand(const loops::Region& region, const isa::Instruction& op, size_t number);

  std::vector<ScratchPointer> scratch_pointers(const loops::Stmts& stmts);
  void define_scratch(const std::vector<ScratchPointer>& pointers);
  std::string component(const ExprNode& load);
  void print_points(const loops::For& loop);
  bool print_last(const loops::Stmt& stmt);
  void print(const loops::Stmts& stmts, bool last = false);
  void print(const loops::For& loop);
  void print(const loops::If& branch);
  void print(const loops::Let& let);
  void print(const loops::Name& name);
  void print(const loops::Alloc& alloc);
  bool print_definition(const loops::Alloc& alloc, const loops::Stmt& next);
  void print(const loops::Store& store);
  void print_keyed(const loops::Store& store);
  void print_turns(const loops::For& loop);
  void print_outlined(const loops::For& loop);
  void print(const loops::Call& call);
  void print(const loops::Barrier&) { text_.line(language_.barrier()); }

  const loops::Program& program_;
  TextBuilder& text_;
  Headers& headers_;
  const Language& language_;
  const std::string index_type_;
  const Parameters parameters_;
  ExprPrinter exprs_;
  const std::set<loops::BufferId> matrices_;       // in registers of a unit for matrices
  std::map<loops::BufferId, int> stores_;          // into each buffer
  std::set<std::string> counted_;                  // induction variables
  std::map<loops::BufferId, std::string> passed_;  // arrays, by their names as parameters
  int keys_ = 0;
  int depth_ = 0;  // blocks around
  PartComments parts_{text_};
  const Ids* ids_ = nullptr;
  bool in_group_ = false;
};

}  // namespace burin::print
