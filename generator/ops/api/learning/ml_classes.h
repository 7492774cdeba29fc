// What the classifiers of ai.onnx.ml share: labels, the class of the greatest score, and scores as
// post_transform has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/api/learning/ml.h"

namespace burin {

// Labels of classes. Strings are given as their positions; the note says which each of them is.
// Where other nodes read them they are strings.
struct Labels {
  std::vector<int64_t> numbers;
  std::vector<std::string> texts;
  std::string note;
  bool strings() const { return !note.empty(); }
};
// Refused (bad-attribute): none, or both kinds.
Labels labels_of(OpContext& op, std::string_view integers, std::string_view strings);

// Declares output i, a label for each row, which is to be written; then give_strings().
Operand label_output(OpContext& op, int i, const Labels& labels, const Dim& rows);
void give_strings(OpContext& op, int i, const Labels& labels, const Operand& label);

// y = the label of the greatest of scores [rows, classes]; of equal ones the first.
void map_greatest(OpContext& op, const Operand& scores, const Labels& labels, const Operand& y);

// to = scores [rows, classes] as post_transform has them: NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO,
// PROBIT.
void transform_scores(OpContext& op, const std::string& how, const Operand& scores,
                      const Operand& to);

// The same of one score for two classes, which is that of the second one. The first gets 1 - score,
// or its negative where scores are `mixed`; with LOGISTIC both are probabilities.
void transform_single(OpContext& op, const std::string& how, const Operand& score, bool mixed,
                      const Operand& to);

// Declares an output for a label where score [rows, 1] is above `least`, else for another.
void map_threshold(OpContext& op, const Operand& score, double least, int64_t above, int64_t below,
                   const Operand& y);

}  // namespace burin
