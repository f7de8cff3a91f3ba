#include <map>
#include <string>

#include "fusion.h"

namespace gir {
namespace {

/// A variant of fusion from the paper's second table; `settings` distinguish it from the others.
ModelEntry fusion_of(const char* name, const char* summary, std::map<std::string, std::string> settings) {
  return {.name = name,
          .summary = summary,
          .uses_anchors = false,
          .fuses = true,
          .settings = std::move(settings),
          .make = make_fusion};
}

const Registered<ModelEntry> gcn_gcn{
    fusion_of("gcn-gcn", "gcn-3 and gcn-5, trained first, then fused by a gate", {{"experts", "gcn-3,gcn-5"}})};

const Registered<ModelEntry> gcn_gir{
    fusion_of("gcn-gir", "gcn-3 and gir-5, trained first, then fused by a gate", {{"experts", "gcn-3,gir-5"}})};

const Registered<ModelEntry> gcn_gir_nf{fusion_of("gcn-gir-nf",
                                                  "gcn-gir with experts that are fine-tuned with the gate",
                                                  {{"experts", "gcn-3,gir-5"}, {"expert-training", "tuned"}})};

const Registered<ModelEntry> gcn_gir_nfwr{fusion_of("gcn-gir-nfwr",
                                                    "gcn-gir without the regulariser FWR on the gate weights",
                                                    {{"experts", "gcn-3,gir-5"}, {"fwr", "0"}})};

const Registered<ModelEntry> gcn_gir_j{
    fusion_of("gcn-gir-j", "gcn-gir in one stage: experts and gate are trained on the fused loss only",
              {{"experts", "gcn-3,gir-5"}, {"expert-training", "joint"}, {"fwr", "0"}})};

const Registered<ModelEntry> gcn_gir_ja{
    fusion_of("gcn-gir-ja", "gcn-gir in one stage: experts are trained on the fused loss and on their own losses",
              {{"experts", "gcn-3,gir-5"}, {"expert-training", "joint"}, {"expert-losses", "true"}, {"fwr", "0"}})};

}  // namespace
}  // namespace gir
