#include "gir/pairs/pair_features.h"

#include <algorithm>

#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir {

std::vector<const PairFeatureEntry*> pair_features_of(std::string_view names) {
  std::vector<const PairFeatureEntry*> entries;
  for (const std::string& name : split_list(names)) {
    const PairFeatureEntry* entry = &Registry<PairFeatureEntry>::get(name);
    if (std::find(entries.begin(), entries.end(), entry) != entries.end()) {
      throw UserError("the pair feature {} is named twice [name it once]", entry->name);
    }
    entries.push_back(entry);
  }
  return entries;
}

PairDescription::PairDescription(std::string_view names, const PairInputs& inputs) {
  for (const PairFeatureEntry* entry : pair_features_of(names)) {
    features_.push_back(entry->make(inputs));
    width_ += features_.back()->width();
  }
}

std::vector<float> PairDescription::describe(std::span<const NodePair> pairs, std::int64_t view) const {
  std::vector<float> rows(pairs.size() * static_cast<std::size_t>(width_));
  std::int64_t first = 0;
  for (const auto& feature : features_) {
    feature->describe(pairs, view, rows.data() + first, width_);
    first += feature->width();
  }
  return rows;
}

}  // namespace gir
