#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gir/data/task.h"
#include "gir/learn/objective.h"
#include "gir/runs/baselines.h"
#include "gir/runs/reach.h"

namespace gir {

// A record lists its fields once, in a function
//
//     template <typename Record, typename Fields>
//     void list_fields(Record& record, Fields& fields) { fields("seed", record.seed); ... }
//
// and both FieldWriter (to JSON) and FieldReader (from JSON) follow from it.

/// Writes a record to JSON. NaN and infinite numbers become null.
class FieldWriter {
 public:
  template <typename T>
  void operator()(const char* name, const T& value) {
    document_[name] = json_of(value);
  }

  /// A field that earlier versions called `earlier`.
  template <typename T>
  void renamed(const char* name, const char* /*earlier*/, const T& value) {
    (*this)(name, value);
  }

  /// Null stands for NaN.
  void or_nan(const char* name, double value) { (*this)(name, value); }

  /// Written only if it differs from the default of the reader.
  template <typename T>
  void optional(const char* name, const T& value, const T& otherwise) {
    if (!(value == otherwise)) (*this)(name, value);
  }

  /// One field per number, "valid_" + name.
  void with_prefix(std::string_view prefix, const std::vector<std::pair<std::string, double>>& values) {
    for (const auto& [name, value] : values) document_[std::string(prefix) + name] = value;
  }

  /// Redundant, for readers of the file; FieldReader ignores it.
  template <typename Compute>
  void derived(const char* name, const Compute& compute) {
    (*this)(name, compute());
  }

  const nlohmann::ordered_json& document() const { return document_; }

 private:
  template <typename T>
  static nlohmann::ordered_json json_of(const T& value) {
    if constexpr (std::is_same_v<T, Task>) {
      return task_name(value);
    } else if constexpr (std::is_same_v<T, Metrics>) {
      nlohmann::ordered_json made = nlohmann::ordered_json::object();
      for (const auto& [name, number] : value.values) made[name] = number;
      return made;
    } else if constexpr (std::is_same_v<T, Reach>) {
      return {{"nodes", value.nodes},           {"share", value.share}, {"identical", value.identical},
              {"own_labels", value.own_labels}, {"lost", value.lost},   {"edges", value.edges}};
    } else if constexpr (std::is_same_v<T, std::vector<Baseline>>) {
      nlohmann::ordered_json made = nlohmann::ordered_json::object();
      for (const Baseline& each : value) made[each.name] = {{"valid", each.valid}, {"test", each.test}};
      return made;
    } else if constexpr (std::is_same_v<T, std::optional<double>>) {
      return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
    } else {
      return value;
    }
  }

  nlohmann::ordered_json document_;
};

/// Reads a record from JSON. Throws nlohmann exceptions and UserErrors for invalid values.
class FieldReader {
 public:
  /// `strict`: fields that are not optional must be present, and null is not accepted as a number.
  FieldReader(const nlohmann::ordered_json& document, bool strict) : document_(document), strict_(strict) {}

  template <typename T>
  void operator()(const char* name, T& value) {
    if (strict_ || document_.contains(name)) read(document_.at(name), value);
  }

  template <typename T>
  void renamed(const char* name, const char* earlier, T& value) {
    (*this)(document_.contains(name) ? name : earlier, value);
  }

  void or_nan(const char* name, double& value) {
    value = std::numeric_limits<double>::quiet_NaN();
    if (!document_.at(name).is_null()) document_.at(name).get_to(value);
  }

  template <typename T>
  void optional(const char* name, T& value, const T& otherwise) {
    value = otherwise;
    if (document_.contains(name)) read(document_.at(name), value);
  }

  void with_prefix(std::string_view prefix, std::vector<std::pair<std::string, double>>& values) {
    for (const auto& [name, number] : document_.items()) {
      if (!name.starts_with(prefix)) continue;
      values.emplace_back(name.substr(prefix.size()),
                          number.is_null() ? std::numeric_limits<double>::quiet_NaN() : number.get<double>());
    }
  }

  template <typename Compute>
  void derived(const char*, const Compute&) {}

 private:
  template <typename T>
  void read(const nlohmann::ordered_json& json, T& value) const {
    if constexpr (std::is_same_v<T, Task>) {
      value = parse_task(json.get<std::string>());
    } else if constexpr (std::is_same_v<T, Metrics>) {
      value = {};
      for (const auto& [name, number] : json.get_ref<const nlohmann::ordered_json::object_t&>()) {
        read(number, value.values.emplace_back(name, 0).second);
      }
    } else if constexpr (std::is_same_v<T, Reach>) {
      read(json.at("nodes"), value.nodes);
      read(json.at("share"), value.share);
      read(json.at("identical"), value.identical);
      read(json.at("lost"), value.lost);
      // Runs of earlier versions have neither.
      if (json.contains("own_labels")) read(json.at("own_labels"), value.own_labels);
      if (json.contains("edges")) read(json.at("edges"), value.edges);
    } else if constexpr (std::is_same_v<T, std::vector<Baseline>>) {
      for (const auto& [name, auc] : json.get_ref<const nlohmann::ordered_json::object_t&>()) {
        Baseline& each = value.emplace_back(Baseline{.name = name});
        read(auc.at("valid"), each.valid);
        read(auc.at("test"), each.test);
      }
    } else if constexpr (std::is_same_v<T, double>) {
      value = json.is_null() && !strict_ ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
    } else if constexpr (std::is_same_v<T, std::optional<double>>) {
      read(json, value.emplace());
    } else {
      json.get_to(value);
    }
  }

  const nlohmann::ordered_json& document_;
  bool strict_;
};

}  // namespace gir
