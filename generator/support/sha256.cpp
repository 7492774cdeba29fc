#include "support/sha256.h"

// The plain functions of the library: the newer interface fetches algorithms by name, and brings
// half of the library into memory to do so.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include "support/check.h"
#include "support/file_bytes.h"

namespace burin {

struct Sha256::State {
  SHA256_CTX context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  BURIN_CHECK(SHA256_Init(&state_->context) == 1);
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::string_view bytes) {
  BURIN_CHECK(SHA256_Update(&state_->context, bytes.data(), bytes.size()) == 1);
}

std::string Sha256::hex() {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  BURIN_CHECK(SHA256_Final(digest, &state_->context) == 1);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const unsigned char byte : digest) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.hex();
}

std::string sha256_of_file(const std::string& path) {
  Sha256 hash;
  read_file(path, [&](std::string_view bytes) { hash.update(bytes); });
  return hash.hex();
}

}  // namespace burin
