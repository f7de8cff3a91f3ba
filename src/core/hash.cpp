#include "gir/core/hash.h"

#include <openssl/evp.h>

#include <array>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/parallel.h"

namespace gir {

struct Sha256::Context {
  EVP_MD_CTX* md = EVP_MD_CTX_new();
  Context() { ensure(md != nullptr && EVP_DigestInit_ex(md, EVP_sha256(), nullptr) == 1, "SHA-256 is not available"); }
  ~Context() { EVP_MD_CTX_free(md); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {}
Sha256::~Sha256() = default;

void Sha256::add(const void* data, std::size_t size) {
  ensure(EVP_DigestUpdate(context_->md, data, size) == 1, "SHA-256 update failed");
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  ensure(EVP_DigestFinal_ex(context_->md, digest.data(), &size) == 1, "SHA-256 failed");
  std::string text;
  for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

std::string sha256_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  Sha256 hash;
  hash.add(file.text().data(), file.text().size());
  return hash.hex();
}

void Fingerprint::add_bytes(std::string_view name, const void* data, std::size_t size) {
  // A hash of the blocks' hashes: the block size is part of the definition and must not change.
  constexpr std::int64_t kBlock = 1 << 20;
  const auto total = static_cast<std::int64_t>(size);
  const auto* bytes = static_cast<const char*>(data);
  std::vector<std::string> digests(static_cast<std::size_t>(num_blocks(total, kBlock)));
  parallel_for(total, kBlock, [&](std::int64_t begin, std::int64_t end) {
    Sha256 block;
    block.add(bytes + begin, static_cast<std::size_t>(end - begin));
    digests[static_cast<std::size_t>(begin / kBlock)] = block.hex();
  });
  // Name and size come first, so that a value cannot move from one array to the next unnoticed.
  const std::string head = fmt::format("{}:{};", name, size);
  hash_.add(head.data(), head.size());
  for (const std::string& digest : digests) hash_.add(digest.data(), digest.size());
}

std::string Fingerprint::hex() { return hash_.hex().substr(0, 32); }

}  // namespace gir
