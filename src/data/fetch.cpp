#include <algorithm>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/hash.h"
#include "gir/data/data_directory.h"
#include "gir/data/dataset.h"
#include "gir/data/download.h"
#include "gir/io/zip.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

bool is_good(const DataFile& file, const fs::path& path) { return fs::exists(path) && file.is_good(sha256_file(path)); }

/// Where to download a file from: its public address, or the mirror.
std::string address(const std::string& url, const DatasetEntry& entry, const std::string& name,
                    const FetchOptions& options) {
  return options.mirror.empty() ? url : options.mirror + "/" + entry.folder_name() + "/" + name;
}

/// Extracts one file, verifies it and moves it into place.
void extract(const ZipArchive& archive, const std::string& member, const DataFile& file, const fs::path& target) {
  const Array<char> content = archive.read(member, member);
  Sha256 hash;
  hash.add(content.data(), static_cast<std::size_t>(content.size()));
  if (const std::string found = hash.hex(); found != file.sha256) {
    throw UserError(archive.path(), "its member {} has sha256 {}, not {}", member, found, file.sha256);
  }
  fs::create_directories(target.parent_path());
  write_file(target, {content.data(), static_cast<std::size_t>(content.size())});
}

/// Downloads the archive, extracts the files that are missing or wrong, and removes the archive.
void fetch_from_archive(const DatasetEntry& entry, const DataSource& source, const fs::path& folder,
                        const FetchOptions& options, const ProgressCallback& progress) {
  const fs::path zip = folder / fs::path(source.archive->url).filename();
  download({.url = address(source.archive->url, entry, zip.filename().string(), options),
            .target = zip,
            .sha256 = source.archive->sha256,
            .bytes = std::nullopt},
           progress);
  const ZipArchive archive(zip);
  for (const DataFile& file : source.files) {
    if (is_good(file, folder / file.name)) continue;
    extract(archive, source.archive->folder + "/" + file.name, file, folder / file.name);
  }
  fs::remove(zip);
}

}  // namespace

fs::path fetch_dataset(std::string_view name, const FetchOptions& options, const ProgressCallback& progress) {
  const DatasetEntry& entry = Registry<DatasetEntry>::get(name);
  if (entry.make != nullptr) throw UserError("{} is built in and needs no download", entry.name);
  const DataSource& source = entry.sources.front();
  const fs::path folder = download_directory(options.data_dir) / entry.folder_name();
  if (source.archive) {
    const bool complete = std::all_of(source.files.begin(), source.files.end(),
                                      [&](const DataFile& file) { return is_good(file, folder / file.name); });
    if (!complete) fetch_from_archive(entry, source, folder, options, progress);
    return folder;
  }
  for (const DataFile& file : source.files) {
    download({.url = address(file.url, entry, file.name, options),
              .target = folder / file.name,
              .sha256 = file.sha256,
              .bytes = file.bytes},
             progress);
  }
  return folder;
}

}  // namespace gir
