// Resampling of some dimensions of a tensor: Resize and Upsample.
//
// Every output point o of a resized dimension has a place in the input. Where the scale is known it
// is a fraction N(o) / D of integers, so that nearest neighbours are quasi-affine indices and
// weights are exact; otherwise it is computed in floats by the run.
#pragma once

#include <optional>
#include <string>

#include "ops/api/core/op_context.h"

namespace burin {

struct Ratio {
  Dim up = 1, down = 1;  // the scale is up / down
};

struct ResizeAxis {
  int dim = 0;
  Dim input, output;
  std::optional<Ratio> ratio;  // known before the run
  Expr scale;                  // f32, always there
  Expr start, end;             // the region of interest, f32; empty unless it is used
};

enum class Sampling : uint8_t { nearest, linear, cubic };

// The nearest_mode of opset 10, which has no attribute and no word about it: as onnxruntime has it,
// up where an axis shrinks, down elsewhere.
inline constexpr const char* kByScale = "by scale";

struct ResizeRule {
  Sampling sampling = Sampling::nearest;
  std::string place = "asymmetric";  // coordinate_transformation_mode
  std::string rounding = "floor";    // nearest_mode
  double cubic = -0.75;              // coefficient a
  bool exclude_outside = false, antialias = false;
  double extrapolation = 0;

  bool crops() const { return place == "tf_crop_and_resize"; }
};

// Writes y from x; dimensions without a ResizeAxis are copied.
void map_resize(OpContext& op, const Operand& x, const Operand& y, const ResizeRule& rule,
                const std::vector<ResizeAxis>& axes);

// Weights of the four points around a place with fraction t, for the cubic coefficient a.
std::vector<Expr> cubic_weights(double a, const Expr& t);

// The scale as a fraction: the simplest one that is this float; nullopt where it needs large
// numbers.
std::optional<Ratio> ratio_of(double scale);
// output / input, reduced where that is possible.
Ratio ratio_of(const Dim& output, const Dim& input);
// Sets scale and output of an axis: of a known scale, or of one that the run computes.
void set_scale(OpContext& op, const ResizeRule& rule, const std::optional<double>& known,
               const Expr& scale, ResizeAxis& axis);
// The numbers of a list of `count` floats; nullopt where one is dynamic.
std::vector<std::optional<double>> known_numbers(const OpContext& op, int input, size_t count);
// A list of `count` entries, else refused.
void check_list(OpContext& op, const Operand& list, size_t count, std::string_view what);

}  // namespace burin
