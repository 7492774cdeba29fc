// .png, by libpng: 8 bits for each channel, in the order of channels that the input has.
#include <png.h>

#include "report/array_kinds.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// Where an image's channels, rows and columns are among the dimensions of an input.
struct ImageForm {
  size_t channels = 0, rows = 0, columns = 0;
  bool has_channels = true;
};

bool may_be_channels(int64_t extent) { return extent == 1 || extent == 3 || extent == 4; }

// [.., C, H, W] or [.., H, W, C] with 1, 3 or 4 channels, or [H, W]; what is in front is 1.
ImageForm image_form(const std::vector<int64_t>& shape) {
  const size_t rank = shape.size();
  if (rank == 2) return {0, 0, 1, false};
  if (rank >= 3) {
    bool alone = true;
    for (size_t d = 0; d + 3 < rank; ++d) alone = alone && (shape[d] == 1 || shape[d] < 0);
    if (alone && may_be_channels(shape[rank - 3])) return {rank - 3, rank - 2, rank - 1};
    if (alone && may_be_channels(shape[rank - 1])) return {rank - 1, rank - 3, rank - 2};
  }
  refuse("io", "is an image, which the input is not",
         "[.., C, H, W] and [.., H, W, C] with 1, 3 or 4 channels are, and [H, W]");
}

void expect_extent(int64_t wanted, uint32_t got, const char* what) {
  if (wanted < 0 || wanted == int64_t{got}) return;
  refuse("io",
         "is an image of " + std::to_string(got) + " " + what + ", the input has " +
             std::to_string(wanted),
         "resize it; nothing is resized here");
}

}  // namespace

HostTensor read_png(const std::string& path, const ArrayForm& form) {
  const bool real = is_float(compute_type(form.type));
  if (!real && form.type != Type::u8)
    refuse("type",
           "is an image, and elements of " + std::string(to_string(form.type)) +
               " have no usual range for one",
           "f32, f16, bf16, f64 (0 to 1) and u8 (0 to 255) have");
  const ImageForm place = image_form(form.shape);
  const int64_t channels = place.has_channels ? form.shape[place.channels] : 1;
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  struct Free {
    png_image* image;
    ~Free() { png_image_free(image); }
  } const free{&image};
  if (!png_image_begin_read_from_file(&image, path.c_str()))
    refuse("io", "is no .png file that can be read: " + std::string(image.message));
  expect_extent(form.shape[place.rows], image.height, "rows");
  expect_extent(form.shape[place.columns], image.width, "columns");
  image.format = channels == 1 ? PNG_FORMAT_GRAY : channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  if (int64_t{image.height} * image.width * channels > kMostArrayBytes / 8)
    refuse("io", "is too large");
  std::vector<uint8_t> pixels(PNG_IMAGE_SIZE(image));
  png_color black{};  // what is transparent lies on black
  if (!png_image_finish_read(&image, &black, pixels.data(), 0, nullptr))
    refuse("io", "is a broken .png file: " + std::string(image.message));
  std::vector<int64_t> shape(form.shape.size(), 1);
  if (place.has_channels) shape[place.channels] = channels;
  shape[place.rows] = image.height;
  shape[place.columns] = image.width;
  HostTensor out = make_tensor(form.type, shape);
  const bool planes = place.has_channels && place.channels < place.rows;
  const int64_t points = int64_t{image.height} * image.width;
  for (int64_t point = 0; point < points; ++point) {
    for (int64_t c = 0; c < channels; ++c) {
      const uint8_t value = pixels[static_cast<size_t>(point * channels + c)];
      out.set(planes ? c * points + point : point * channels + c,
              {static_cast<double>(value) / 255, value});
    }
  }
  return out;
}

}  // namespace burin
