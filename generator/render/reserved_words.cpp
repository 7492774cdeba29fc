#include "render/reserved_words.h"

#include <algorithm>
#include <string>

#include "render/header_names.h"

namespace burin {
namespace {

// Lower case, each between spaces.
constexpr std::string_view kWords =
    " abort abs alignas alignof all all_build alloca and and_eq arm asm assert "
    "atomic_cancel atomic_commit atomic_noexcept auto aux big_endian bitand bitor bool "
    "break byte_order calloc case catch cdecl ceil char char16_t char32_t char8_t char_bit "
    "char_max char_min class clean clk_event_t co_await co_return co_yield com1 com2 com3 "
    "com4 com5 com6 com7 com8 com9 compl complex con concept const const_cast constant "
    "consteval constexpr constinit continue continuous cos cosh dbl_epsilon dbl_max "
    "dbl_min decltype default delete depend do double dynamic_cast edit_cache else enum "
    "eof erf erfc errno event_t exit exp experimental explicit export extern false far "
    "final float floor flt_epsilon flt_max flt_min fma fmod for fp_infinite fp_nan "
    "fp_normal fp_subnormal fp_zero fpclassify free friend generic global goto half help "
    "hpux huge huge_val huge_valf i386 if image1d_array_t image1d_buffer_t image1d_t "
    "image2d_array_t image2d_t image3d_t imaginary import infinity inline install int "
    "int16_c int16_max int16_min int16_t int32_c int32_max int32_min int32_t int64_c "
    "int64_max int64_min int64_t int8_c int8_max int8_min int8_t int_max int_min interface "
    "intmax_max intmax_min intmax_t intptr_max intptr_min intptr_t isfinite isinf isnan "
    "isnormal kernel labs linux list_install_components little_endian local log long "
    "long_max long_min longjmp lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 m_e m_pi main "
    "major makedev malloc max max_align_t memcmp memcpy memmove memset min minix minor "
    "mips module mutable namespace nan ndrange_t near new nightly noexcept noreturn not "
    "not_eq nul null nullptr nullptr_t off_t offsetof operator or or_eq override package "
    "package_source pascal pipe posix pow preinstall private prn protected ptrdiff_max "
    "ptrdiff_min ptrdiff_t public quad queue_t raise read_only read_write realloc "
    "rebuild_cache reflexpr register reinterpret_cast requires reserve_id_t restrict "
    "return rint run_tests sampler_t schar_max schar_min setjmp short shrt_max shrt_min "
    "signal signbit signed sin sinh size_max size_t sizeof small sparc sqrt ssize_t static "
    "static_assert static_cast std stdcall stderr stdin stdout struct sun switch "
    "synchronized tan tanh template test this thread_local throw true trunc try typedef "
    "typeid typename typeof typeof_unqual uchar uchar_max uint uint16_c uint16_max "
    "uint16_t uint32_c uint32_max uint32_t uint64_c uint64_max uint64_t uint8_c uint8_max "
    "uint8_t uint_max uintmax_max uintmax_t uintptr_max uintptr_t ulong ulong_max uniform "
    "union unix unsigned ushort ushrt_max using vax vec_step virtual void volatile wchar_t "
    "while write_only xor xor_eq zero_check ";

// OpenCL C has every scalar type with 2, 3, 4, 8 or 16 elements as a type of its own, and matrices
// "float4x4".
bool is_opencl_vector(std::string_view lower) {
  constexpr std::string_view kScalars[] = {"char", "uchar", "short", "ushort", "int",
                                           "uint", "long",  "ulong", "float",  "double",
                                           "half", "quad",  "bool"};
  for (const std::string_view scalar : kScalars) {
    if (!lower.starts_with(scalar) || lower.size() == scalar.size()) continue;
    const std::string_view rest = lower.substr(scalar.size());
    if (rest.find_first_not_of("0123456789x") == rest.npos && rest[0] != 'x') return true;
  }
  return false;
}

}  // namespace

bool is_word_of(std::string_view sorted, std::string_view word) {
  // [begin, end) starts and ends in front of a word.
  size_t begin = 0, end = sorted.size() - 1;
  while (begin < end) {
    const size_t from = sorted.rfind(' ', begin + (end - begin) / 2);
    const size_t to = sorted.find(' ', from + 1);
    const int order = word.compare(sorted.substr(from + 1, to - from - 1));
    if (order == 0) return true;
    (order < 0 ? end : begin) = order < 0 ? from : to;
  }
  return false;
}

bool is_reserved_word(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return is_word_of(kWords, lower) || is_opencl_vector(lower) || is_header_macro(text);
}

}  // namespace burin
