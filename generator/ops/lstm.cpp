// LSTM: a state and a memory over time, with gates (api/lstm.h).
#include "ops/api/layers/lstm_layer.h"

namespace burin::lstm_op {
namespace {

void lower(OpContext& op) { lower_lstm(op, lstm_rule()); }

}  // namespace

OpDef definition() { return make_lstm_op("LSTM", lower); }

}  // namespace burin::lstm_op
