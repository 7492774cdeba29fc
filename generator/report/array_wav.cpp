// .wav: RIFF with PCM of 8, 16, 24 or 32 bits, or floats of 32 or 64, as recorders and numpy users
// write it. By hand, since the libraries that Debian has bring every codec there is with them.
#include <cstring>

#include "report/array_kinds.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr uint64_t kPcm = 1, kFloat = 3, kExtensible = 0xFFFE;

struct Sound {
  uint64_t kind = 0, channels = 0, bits = 0;
  std::string_view samples;
};

uint64_t little(std::string_view bytes, size_t at, size_t count) {
  if (at > bytes.size() || count > bytes.size() - at) refuse("io", "is cut");
  uint64_t out = 0;
  for (size_t i = 0; i < count; ++i)
    out |= uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return out;
}

Sound sound_of(std::string_view file) {
  if (file.size() < 12 || !file.starts_with("RIFF") || file.substr(8, 4) != "WAVE")
    refuse("io", "is no .wav file");
  Sound out;
  for (size_t at = 12; at + 8 <= file.size();) {
    const std::string_view name = file.substr(at, 4);
    const uint64_t bytes = little(file, at + 4, 4);
    at += 8;
    if (bytes > file.size() - at) refuse("io", "is cut");
    const std::string_view chunk = file.substr(at, bytes);
    if (name == "fmt ") {
      out.kind = little(chunk, 0, 2);
      out.channels = little(chunk, 2, 2);
      out.bits = little(chunk, 14, 2);
      // What it is stands in front of an identifier of 16 bytes.
      if (out.kind == kExtensible) out.kind = little(chunk, 24, 2);
    } else if (name == "data") {
      out.samples = chunk;
    }
    at += bytes + bytes % 2;
  }
  const bool known = out.kind == kPcm
                         ? out.bits == 8 || out.bits == 16 || out.bits == 24 || out.bits == 32
                         : out.kind == kFloat && (out.bits == 32 || out.bits == 64);
  if (!known || out.channels == 0)
    refuse("io", "holds sound of a kind that is not read",
           "PCM of 8, 16, 24 or 32 bits and floats are");
  return out;
}

// From -1 to 1, and as it is.
ScalarValue sample(const Sound& sound, size_t i) {
  const size_t bytes = sound.bits / 8;
  const uint64_t raw = little(sound.samples, i * bytes, bytes);
  ScalarValue out{};
  if (sound.kind == kFloat) {
    const auto narrow = static_cast<uint32_t>(raw);
    float single = 0;
    std::memcpy(&single, &narrow, sizeof single);
    out.number = single;
    if (bytes == 8) std::memcpy(&out.number, &raw, sizeof raw);
    return out;
  }
  // Bytes alone have no sign.
  const int64_t half = int64_t{1} << (sound.bits - 1);
  out.integer = static_cast<int64_t>(raw);
  if (bytes > 1 && out.integer >= half) out.integer -= 2 * half;
  out.number = static_cast<double>(bytes == 1 ? out.integer - half : out.integer) / double(half);
  return out;
}

}  // namespace

HostTensor read_wav(const std::string& bytes, const ArrayForm& form) {
  const Sound sound = sound_of(bytes);
  const bool real = is_float(compute_type(form.type));
  if (!real && (sound.kind == kFloat || size_bits(form.type) != static_cast<int>(sound.bits) ||
                (sound.bits == 8) == is_signed(form.type)))
    refuse("type",
           "holds samples of " + std::to_string(sound.bits) + " bits, which no " +
               std::string(to_string(form.type)) + " is",
           "an input of floats takes all of them");
  const size_t frame = sound.channels * (sound.bits / 8);
  const size_t frames = sound.samples.size() / frame;
  HostTensor out =
      make_tensor(form.type, filled(form.shape, static_cast<int64_t>(frames * sound.channels)));
  for (size_t channel = 0; channel < sound.channels; ++channel) {
    for (size_t i = 0; i < frames; ++i)
      out.set(static_cast<int64_t>(channel * frames + i),
              sample(sound, i * sound.channels + channel));
  }
  return out;
}

}  // namespace burin
