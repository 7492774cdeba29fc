#include "ops/api/strings/letter_case.h"

#include "kernel/tensor.h"

namespace burin {
namespace {

constexpr int kCodes = 0x800;  // of one and two bytes

bool within(int code, int first, int last) { return first <= code && code <= last; }

// Pairs of an even and an odd code, or of an odd and an even one, of which the first is upper case.
bool pairs_from_even(int code) {
  return within(code, 0x100, 0x137) || within(code, 0x14A, 0x177) || within(code, 0x1DE, 0x1EF) ||
         within(code, 0x1F8, 0x21F) || within(code, 0x222, 0x233) || within(code, 0x246, 0x24F) ||
         within(code, 0x370, 0x373) || within(code, 0x3D8, 0x3EF) || within(code, 0x460, 0x481) ||
         within(code, 0x48A, 0x4BF) || within(code, 0x4D0, 0x52F) || within(code, 0x376, 0x377);
}
bool pairs_from_odd(int code) {
  return within(code, 0x139, 0x148) || within(code, 0x179, 0x17E) || within(code, 0x1CD, 0x1DC) ||
         within(code, 0x4C1, 0x4CE);
}

// The code in lower case, where that has no more bytes.
int lower_of(int code) {
  if (within(code, 'A', 'Z')) return code + 32;
  if (within(code, 0xC0, 0xDE) && code != 0xD7) return code + 32;
  if (code == 0x130 || code == 0x131 || code == 0x138 || code == 0x149) return code;
  if (code == 0x178) return 0xFF;
  if (pairs_from_even(code)) return code | 1;
  if (pairs_from_odd(code)) return code % 2 != 0 ? code + 1 : code;
  if (code == 0x386) return 0x3AC;
  if (within(code, 0x388, 0x38A)) return code + 37;
  if (code == 0x38C) return 0x3CC;
  if (within(code, 0x38E, 0x38F)) return code + 63;
  if (within(code, 0x391, 0x3AB) && code != 0x3A2) return code + 32;
  if (within(code, 0x400, 0x40F)) return code + 80;
  if (within(code, 0x410, 0x42F)) return code + 32;
  if (code == 0x4C0) return 0x4CF;
  if (within(code, 0x531, 0x556)) return code + 48;
  return code;
}

// By code: its other case.
std::vector<int64_t> mapped(LetterCase to) {
  std::vector<int64_t> out;
  for (int code = 0; code < kCodes; ++code) out.push_back(code);
  for (int code = 0; code < kCodes; ++code) {
    const int lower = lower_of(code);
    if (lower == code || to == LetterCase::as_it_is) continue;
    if (to == LetterCase::lower) out[static_cast<size_t>(code)] = lower;
    if (to == LetterCase::upper) out[static_cast<size_t>(lower)] = code;
  }
  if (to == LetterCase::upper) {
    out[0x3C2] = 0x3A3;  // the sigma at the end of a word
    out[0xB5] = 0x39C;   // the sign for a millionth
  }
  return out;
}

bool leads_two(int byte) { return within(byte, 0xC2, 0xDF); }
bool follows(int byte) { return within(byte, 0x80, 0xBF); }

Expr number(const Expr& byte) { return Expr::cast(Type::i64, byte); }

}  // namespace

std::string in_case(const std::string& text, LetterCase to) {
  const std::vector<int64_t> codes = mapped(to);
  std::string out = text;
  for (size_t k = 0; k < text.size(); ++k) {
    const int byte = static_cast<unsigned char>(text[k]);
    if (byte < 0x80) out[k] = static_cast<char>(codes[static_cast<size_t>(byte)]);
    const int next = k + 1 < text.size() ? static_cast<unsigned char>(text[k + 1]) : 0;
    if (!leads_two(byte) || !follows(next)) continue;
    const int64_t code = codes[static_cast<size_t>((byte & 31) << 6 | (next & 63))];
    out[k] = static_cast<char>(0xC0 | code >> 6);
    out[k + 1] = static_cast<char>(0x80 | (code & 63));
    ++k;
  }
  return out;
}

Operand case_mapping(OpContext& op, LetterCase to) {
  const HostTensor host = make_tensor(Type::i64, {kCodes}, mapped(to));
  return op.constant_operand(to == LetterCase::upper ? "upper_case" : "lower_case",
                             {host.type, host.shape, to_constant(host), {}});
}

Expr byte_in_case(OpContext& op, const Operand& mapping, const ByteReader& string,
                  const Index& byte) {
  const int64_t bytes = op.string_bytes();
  const Expr here = string(byte), none = Expr::constant(Type::u8, 0);
  const Expr before = Expr::cases({{{{byte, 1, bytes}}, string(max(byte - 1, 0))}}, none),
             behind =
                 Expr::cases({{{{byte, 0, bytes - 1}}, string(min(byte + 1, bytes - 1))}}, none);
  // Codes from 0x80 on, as 64 of them for every first byte.
  const auto pair = [&](const Expr& first, const Expr& second) {
    const Expr code = (number(first) - whole(0xC0)) * whole(64) + (number(second) - whole(0x80));
    return mapping.at({clipped(code, kCodes)});
  };
  const auto leads = [](const Expr& e) { return is_between(e, 0xC2, 0xDF); };
  const auto follows = [](const Expr& e) { return is_between(e, 0x80, 0xBF); };
  const auto quotient = [](const Expr& a) { return a / whole(64); };
  const Expr small = mapping.at({clipped(number(here), kCodes)});
  const Expr first = whole(0xC0) + quotient(pair(here, behind));
  const Expr of_pair = pair(before, here);
  const Expr second = whole(0x80) + (of_pair - quotient(of_pair) * whole(64));
  const Expr other =
      Expr::select(both(leads(here), follows(behind)), first,
                   Expr::select(both(leads(before), follows(here)), second, number(here)));
  return Expr::cast(Type::u8, Expr::select(is_between(here, 0, 0x7F), small, other));
}

}  // namespace burin
