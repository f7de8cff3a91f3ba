#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gir/nn/parameters.h"

namespace gir {

/// What the factors of matrix products are rounded to on a GPU. Sums are made of floats.
enum class Precision {
  kFp32,  ///< nothing is rounded
  kTf32,  ///< 10 bits behind the point, where the GPU has units for it
  kBf16,  ///< 7 bits; results of products are rounded to them, too
};

/// "fp32", "tf32" or "bf16".
std::string_view precision_name(Precision precision);

/// Something that computes.
struct DeviceDescription {
  std::string name;         ///< "cpu", "cuda:0"
  std::string what;         ///< "NVIDIA H200, compute capability 9.0"
  std::int64_t memory = 0;  ///< bytes
};

/// What this build finds on this machine, the processor first. `problem`, where it is not null, gets a line about why
/// there is no other; empty where there is one.
std::vector<DeviceDescription> list_devices(std::string* problem = nullptr);

/// Where models compute from now on: "cpu", "cuda" or "cuda:N", and how exactly. For programs, before the first model.
/// UserError for devices that this build or machine does not have.
void use_device(std::string_view name, std::string_view precision = "fp32");

at::Device compute_device();
Precision compute_precision();

/// "" for the processor; else the kind of device and its precision, which figures depend on, as flags have them:
/// "cuda --precision fp32".
std::string compute_mark();

/// Takes tensors to the device that computes, in place: all who hold them see it. Whole numbers stay, since nobody
/// computes with them.
void move_to_device(std::span<const NamedTensor> tensors);

/// While this lives, what the calling thread asks of a GPU waits for nothing that other threads ask for. Does nothing
/// on the processor.
class DeviceQueue {
 public:
  DeviceQueue();
  ~DeviceQueue();
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

/// A number that a device is about to compute. Whoever asks for it waits until it is there, and not for what the device
/// was asked to do after this was made.
class PendingNumber {
 public:
  /// `number` is a float of one value.
  explicit PendingNumber(const at::Tensor& number);
  ~PendingNumber();
  PendingNumber(const PendingNumber&) = delete;
  PendingNumber& operator=(const PendingNumber&) = delete;

  float wait() const;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

/// Bytes of the device that computes; all 0 for the processor.
struct DeviceMemory {
  std::int64_t total = 0;
  std::int64_t in_use = 0;  ///< by tensors of this process
  std::int64_t most_in_use = 0;
};
DeviceMemory device_memory();

/// From now on `most_in_use` counts anew.
void forget_most_memory();

}  // namespace gir
