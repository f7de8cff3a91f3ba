#pragma once

#include "gir/runs/run_config.h"

namespace gir {

/// `values` with some of them changed or added.
inline SettingValues with(SettingValues changes, const SettingValues& values) {
  changes.insert(values.begin(), values.end());
  return changes;
}

/// Settings of the recipe paper, from which others differ in a few.
inline SettingValues paper_values() {
  return {{"layers", "3"},   {"dropout", "0.5"},        {"norm", "none"},         {"decoder", "mlp"},
          {"epochs", "600"}, {"evaluate-every", "10"},  {"patience", "0"},        {"optimizer", "adam"},
          {"lr", "0.01"},    {"weight-decay", "1e-05"}, {"schedule", "constant"}, {"strategy", "ga-mpca"},
          {"fill", "degree"}};
}

/// The same for node classification.
inline const SettingValues kNodeValues = {{"evaluate-every", "5"}};

/// What the recipe strong changes.
inline SettingValues strong_values() {
  return with({{"dropout", "0.2"}, {"norm", "batch"}, {"jump", "true"}, {"weight-decay", "1e-4"}}, paper_values());
}

/// Settings of the recipe fusion.
inline SettingValues fusion_values() {
  return with({{"hidden", "128"},
               {"anchors", "256"},
               {"norm", "batch"},
               {"residual", "true"},
               {"epochs", "160"},
               {"evaluate-every", "5"},
               {"optimizer", "lamb"},
               {"gate-probabilities", "true"},
               {"schedule", "hold"}},
              paper_values());
}

}  // namespace gir
