#include "gir/pairs/pair_features.h"

#include <cmath>

#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir {
namespace {

std::vector<const PairFeatureEntry*> entries_of(std::string_view names) {
  std::vector<const PairFeatureEntry*> entries;
  for (const std::string& name : split_list(names)) entries.push_back(&Registry<PairFeatureEntry>::get(name));
  return entries;
}

}  // namespace

bool uses_anchors(std::string_view names) {
  for (const PairFeatureEntry* entry : entries_of(names)) {
    if (entry->uses_anchors) return true;
  }
  return false;
}

PairDescription::PairDescription(std::string_view names, const PairContext& context,
                                 std::span<const NodePair> sample) {
  for (const PairFeatureEntry* entry : entries_of(names)) {
    features_.push_back(entry->make(context));
    width_ += features_.back()->width();
  }
  if (width_ == 0) return;
  mean_.assign(static_cast<std::size_t>(width_), 0);
  scale_.assign(static_cast<std::size_t>(width_), 1);
  const std::vector<float> rows = describe(sample, 0);
  const double count = std::max(1.0, static_cast<double>(sample.size()));
  for (std::size_t column = 0; column < mean_.size(); ++column) {
    double mean = 0;
    double variance = 0;
    for (std::size_t i = column; i < rows.size(); i += mean_.size()) mean += rows[i] / count;
    for (std::size_t i = column; i < rows.size(); i += mean_.size()) {
      variance += (rows[i] - mean) * (rows[i] - mean) / count;
    }
    mean_[column] = static_cast<float>(mean);
    scale_[column] = variance > 1e-12 ? static_cast<float>(1 / std::sqrt(variance)) : 0;
  }
}

std::vector<float> PairDescription::describe(std::span<const NodePair> pairs, std::int64_t view) const {
  std::vector<float> rows(pairs.size() * static_cast<std::size_t>(width_));
  std::int64_t first = 0;
  for (const auto& feature : features_) {
    feature->describe(pairs, view, rows.data() + first, width_);
    first += feature->width();
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t column = i % mean_.size();
    rows[i] = (rows[i] - mean_[column]) * scale_[column];
  }
  return rows;
}

}  // namespace gir
