#include "lower/left_out.h"

#include <algorithm>
#include <array>

namespace burin {
namespace {

struct LeftOut {
  std::string_view domain, op, instead;
};

constexpr std::string_view kLoop =
    "it is the loop of generation around a decoder: export the decoder by itself, and call its "
    "tree "
    "from a loop of your own";
constexpr std::string_view kPacked =
    "it wants rows without padding, which only a run can lay out: export without packing, as "
    "MultiHeadAttention with key_padding_mask";

constexpr std::array kLeftOut{
    LeftOut{
        "ai.onnx", "ImageDecoder",
        "it reads file formats: decode the image in front of the model, and cut the graph behind "
        "it (onnx.utils.extract_model)"},
    LeftOut{"com.microsoft", "SparseAttention",
            "it would take attention over blocks that a mask in compressed rows lists, as data: "
            "export with GroupQueryAttention, and the mask as its attention_bias"},
    LeftOut{"com.microsoft", "DecoderMaskedSelfAttention",
            "it would take a cache that beams share and an indirection into it: export without "
            "decoder masked attention, as Attention with past"},
    LeftOut{"com.microsoft", "PackedAttention", kPacked},
    LeftOut{"com.microsoft", "RemovePadding", kPacked},
    LeftOut{"com.microsoft", "RestorePadding", kPacked},
    LeftOut{"com.microsoft", "BeamSearch", kLoop},
    LeftOut{"com.microsoft", "GreedySearch", kLoop},
    LeftOut{"com.microsoft", "Sampling", kLoop},
    LeftOut{"com.microsoft", "WhisperBeamSearch", kLoop},
    LeftOut{"ai.onnx.ml", "DictVectorizer",
            "its input is a map: build the row of numbers in front of the model"},
    LeftOut{"ai.onnx.ml", "CastMap",
            "its input is a map: build the row of numbers in front of the model"},
};

}  // namespace

std::string_view instead_of(const Node& node) {
  const std::string_view domain = node.domain.empty() ? "ai.onnx" : std::string_view(node.domain);
  const auto* const found = std::find_if(kLeftOut.begin(), kLeftOut.end(), [&](const LeftOut& one) {
    return one.domain == domain && one.op == node.op;
  });
  return found == kLeftOut.end() ? std::string_view() : found->instead;
}

}  // namespace burin
