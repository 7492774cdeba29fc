// The one walk over statements: what a pass over programs is written with.
#pragma once

#include <functional>
#include <set>

#include "loops/program.h"

namespace burin::loops {

// Every statement, parents before children, in order.
void for_each(const Stmts& stmts, const std::function<void(const Stmt&)>& visit);

bool has_loops(const Stmts& stmts);

// `stmts` behind what is there.
void append(Stmts& to, Stmts stmts);

// Statements bottom-up: `on_stmt` gets each one with its blocks rewritten already, and returns what
// stands in its place, which may be none or several.
Stmts rewrite(const Stmts& stmts, const std::function<Stmts(Stmt)>& on_stmt);

// Every index and every expression that a statement itself has, not what is in its blocks.
void for_each_index(const Stmt& stmt, const std::function<void(const Index&)>& visit);
void for_each_expr(const Stmt& stmt, const std::function<void(const Expr&)>& visit);

// The statement with each of its indices and expressions replaced; blocks stay.
Stmt map(Stmt stmt, const std::function<Index(const Index&)>& on_index,
         const std::function<Expr(const Expr&)>& on_expr);

// The index with variable `var` replaced by `value`; data that it reads stays.
Index with_var(const Index& index, int var, const Index& value);

// Variable `var` replaced by `value` in all statements, loads inside indices included.
Stmts substitute(const Stmts& stmts, int var, const Index& value);

// Buffers that statements allocate.
std::set<BufferId> allocated_in(const Stmts& stmts);

// Buffers that statements read or write, calls included; sorted.
std::vector<BufferId> reads_of(const Stmts& stmts);
std::vector<BufferId> writes_of(const Stmts& stmts);
std::set<BufferId> touched_by(const Stmts& stmts);  // both

// Buffers that a unit for matrices holds in registers of its own.
std::set<BufferId> matrices_in(const Stmts& stmts);

// Whether the elements of an operand may run on from one row of its buffer in the next.
bool runs_on(const Program& program, const Call& call, size_t operand);

}  // namespace burin::loops
