// The cell of LSTM, which its quantised form has too. Gates are in the order input i, output o,
// forget f, cell c:
//     i, f = f(X W' + H[t-1] R' + P . C[t-1] + Wb + Rb);  n = g(X W' + H[t-1] R' + Wb + Rb)
//     C[t] = f . C[t-1] + i . n;  o = f(... + P . C[t]);  H[t] = o . h(C[t])
// input_forget couples f = 1 - i.
#pragma once

#include "ops/api/layers/recurrent.h"

namespace burin {

// What the products see of H[t-1]: `let` is the number of H, `state` its element one step back. It
// makes `lets` lets.
struct HiddenView {
  std::function<Expr(RecurrentCell& cell, int let, const Expr& state)> see = {};
  int lets = 0;
};

// The rule of LSTM; whoever has other weights says so in it.
RecurrentRule lstm_rule();
void lower_lstm(OpContext& op, RecurrentRule rule, const HiddenView& view = {});

OpDef make_lstm_op(std::string name, void (*lower)(OpContext&));

}  // namespace burin
