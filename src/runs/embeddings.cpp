#include "gir/runs/embeddings.h"

#include <ATen/core/Tensor.h>

#include "gir/core/error.h"
#include "gir/io/csv_cell.h"
#include "gir/io/gzip.h"
#include "gir/io/npy.h"

namespace gir {
namespace {

/// The extension that names the format: ".csv" for "a.csv" and for "a.csv.gz".
std::string format_extension(const std::filesystem::path& path) {
  return path.extension() == ".gz" ? path.stem().extension().string() : path.extension().string();
}

/// In word2vec files an id ends at the first white space.
void check_id(const std::filesystem::path& path, const std::string& id) {
  if (id.empty() || id.find_first_of(" \t\r\n") != std::string::npos) {
    throw UserError(path,
                    "the id {} contains white space, which the word2vec format cannot represent [write .csv or .npy]",
                    quoted(id));
  }
}

void write_lines(const std::filesystem::path& path, const at::Tensor& values, const NodeNames& names, char separator,
                 bool word2vec) {
  TextFileWriter file(path);
  const std::int64_t width = values.size(1);
  if (word2vec) {
    file.line("{} {}", values.size(0), width);
  } else {
    std::string header = "node";
    for (std::int64_t j = 0; j < width; ++j) header += fmt::format("{}e{}", separator, j);
    file.line("{}", header);
  }
  for (std::int64_t v = 0; v < values.size(0); ++v) {
    const std::string id = names.name(static_cast<NodeId>(v));
    if (word2vec) check_id(path, id);
    file.write(word2vec ? id : id_cell(id, separator));
    std::string row;
    for (std::int64_t j = 0; j < width; ++j) {
      fmt::format_to(std::back_inserter(row), "{}{}", separator, values.data_ptr<float>()[v * width + j]);
    }
    file.line("{}", row);
  }
  file.commit();
}

}  // namespace

std::span<const float> embedding_of(const at::Tensor& embeddings, NodeId node) {
  ensure(embeddings.dim() == 2 && embeddings.is_contiguous() && embeddings.is_cpu(),
         "one contiguous row per node in host memory");
  const std::int64_t width = embeddings.size(1);
  return {embeddings.data_ptr<float>() + node * width, static_cast<std::size_t>(width)};
}

bool holds_node_names(const std::filesystem::path& path) { return path.extension() != ".npy"; }

void write_embeddings(const std::filesystem::path& path, const at::Tensor& embeddings, const NodeNames& names) {
  const at::Tensor values = embeddings.detach().cpu().to(at::kFloat).contiguous();
  ensure(values.dim() == 2 && values.size(0) == names.size(), "one row per node");
  const std::string ending = format_extension(path);
  if (path.extension() == ".npy") {
    write_npy(path,
              npy_view({values.data_ptr<float>(), static_cast<std::size_t>(values.numel())}, values.sizes().vec()));
  } else if (ending == ".csv") {
    write_lines(path, values, names, ',', false);
  } else if (ending == ".tsv") {
    write_lines(path, values, names, '\t', false);
  } else if (ending == ".vec") {
    write_lines(path, values, names, ' ', true);
  } else {
    throw UserError(path, "embeddings cannot be written as {} [use .npy, .csv, .tsv or .vec]",
                    quoted(path.extension().string()));
  }
}

void write_node_names(const std::filesystem::path& path, const NodeNames& names) {
  TextFileWriter file(path);
  for (NodeId v = 0; v < names.size(); ++v) file.line("{}", id_cell(names.name(v), '\t'));
  file.commit();
}

}  // namespace gir
