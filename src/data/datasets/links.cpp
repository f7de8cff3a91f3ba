#include <fmt/format.h>

#include <array>
#include <utility>

#include "gir/data/dataset.h"

namespace gir {
namespace {

const std::string kRepository =
    "https://raw.githubusercontent.com/DaDaCheng/WalkPooling/df01cfc293e429d09ad51f83bc831f3ca9ff098c/data/";

struct PublishedFile {
  std::int64_t bytes;
  const char* sha256;
};

/// A graph with the ten splits that published results are made on.
struct LinkGraph {
  const char* name;
  const char* summary;
  PublishedFile graph;
  std::array<PublishedFile, 10> splits;
};

constexpr std::array<LinkGraph, 8> kGraphs = {{
    {"USAir",
     "flights between airports of the USA",
     {5213, "6b48a37e2bb398234e5383787c30dca087de704366a2b7b05d64cc2f53210e0b"},
     {{
         {9130, "6642d77bbea3a5df4313d1d67a5a016adc065c06565a9ae27a052c3e91a026ef"},
         {9122, "4d4d57aacf316378ef1c549e55e9af83839db93c3d2653ef8d6e1dae9670ff1e"},
         {9165, "2e83977506eb3e82f26c31869455f262388fcbc8f15ddfe2fc8c3b8d9f4d9d9a"},
         {9141, "ea6845a873836fb621581bf392d793fa1906b82ac1d578567f2171cab78451f3"},
         {9125, "dc2ecf6969c1a73ea70280d19a835b9f2e46fb576b7f3c0efd7958ece3a916eb"},
         {9151, "6c2b01580478bcca49534da510074693905179910b9367bf40b7744eb91fa256"},
         {9118, "8545685e6719efee19e96958e126e30fe94a0e5aa4f423a0ecc4d0d545c2ad0f"},
         {9163, "d22ca6f3789e4658e3be605c050bd45a2100644f06735d743420764ca0dafb69"},
         {9180, "17d0bd66a0dd130e99c5889aca6726086341d4dea835dc2ff6a812160f0e339c"},
         {9158, "f8ffaec612e25157e89006c6635b5dd8934d62c0930e8ecfd3054b039da2a528"},
     }}},
    {"NS",
     "co-authors in network science, 128 of them isolated",
     {9379, "c69258a674e13115e34ec11343c92f352bcec635baf3fe40f0adf6e8a5037019"},
     {{
         {14683, "44a1e5b627a39202b1610470b014a84e160e0578bdc26af9fed73adb57680b63"},
         {14807, "434d4aa839bd7ba6bfd5c458670b8cf30fe6f2c11145ac2a3f4a0873c92d0f02"},
         {14725, "c0139dbb36f7c9b4d3957c08946cb3308fb9d8cce9d92539f13c67cbaafad340"},
         {14730, "1a820b2bca30df38508e346300cf5b7a233f993c9632ca66b4408d3bf1bd81cd"},
         {14758, "ae58e9ca0677edec4b62cca0b19ac9a02cf2bc7a2e78e3892196f2f47dba67f9"},
         {14765, "62d2b16b8e1c0e20d85219638367b6bfa6a9754f8dc91557a67d177ac2e316d5"},
         {14776, "dc0f0f99cecbd35a623438d3ad1450db89079adac0c93c3f8689f10256041f00"},
         {14734, "09bdb50ed84fd13b9d7214b207945f31fe1fa99913ae62391ac0d775b77927f7"},
         {14741, "5c84a4db4b3f57249f3d60cd17d24671ce90ff8fd93ebd6fd030c29eb35cf6ff"},
         {14760, "90f0198f9db6f49a43f5e5caf9ffee38b1443d8db6ecd078dec49c4fa9759e73"},
     }}},
    {"PB",
     "links between political blogs of the USA",
     {51773, "c0eca0a3b5bac0ecd46491c2a1e080ec22e445d28f9975bc776dc07b3d672d88"},
     {{
         {74395, "a15e96c2b1c2d54a00776979b10516773743c33902eaf682358d08ece79dbb60"},
         {74411, "b7e4dd70456dfeec41e39b055f7eab29fc7e5f843fc256d1e08d10a9d533d030"},
         {74365, "8f0054f454a7422d90fe93e7c955a78dbb6dcb1debcd0ce0ae2bf85cbf5dd43c"},
         {74369, "f5f5bd69b9cebaad70f6779811c0be7addd86bafaa51a444f803d054f367874d"},
         {74355, "da8c98d8b1a4c9197263c6fdafc776bf6ec496f9a728f2a38db0bca92641a7d0"},
         {74371, "465fdb184c26d6f52c26fa8ee38ab5116c77e358a4776806408cbbe9996f3e40"},
         {74440, "38504a370879fb177b4722aee1dff378dd9f4c863d7917c153399c2b8967317c"},
         {74323, "b0ee43208924c111a09d9d82a36680cb9c477f908cc98c09b90da314e5c027ff"},
         {74379, "6675eea20d441d0c966231de97544b61bf3d0cdd82eea7d34340b91b2d88d80a"},
         {74437, "e893c65cd66811f624abffcae983858e58205a9824629d98c577e48a15c3770f"},
     }}},
    {"Yeast",
     "interactions between proteins of yeast",
     {34354, "2d199acffa6cecd9dfd0d13f0c4eaecd34158e83f1a717e5da7e38089692e112"},
     {{
         {56849, "35499dc751503b9c837da9c744e426190ced655687c02cb6d1b64a4d11ae3568"},
         {56750, "ab4cc18cc2d8129c1f944baa2299c98d264f64136972ec2cf15cfe380b1cbdc5"},
         {56720, "a2070f1f3c431c1577b5e2fd8bcfd5f24b4682a56ae01c967fcdd0c243fb7e6e"},
         {56859, "69694c2d21aa22b9c15f875060d7be0d4993ffa74ca67d04e9bc273fcffb910f"},
         {56766, "301c3b3dc4f75d3d6fc7aed461912167c6dcf4d1288f9a8743b20080ad56288d"},
         {56868, "9ec62397630f437e0dd82c337b063dc7ec2fc658c787fbaf9ddd0e26e7caad1b"},
         {56832, "23a7b65830b50dd879de3eda17e9816af1769adfbd3cc8fb4201d61e20685b70"},
         {56755, "307887550ecd2a92e0fd6b28be2a3811fe588abd7c9934e226ac0a2fc1f47ab2"},
         {56824, "d103633ed8064ca4660fdf0c539f25baca5d809af2311707a6a7516aa1516fb7"},
         {56832, "6b58d003d02aec0d8241493f4fef94d24cad0d67bbde4937885976be65b19553"},
     }}},
    {"Celegans",
     "connections between neurons of a roundworm",
     {6263, "450bb6f3ca833a65f53ee59103945ef87da70de2c6d262b1a760b9eefce287d6"},
     {{
         {9455, "39f3a7fdae22e2c92d2b04ee8887de7de07e45efe916cf1f47434c6cdb9e8b87"},
         {9492, "19e7223916bf25510b938b14eca15dba68ef9019fc6943c3d7c1436422858c15"},
         {9531, "d1356478e1d68b283a88ed953322fe7eae0a6cd1fec16edca5993d5c5999b674"},
         {9501, "0d3b3b2f28d6a18a6fa2d68849ec1a708b83640f003695001a5714531a4aa8af"},
         {9475, "3d2c10acf7eb719441effd54528d56e22f4f94404e996c8a60c7b2184e3bd359"},
         {9497, "857e458ddb76223e126ed7a97a1736962c7d2a9e4107bcb0eb92eebb1343d763"},
         {9504, "c0d83b600e047bf852257138b2ed7354c440c62832d3b0d96a2e3e273dfbb9dc"},
         {9488, "edef783911a83aeb07e1018adbd9982f4523f20c375ae19cb24c441ff331dae6"},
         {9534, "235ecaf1b0281f41b8e7e4698a5d201e0ed9e34b02414d8bd1fb3448deb965c9"},
         {9528, "7e387c83f53802bd00f38f05dc492a31eb44aafa2611cef19b27e5113e572260"},
     }}},
    {"Power",
     "the power grid of the western USA",
     {31194, "87d7b9d5449b6a18fad4fdd662efd33be84c805ea66692f9e2e0791569c5a478"},
     {{
         {40948, "23438b6de7bd917c8b08699b410457f33dcecc3018b598c63d31bfc140b3f455"},
         {40980, "d4d965fafe8cb691055911d67ea019a0fc5718d7a1ca195d6db084ec2fb45d59"},
         {41039, "bb35e639ce1b201e2e9df1471f0811036dce61e97a126e81ee92f9e711a5ea20"},
         {40901, "74e1998ba92b4ad3b7b49cfce623519f14715a64b2eac1fdabcb25e400dfee5f"},
         {40960, "43afab6b6df58a925a3abf769d43586b8c66e5ae81ee9040d0f67ebf9d1e6f93"},
         {40977, "3d2899895fa642c027869dce5e51fcfa2665c1d2dd0b12d7fedac0e6d953d3fe"},
         {40960, "6702efcaf54d05692648b335a0f948b07cecdefb8cfb0f7b7e715f0f85a91547"},
         {40938, "6e6cbc113f27e94a4c25d4ab1e1ec55523280e8cb85ebc2c13a9fe52bc1e7c0a"},
         {40994, "35bb0b5d304cddf58b534c79b2a361d50ff37ea339dc5d897386103d2010675e"},
         {40974, "e0b4d36e87c4f4c0de10d121407e6f9bd191691f81564dcd52c634b93982fef1"},
     }}},
    {"Router",
     "connections between routers of the Internet",
     {31434, "bae603199c2ddb0f8776acb1962c9c6ed89773da9d41377d6a7f8cc2b1e3a1c1"},
     {{
         {37786, "10e5a4f8036a6a1abdf2799063ec7a0ea692abcf867f3c0ce6e5c6afdcacf195"},
         {37825, "a4c8c34547a0bd4280dcc8646a0dc595fd40714ca5d0a231e5978c6b45ce61cb"},
         {37791, "be56288af98e8cb0702eecbac503820b8ebfe5f87e62ef308517e20786330af2"},
         {37748, "05596c89205f175a1593f747411a96dff57b98ce797e65473c486cbd4ad396eb"},
         {37776, "82565a9211bc6d8b054c13e870ea76dbff1a5b8e5f5b4bd86820d7d0eebbab59"},
         {37789, "fe4f0c2df640d9a6ebd34d275dd97bfd730fc4ba268a08a5f3c7ebd7964f2948"},
         {37780, "bdf3ea0054a87cf1ed11bf7344900cd4c412a387ac5356eaab5af84de0f52b28"},
         {37830, "2d9fa46d492f478d584ff8cdca6932830bebf25dfc85272762df9a118106e1f5"},
         {37805, "8e4a216dad38d46e6d6e229203cea64575e781b2b24bf3ee6f786e327ee54109"},
         {37787, "265039be3bc402af7a25ea4f800b2d18f6dea4af2c7e66fa7eaa929fae6ee788"},
     }}},
    {"Ecoli",
     "reactions between metabolites of E. coli",
     {35769, "6701fdf0a01c01406e98f9874b04d4fbcae5786d71fad009f4501c0b6086df5e"},
     {{
         {65259, "5fc7e8c4addd9fed74add56484275af9f9f8c7e6345493006ddbfdc889b7cc65"},
         {65197, "b420649fc580c91919d39d5ce7d761021270d04a27b1ddb7a628c7b73eba533a"},
         {65206, "298e76e879cd5e1577053df5ece26ede21210df1d9b77190bb63fabbf52bd1f8"},
         {65257, "03296b110f3600ee52a46cd24e9331239511303af8d9c941d4060a25c041f5e7"},
         {65183, "7afb5b08f385ad12892112d503ca526b34a20bd2c5472c96f6e24d58ce9be387"},
         {65120, "75d18925972a0c7bf1beb775f8b8267f0ab285d08cfea72880f9b123c960f2f9"},
         {65142, "268f117e0c788f3dd2a6dccb67c4d43e42ee5e77497b9d421c355da45a678737"},
         {65133, "c3361ccae3c34ceccfb47e87cd19610c56a0d5034d50610dc49c8c014f4ea465"},
         {65171, "e43a9518dbee10389008ff6fdc72ca18cee85c837a404fc29a11d4cbe1d52d8a"},
         {65196, "d4b822ff43892698d5977ea0e2dfda0f623a20b90c171f3106f1a4cd8bfc5ede"},
     }}},
}};

std::string graph_file(const LinkGraph& graph) { return fmt::format("{}.mat", graph.name); }

std::string split_file(const LinkGraph& graph, std::size_t number) {
  return fmt::format("{}_split_{}.mat", graph.name, number + 1);
}

/// The files have 90 % of the edges for training and 10 % for testing; 5 % of all edges become the validation part.
PublishedSplits splits_of(const LinkGraph& graph) {
  PublishedSplits splits{.files = {}, .shares = {.train = 0.85, .valid = 0.05, .test = 0.1}};
  for (std::size_t i = 0; i < graph.splits.size(); ++i) {
    splits.files.emplace_back("splits/" + split_file(graph, i));
  }
  return splits;
}

/// The graph and all its splits.
std::vector<DataFile> files_of(const LinkGraph& graph) {
  std::vector<DataFile> files = {{.name = graph_file(graph),
                                  .url = kRepository + graph_file(graph),
                                  .sha256 = graph.graph.sha256,
                                  .bytes = graph.graph.bytes}};
  for (std::size_t i = 0; i < graph.splits.size(); ++i) {
    files.push_back({.name = "splits/" + split_file(graph, i),
                     .url = kRepository + "splitted/" + split_file(graph, i),
                     .sha256 = graph.splits[i].sha256,
                     .bytes = graph.splits[i].bytes});
  }
  return files;
}

template <std::size_t kNumber>
AttributedGraph load(const std::filesystem::path& folder) {
  return read_graph(folder / graph_file(kGraphs[kNumber]));
}

template <std::size_t kNumber>
DatasetEntry entry() {
  const LinkGraph& graph = kGraphs[kNumber];
  return {.name = fmt::format("links/{}", graph.name),
          .summary = graph.summary,
          .origin = "graphs of SEAL (MIT), with the splits published with WalkPool",
          .task = Task::kLinkPrediction,
          .official_split = true,
          .sources = {{.files = files_of(graph), .load = load<kNumber>}},
          .folder = "links",
          .link_splits = splits_of(graph)};
}

template <std::size_t... kNumbers>
std::array<Registered<DatasetEntry>, kGraphs.size()> register_all(std::index_sequence<kNumbers...>) {
  return {Registered<DatasetEntry>(entry<kNumbers>())...};
}

const auto registered = register_all(std::make_index_sequence<kGraphs.size()>());

}  // namespace
}  // namespace gir
