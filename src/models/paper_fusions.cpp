#include <map>
#include <string>

#include "fusion.h"

namespace gir {
namespace {

/// A fusion of the paper's second table: what it is, and what sets it apart.
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

const Registered<ModelEntry> gcn_gir_nf{fusion_of("gcn-gir-nf", "gcn-gir whose experts go on learning with the gate",
                                                  {{"experts", "gcn-3,gir-5"}, {"expert-training", "tuned"}})};

const Registered<ModelEntry> gcn_gir_nfwr{fusion_of("gcn-gir-nfwr", "gcn-gir whose gate is told of no expert's loss",
                                                    {{"experts", "gcn-3,gir-5"}, {"fwr", "0"}})};

const Registered<ModelEntry> gcn_gir_j{
    fusion_of("gcn-gir-j", "gcn-gir in one stage: experts and gate learn from the fused loss alone",
              {{"experts", "gcn-3,gir-5"}, {"expert-training", "joint"}, {"fwr", "0"}})};

const Registered<ModelEntry> gcn_gir_ja{
    fusion_of("gcn-gir-ja", "gcn-gir in one stage: experts learn from the fused loss and from their own",
              {{"experts", "gcn-3,gir-5"}, {"expert-training", "joint"}, {"expert-losses", "true"}, {"fwr", "0"}})};

}  // namespace
}  // namespace gir
