#include "http_transfer.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <memory>
#include <system_error>
#include <utility>

#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir {
namespace {

constexpr long kSlowestBytesPerSecond = 100;
constexpr long kMaxRedirects = 10;
constexpr std::string_view kTryAgain = "check the network and try again, the download continues where it stopped";

/// Hosts that are reached without a proxy: this machine, and the user's own list, which setting curl's option would
/// otherwise replace.
std::string hosts_without_proxy() {
  const char* users = std::getenv("no_proxy");
  if (users == nullptr) users = std::getenv("NO_PROXY");
  const std::string list = users == nullptr ? "" : users;
  if (list == "*") return list;
  return "localhost,127.0.0.1,::1" + (list.empty() ? "" : "," + list);
}

/// Whether an error may be temporary.
bool is_temporary(CURLcode code) {
  constexpr std::array kTemporary = {CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY,
                                     CURLE_COULDNT_CONNECT,      CURLE_OPERATION_TIMEDOUT,
                                     CURLE_PARTIAL_FILE,         CURLE_RECV_ERROR,
                                     CURLE_SEND_ERROR,           CURLE_GOT_NOTHING,
                                     CURLE_SSL_CONNECT_ERROR,    CURLE_HTTP2,
                                     CURLE_HTTP2_STREAM};
  return std::find(kTemporary.begin(), kTemporary.end(), code) != kTemporary.end();
}

std::string_view remedy_for(CURLcode code) {
  switch (code) {
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
      return "an address starts with http:// or https://";
    case CURLE_PEER_FAILED_VERIFICATION:
      return "check this machine's clock and its package ca-certificates";
    case CURLE_TOO_MANY_REDIRECTS:
      return "check the address";
    default:
      return kTryAgain;
  }
}

TransferResult refused_by_server(long status) {
  const bool busy = status == 408 || status == 429 || status >= 500;
  return {.worth_retrying = busy,
          .problem = fmt::format("the server answered with status {}", status),
          .remedy = busy ? "try again later, the download continues where it stopped"
                         : "check the address, the file may have moved"};
}

/// One request for the bytes that `part` still lacks.
class Transfer {
 public:
  Transfer(const DownloadJob& job, PartialFile& part) : job_(job), part_(part), offset_(part.size()) {
    ensure(handle_ != nullptr, "libcurl cannot create a handle");
    set(CURLOPT_URL, job.request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, kMaxRedirects);
    set(CURLOPT_FAILONERROR, 1L);
    set(CURLOPT_USERAGENT, "gir");
    set(CURLOPT_NOPROXY, hosts_without_proxy().c_str());
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(job.options.connect_limit.count()));
    set(CURLOPT_LOW_SPEED_LIMIT, kSlowestBytesPerSecond);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(job.options.stall_limit.count()));
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_ERRORBUFFER, error_text_.data());
    set(CURLOPT_WRITEFUNCTION, &receive);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &tick);
    set(CURLOPT_XFERINFODATA, this);
    // Not CURLOPT_RESUME_FROM, with which a server that does not support ranges is an error: the download should then
    // start from the beginning.
    if (offset_ > 0) set(CURLOPT_RANGE, fmt::format("{}-", offset_).c_str());
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  TransferResult perform() {
    const CURLcode code = curl_easy_perform(handle_.get());
    if (thrown_) std::rethrow_exception(thrown_);
    if (code == CURLE_HTTP_RETURNED_ERROR) {
      // Range not satisfiable: nothing follows the last byte we have. The hash will show whether that is the whole
      // file.
      if (status() == 416 && offset_ > 0) return {.complete = true};
      return refused_by_server(status());
    }
    if (code == CURLE_OK) accept_once();
    if (!refusal_.problem.empty()) return refusal_;
    if (code == CURLE_OK) return ended();
    const char* text = error_text_[0] != '\0' ? error_text_.data() : curl_easy_strerror(code);
    return {.worth_retrying = is_temporary(code),
            .problem = fmt::format("cannot download: {}", text),
            .remedy = remedy_for(code)};
  }

 private:
  struct Cleanup {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
  };

  template <typename Value>
  void set(CURLoption option, Value value) {
    ensure(curl_easy_setopt(handle_.get(), option, value) == CURLE_OK, "libcurl does not support an option");
  }

  static std::size_t receive(char* bytes, std::size_t, std::size_t count, void* self) noexcept {
    auto& transfer = *static_cast<Transfer*>(self);
    return transfer.succeeds([&] { return transfer.take({bytes, count}); }) ? count : 0;
  }

  static int tick(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) noexcept {
    auto& transfer = *static_cast<Transfer*>(self);
    const auto report = [&] {
      transfer.job_.report(transfer.part_.size(), transfer.total_.value_or(0));
      return true;
    };
    return transfer.succeeds(report) ? 0 : 1;
  }

  /// Exceptions must not pass through curl, which is C: they are kept and rethrown when it has returned.
  template <typename Action>
  bool succeeds(const Action& action) noexcept {
    try {
      return action();
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
  }

  bool take(std::string_view bytes) {
    if (!accept_once()) return false;
    if (part_.size() + static_cast<std::int64_t>(bytes.size()) > job_.max_bytes()) {
      part_.clear();
      return refuse(fmt::format("the server sends more than {} bytes", with_thousands(job_.max_bytes())));
    }
    part_.append(bytes);
    return true;
  }

  /// The result of a response that ended without an error. A response without a length ends with the connection, which
  /// may have been too early.
  TransferResult ended() const {
    if (part_.size() >= job_.request.bytes.value_or(0)) return {.complete = true};
    return {.worth_retrying = true,
            .problem = fmt::format("the server sent {} of {} bytes", with_thousands(part_.size()),
                                   with_thousands(*job_.request.bytes)),
            .remedy = kTryAgain};
  }

  /// Checks the header of the response once, before its first byte is stored.
  bool accept_once() {
    if (!checked_) accepted_ = accept();
    checked_ = true;
    return accepted_;
  }

  bool accept() {
    if (status() != 200 && status() != 206) return refuse(refused_by_server(status()));
    if (status() == 206 && range_start() != offset_) {
      part_.clear();
      return refuse({.worth_retrying = true,
                     .problem = "the server sends another part of the file than was requested",
                     .remedy = "try again"});
    }
    const std::int64_t start = status() == 206 ? offset_ : 0;
    curl_off_t declared = -1;
    curl_easy_getinfo(handle_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &declared);
    if (declared >= 0 && !fits(start, declared)) return false;
    // The server sends the whole file instead of the rest. Cleared only here, because a refused response must not
    // destroy what was downloaded before.
    if (start < part_.size()) part_.clear();
    return true;
  }

  /// Whether `declared` more bytes give a file of the expected size. UserError where the disk has no space for them.
  bool fits(std::int64_t start, std::int64_t declared) {
    const std::int64_t missing = job_.max_bytes() - start;
    if (declared > missing || (job_.request.bytes && declared != missing)) {
      return refuse(fmt::format("the server offers {} bytes, expected {}{}", with_thousands(declared),
                                job_.request.bytes ? "" : "at most ", with_thousands(missing)));
    }
    std::error_code unknown;
    const auto space = std::filesystem::space(part_.path(), unknown);
    if (!unknown && static_cast<std::uintmax_t>(declared) > space.available) {
      throw UserError(job_.request.target,
                      "needs {} more, the disk has {} [free some space, or choose another disk with `data-dir`]",
                      human_bytes(declared), human_bytes(static_cast<std::int64_t>(space.available)));
    }
    total_ = start + declared;
    return true;
  }

  bool refuse(std::string problem) { return refuse({.problem = std::move(problem), .remedy = kChangedAtSource}); }

  bool refuse(TransferResult refusal) {
    refusal_ = std::move(refusal);
    return false;
  }

  long status() const {
    long status = 0;
    curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
    return status;
  }

  /// First byte of the range in the response, -1 where the header is missing.
  std::int64_t range_start() const {
    constexpr std::string_view kUnit = "bytes ";
    curl_header* header = nullptr;
    if (curl_easy_header(handle_.get(), "Content-Range", 0, CURLH_HEADER, -1, &header) != CURLHE_OK) return -1;
    const std::string_view value = header->value;
    if (!value.starts_with(kUnit)) return -1;
    std::int64_t start = -1;
    std::from_chars(value.data() + kUnit.size(), value.data() + value.size(), start);
    return start;
  }

  const DownloadJob& job_;
  PartialFile& part_;
  std::int64_t offset_;
  std::optional<std::int64_t> total_ = job_.request.bytes;
  std::array<char, CURL_ERROR_SIZE> error_text_{};
  std::exception_ptr thrown_;
  TransferResult refusal_;
  bool checked_ = false;   ///< whether the header of the response was checked
  bool accepted_ = false;  ///< with which result
  std::unique_ptr<CURL, Cleanup> handle_{curl_easy_init()};
};

void start_curl_once() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  ensure(code == CURLE_OK, "libcurl cannot be initialised");
}

}  // namespace

void DownloadJob::report(std::int64_t done, std::int64_t total, std::string_view remark) const {
  if (!progress) return;
  const std::string what = request.target.filename().string() + std::string(remark);
  progress({.what = what, .done = done, .total = total});
}

TransferResult request_rest(const DownloadJob& job, PartialFile& part) {
  start_curl_once();
  return Transfer(job, part).perform();
}

}  // namespace gir
