#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gir/io/format.h"
#include "program.h"

namespace gir {
namespace {

using nlohmann::json;
using testing::expect_refusal;
using testing::ProgramRun;
using testing::run_gir;
using testing::TempDir;

TEST(Program, PrintsItsVersion) {
  const ProgramRun run = run_gir({"--version"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(run.out.starts_with("gir ")) << run.out;
}

TEST(Program, HasAHelpTextForEveryCommand) {
  const std::vector<std::vector<std::string>> commands = {{},
                                                          {"data"},
                                                          {"data", "info"},
                                                          {"data", "fetch"},
                                                          {"data", "generate"},
                                                          {"data", "generate", "sbm"},
                                                          {"data", "convert"},
                                                          {"data", "list"},
                                                          {"info"},
                                                          {"info", "build"},
                                                          {"bench", "load"}};
  for (std::vector<std::string> words : commands) {
    words.push_back("--help");
    const ProgramRun run = run_gir(words);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    std::string usage = "Usage: gir";
    for (std::size_t i = 0; i + 1 < words.size(); ++i) usage += " " + words[i];
    EXPECT_NE(run.out.find(usage + " ["), std::string::npos) << run.out;
    EXPECT_EQ(run.err, "");
  }
}

TEST(Program, SuggestsTheNearestCommandsAndFlags) {
  expect_refusal({"dat"}, {"gir: unknown command \"dat\" [did you mean data?"});
  expect_refusal({"data", "inof", "karate"}, {"gir data: unknown command \"inof\" [did you mean info?"});
  expect_refusal({"data", "info", "karate", "--formt", "json"},
                 {"gir data info: unknown flag \"--formt\" [did you mean --format?"});
  expect_refusal({"data", "info", "karate", "--formt=json"}, {"\"--formt=json\" [did you mean --format?"});
  expect_refusal({"data", "info", "karate", "--directd"},
                 {"unknown flag \"--directd\" [did you mean --directed or --undirected?"});
}

TEST(Program, PointsToTheHelpWhereNothingIsNear) {
  expect_refusal({"data", "frobnicate"}, {"unknown command \"frobnicate\" [see gir data --help]"});
  expect_refusal({"data", "info", "karate", "--frobnicate"},
                 {"unknown flag \"--frobnicate\" [see gir data info --help]"});
  expect_refusal({"data", "list", "karate"}, {"unknown argument \"karate\" [see gir data list --help]"});
}

TEST(Program, ListsTenKnownNamesAndSaysWhereTheOthersAre) {
  const ProgramRun run = run_gir({"data", "info", "karat"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("[known: karate, "), std::string::npos) << run.err;
  EXPECT_NE(run.err.find(", ... (gir info datasets lists all)]"), std::string::npos) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), ','), 10) << run.err;
}

TEST(Program, RefusesWrongValues) {
  expect_refusal({"data", "info", "karate", "--format", "jsn"}, {"\"jsn\"", "known: json"});
  expect_refusal({}, {"a command is missing", "data"});
  expect_refusal({"data"}, {"a command is missing", "info"});
  expect_refusal({"data", "info"}, {"gir data info: ", "graph"});
  expect_refusal({"data", "info", "karate", "--threads", "0"}, {"threads", "at least 1"});
  expect_refusal({"data", "info", "karate", "--threads", "-1"}, {"threads"});
  expect_refusal({"data", "info", "karate", "--threads", "many"}, {"threads"});
}

TEST(Program, TreatsUnderscoresAsHyphens) {
  const TempDir dir;
  const auto path = dir.file("a.txt", "0 1\n").string();
  EXPECT_EQ(run_gir({"data", "info", path, "--num_nodes", "5", "--format=json"}).json()["nodes"], 5);
  EXPECT_EQ(run_gir({"data", "info", path, "--num_nodes=5", "--format=json"}).json()["nodes"], 5);
}

TEST(Program, AcceptsSharedFlagsBeforeTheCommand) {
  EXPECT_EQ(run_gir({"--format", "json", "data", "info", "karate"}).json()["nodes"], 34);
}

TEST(Program, RefusesInvalidPaths) {
  const std::string long_name(300, 'a');
  const TempDir dir;
  std::filesystem::create_symlink(dir / "loop", dir / "loop");
  expect_refusal({"data", "info", long_name}, {long_name});
  expect_refusal({"data", "info", dir / "loop"}, {"loop"});
  expect_refusal({"data", "convert", "karate", "-o", dir / (long_name + ".txt")}, {long_name});
  expect_refusal({"data", "info", "usa", "--data-dir", dir / "loop"}, {"loop"});
  expect_refusal({"bench", "load", long_name}, {long_name});
}

TEST(Program, LeavesNothingBehindWhenItIsInterrupted) {
  const TempDir dir;
  const std::string command = fmt::format(
      "timeout --signal=INT 0.4 {} data generate rmat --scale 19 --edge-factor 16 -o {} 2> {}",
      testing::shell_word(GIR_PROGRAM), testing::shell_word(dir / "out/x.txt"), testing::shell_word(dir / "err"));
  std::filesystem::create_directories(dir / "out");
  EXPECT_NE(std::system(command.c_str()), 0) << "it was too fast to be interrupted";
  EXPECT_TRUE(std::filesystem::is_empty(dir / "out"));
  EXPECT_EQ(testing::read_text(dir / "err"), "gir: interrupted\n");
}

TEST(DataInfo, ReadsTheColumnsThatWereChosen) {
  const TempDir dir;
  const std::string graph = dir.file("friends.csv", "id;who;whom;since\n1;ann;bob;2001\n2;bob;cid;2002\n").string();
  const std::string people = dir.file("people.csv", "name,age,team\nann,3,red\nbob,4,?\ndora,5,blue\n").string();
  const ProgramRun run = run_gir({"data", "info", graph, "--columns", "source=who,target=whom,label=team", "--labels",
                                  people, "--format", "json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json info = json::parse(run.out);
  EXPECT_EQ(info["nodes"], 4);
  EXPECT_EQ(info["edges"], 2);
  EXPECT_EQ(info["labelled_nodes"], 2);
  EXPECT_NE(run.err.find("1 nodes without edges were added, such as \"dora\""), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("stands for a missing label"), std::string::npos) << run.err;
  expect_refusal({"data", "info", graph}, {"which are the two ends of an edge?", "--columns source=NAME,target=NAME"});
  expect_refusal({"data", "info", graph, "--header", "perhaps"}, {"unknown answer", "yes", "auto", "no"});
}

TEST(DataInfo, RefusesFileFlagsForGraphsKnownByName) {
  expect_refusal(
      {"data", "info", "karate", "--num-nodes", "99"},
      {"--text-ids, --num-nodes, --columns, --header and --read-as apply to files", "karate", "[omit them]"});
  expect_refusal({"data", "info", "ring", "--directed"}, {"undirected graph [omit --directed]"});
}

TEST(DataInfo, NamesTheCommandThatFetchesMissingFiles) {
  const TempDir dir;
  expect_refusal({"data", "info", "pb", "--data-dir", dir.path().string()},
                 {"[fetch the data set first: gir data fetch pb]"});
}

TEST(DataInfo, DoesNotTakeTheUsersTextForASetting) {
  const TempDir dir;
  expect_refusal({"data", "info", dir.file("edges.txt", "0 1\n`seed` x\n").string()},
                 {"got \"\\`seed\\` x\"", "--text-ids"});
}

TEST(DataInfo, NotesNodesWithoutALabel) {
  const TempDir dir;
  const auto graph = dir.file("g.txt", "a b\nb c\n").string();
  const ProgramRun run = run_gir({"data", "info", graph, "--labels", dir.file("l.txt", "a red\nb blue\n").string()});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.err.find("1 of 3 nodes have no label"), std::string::npos) << run.err;
}

TEST(DataInfo, NotesLabelsThatAreNearlyAllDifferent) {
  const TempDir dir;
  std::string edges, names, teams;
  for (int i = 0; i < 20; ++i) {
    edges += fmt::format("{} {}\n", i, (i + 1) % 20);
    names += fmt::format("{} name{}\n", i, i);
    teams += fmt::format("{} team{}\n", i, i % 5);
  }
  const auto note_of = [&](const std::string& labels) {
    return run_gir({"data", "info", dir.file("g.txt", edges).string(), "--labels", dir.file("l.txt", labels).string()})
        .err;
  };
  EXPECT_NE(note_of(names).find("20 different labels of 20 nodes"), std::string::npos) << note_of(names);
  EXPECT_EQ(note_of(teams).find("different labels"), std::string::npos) << note_of(teams);
}

TEST(DataInfo, PrintsTheFieldsThatScriptsRead) {
  const json karate = run_gir({"data", "info", "karate", "--format", "json"}).json();
  EXPECT_EQ(karate["nodes"], 34);
  EXPECT_EQ(karate["edges"], 78);
  EXPECT_EQ(karate["directed_edges"], 156);
  EXPECT_EQ(karate["self_loops"], 0);
  EXPECT_EQ(karate["components"], 1);
  EXPECT_EQ(karate["features"], 0);
  EXPECT_EQ(karate["classes"], 2);
  EXPECT_EQ(karate["diameter"]["lower"], 5);
  EXPECT_EQ(karate["diameter"]["upper"], 5);
  EXPECT_EQ(karate["degree_quantiles"]["max"], 17);
}

TEST(DataInfo, PrintsText) {
  const ProgramRun run = run_gir({"data", "info", "karate"});
  EXPECT_EQ(run.exit_code, 0);
  for (const char* part : {"nodes         34", "78 (156 counting both directions)", "median 3", "classes       2"}) {
    EXPECT_NE(run.out.find(part), std::string::npos) << part << " in\n" << run.out;
  }
}

TEST(DataInfo, PrintsOneRowPerGraph) {
  EXPECT_EQ(run_gir({"data", "info", "karate", "path", "--format", "csv"}).out.substr(0, 4), "name");
  EXPECT_EQ(run_gir({"data", "info", "karate", "karate", "--format", "json"}).json().size(), 2u);
}

TEST(DataInfo, ReadsLabelsAndFeaturesFromSeparateFiles) {
  const TempDir dir;
  const auto graph = dir.file("g.txt", "a b\nb c\n").string();
  const auto labels = dir.file("l.txt", "a red\nb blue\nc red\n").string();
  const auto features = dir.file("f.csv", "node,x,y\nc,1,2\na,3,4\nb,5,6\n").string();
  const json info =
      run_gir({"data", "info", graph, "--labels", labels, "--features", features, "--format", "json"}).json();
  EXPECT_EQ(info["classes"], 2);
  EXPECT_EQ(info["features"], 2);
  const auto short_labels = dir.file("s.txt", "red\nblue\n").string();
  expect_refusal({"data", "info", graph, "--labels", short_labels}, {"s.txt", "2", "3"});
}

TEST(DataInfo, RefusesBadInputWithOneLine) {
  const TempDir dir;
  const auto with = [&](const char* name, std::string_view content) {
    return std::vector<std::string>{"data", "info", dir.file(name, content).string()};
  };
  expect_refusal(with("edges.txt", "0 1\n4 x\n"), {"gir data info: ", "edges.txt:2: ", "got \"4 x\""});
  expect_refusal(with("empty.txt", ""), {"empty.txt", "is empty"});
  expect_refusal(with("junk.npz", "not a zip"), {"junk.npz"});
  expect_refusal(with("junk.npy", "not an array"), {"junk.npy"});
  expect_refusal(with("junk.mat", "not a matrix"), {"junk.mat"});
  expect_refusal(with("junk.mtx", "not a matrix"), {"junk.mtx"});
  expect_refusal(with("junk.txt.gz", "\x1f\x8b not gzip"), {"junk.txt.gz"});
  expect_refusal({"data", "info", dir.path().string()}, {"is a directory"});
  expect_refusal({"data", "info", "no/such/file.txt"}, {"no/such/file.txt", "no such file"});
}

TEST(DataInfo, PrintsThePapersTable) {
  GIR_NEEDS_DATA();
  const ProgramRun run = run_gir({"data", "info", "email", "europe", "usa", "celegans", "ns", "pb", "--format", "csv",
                                  "--data-dir", testing::data_directory()->string()});
  EXPECT_EQ(run.out,
            "name,nodes,edges,directed_edges,self_loops,components,features,classes\n"
            "email,920,7201,14402,0,7,0,41\n"
            "europe,399,5995,11988,2,1,0,4\n"
            "usa,1190,13599,27198,0,3,0,4\n"
            "celegans,297,2148,4296,0,1,0,0\n"
            "ns,1461,2742,5484,0,268,0,0\n"
            "pb,1222,16714,33428,0,1,0,0\n");
}

TEST(DataList, ListsEveryDataset) {
  std::set<std::string> names;
  for (const json& entry : run_gir({"data", "list", "--format", "json"}).json()) names.insert(entry["name"]);
  for (const char* name : {"email", "europe", "usa", "celegans", "ns", "pb", "cora", "citeseer", "amazon-computers",
                           "amazon-photo", "coauthor-cs", "coauthor-physics", "ogbn-arxiv", "karate"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(DataList, SaysThatADatasetIsWithoutItsFeatures) {
  const TempDir dir;
  for (const char* name :
       {"raw/edge.csv.gz", "raw/num-node-list.csv.gz", "raw/num-edge-list.csv.gz", "raw/node-label.csv.gz",
        "split/time/train.csv.gz", "split/time/valid.csv.gz", "split/time/test.csv.gz"}) {
    dir.file(std::string("ogbn-arxiv/") + name, "");
  }
  const auto line_of = [&] {
    const std::string list = run_gir({"data", "list", "--data-dir", dir.path()}).out;
    const std::size_t begin = list.find("\nogbn-arxiv ");
    return list.substr(begin, list.find('\n', begin + 1) - begin);
  };
  EXPECT_NE(line_of().find("without features"), std::string::npos) << line_of();
  dir.file("ogbn-arxiv/raw/node-feat.csv.gz", "");
  EXPECT_NE(line_of().find(" yes "), std::string::npos) << line_of();
}

TEST(DataGenerate, WritesTheSameGraphForTheSameSeed) {
  const TempDir dir;
  const auto print = [&](const char* seed, const char* threads) {
    const std::string path = dir / (std::string(seed) + threads + ".txt");
    const ProgramRun run = run_gir(
        {"data", "generate", "barabasi-albert", "--nodes", "500", "--seed", seed, "--threads", threads, "-o", path});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return read_graph(std::filesystem::path(path)).graph.fingerprint();
  };
  EXPECT_EQ(print("1", "1"), print("1", "2"));
  EXPECT_NE(print("1", "1"), print("2", "1"));
}

TEST(DataGenerate, RefusesInvalidParametersAndPaths) {
  const TempDir dir;
  const std::string out = dir / "x.txt";
  expect_refusal({"data", "generate", "sbn", "-o", out}, {"\"sbn\" [did you mean sbm?"});
  expect_refusal({"data", "generate", "path", "--nodes", "-3", "-o", out}, {"path: --nodes is -3"});
  expect_refusal({"data", "generate", "path", "--nodes", "many", "-o", out}, {"--nodes: expected a number", "many"});
  expect_refusal({"data", "generate", "path", "--nods", "3", "-o", out}, {"\"--nods\" [did you mean --nodes?"});
  expect_refusal({"data", "generate", "path", "-o", dir / "x.what"}, {"x.what"});
  expect_refusal({"data", "generate", "path", "-o", dir / "no/such/folder/x.txt"}, {"x.txt", "No such file"});
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(DataConvert, KeepsTheGraphThroughEveryFormat) {
  const TempDir dir;
  const std::string print = run_gir({"data", "info", "karate", "--format", "json"}).json()["fingerprint"];
  std::string last = "karate";
  for (const std::string name : {"a.txt", "b.mtx", "c.csv.gz", "d.tsv", "e.mtx.gz", "f.npz"}) {
    const std::string next = dir / name;
    const ProgramRun run = run_gir({"data", "convert", last, "-o", next});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run_gir({"data", "info", next, "--format", "json"}).json()["fingerprint"], print) << name;
    last = next;
  }
}

TEST(DataConvert, KeepsLabelsInAFolderOfArraysAndNotesWhatOtherFormatsOmit) {
  const TempDir dir;
  run_gir({"data", "convert", "karate", "--write-as", "npy-folder", "-o", dir / "k"});
  EXPECT_EQ(run_gir({"data", "info", dir / "k", "--format", "json"}).json()["classes"], 2);
  EXPECT_NE(run_gir({"data", "convert", "karate", "-o", dir / "k.txt"}).err.find("omitted: labels"), std::string::npos);
  EXPECT_EQ(run_gir({"data", "convert", "karate", "-q", "-o", dir / "k.txt"}).err, "");
}

TEST(DataConvert, KeepsIdsOfAllKinds) {
  const TempDir dir;
  const std::string graph =
      dir.file("g.csv", "source,target,weight\n\"Smith, J.\",\"#ai\",1.5\n\" a \",\"O\"\"Neil\",2\n").string();
  const std::string print = run_gir({"data", "info", graph, "--format", "json"}).json()["fingerprint"];
  for (const std::string name : {"a.txt", "b.csv", "c.tsv", "d.mtx", "e.npz"}) {
    const ProgramRun run = run_gir({"data", "convert", graph, "-o", dir / name});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run_gir({"data", "info", dir / name, "--format", "json"}).json()["fingerprint"], print) << name;
  }
}

TEST(DataInfo, SaysWhichLinesOfATableWereNotRead) {
  const TempDir dir;
  const std::string graph = dir.file("g.csv", "source,target\nann,bob\n#ai,bob\nbob,cid\n").string();
  const ProgramRun run = run_gir({"data", "info", graph});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.err.find("g.csv:3: \"#ai,bob\" is skipped as a comment"), std::string::npos) << run.err;
}

TEST(DataConvert, FollowsLinksAndKeepsPermissions) {
  const TempDir dir;
  const auto target = dir.file("target.txt", "old");
  std::filesystem::permissions(target, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::create_symlink("target.txt", dir / "link.txt");
  EXPECT_EQ(run_gir({"data", "convert", "karate", "-o", dir / "link.txt"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "link.txt"));
  EXPECT_EQ(read_graph(target).graph.num_nodes(), 34);
  EXPECT_EQ(std::filesystem::status(target).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  expect_refusal({"data", "convert", "karate", "--write-as", "edge-list", "-o", "/dev/null"}, {"not a regular file"});
}

TEST(DataConvert, PrintsWhatWasWrittenAsJson) {
  const TempDir dir;
  EXPECT_EQ(run_gir({"data", "convert", "karate", "-o", dir / "k.txt", "--format", "json"}).json()["edges"], 78);
}

TEST(DataConvert, KeepsTheOldFileWhenTheInputIsBad) {
  const TempDir dir;
  const auto old = dir.file("out.txt", "precious");
  const auto bad = dir.file("bad.txt", "0 1\nx\n").string();
  expect_refusal({"data", "convert", bad, "-o", old.string()}, {"bad.txt:2"});
  EXPECT_EQ(testing::read_text(old), "precious");
}

TEST(DataFetch, RefusesWhatItCannotDownload) {
  const TempDir dir;
  expect_refusal({"data", "fetch", "karate"}, {"karate", "built in"});
  expect_refusal({"data", "fetch", "crea"}, {"\"crea\"", "known: cora"});
  expect_refusal({"data", "fetch", "pb", "--data-dir", dir.path().string(), "--mirror", "http://127.0.0.1:1", "-q"},
                 {"127.0.0.1"});
}

TEST(Info, ListsWhatIsRegistered) {
  for (const char* topic : {"datasets", "formats", "generators"}) {
    EXPECT_GT(run_gir({"info", topic, "--format", "json"}).json().size(), 3u) << topic;
  }
}

TEST(Info, SaysWhichBlasIsInUse) {
  const json build = run_gir({"info", "build", "--format", "json"}).json();
  EXPECT_FALSE(build["libtorch"].get<std::string>().empty());
  EXPECT_FALSE(build["blas"].get<std::string>().empty());
  EXPECT_GE(build["threads"], 1);
}

#if defined(__x86_64__)
TEST(Info, ShowsOpenBlasKernelsThatSuitTheProcessor) {
  const json build = run_gir({"info", "build", "--format", "json"}).json();
  if (!build["blas"].get<std::string>().starts_with("OpenBLAS")) GTEST_SKIP() << "another BLAS: " << build["blas"];
  EXPECT_TRUE(!__builtin_cpu_supports("avx2") || build["blas_core"] != "Prescott") << "kernels from before AVX";
  const ProgramRun asked = run_gir({"info", "build", "--format", "json"}, "OPENBLAS_CORETYPE=Nehalem");
  EXPECT_EQ(asked.json()["blas_core"], "Nehalem");
}
#endif

TEST(Bench, MeasuresLoading) {
  const json load =
      run_gir({"bench", "load", "--nodes", "1000", "--edges", "20000", "--repeat", "1", "--format", "json"}).json();
  EXPECT_EQ(load["nodes"], 1000);
  EXPECT_GT(load["load_ms"], 0.0);
  EXPECT_GT(load["csr_bytes"], 0);
}

TEST(Bench, MeasuresDistances) {
  const json distances =
      run_gir({"bench", "distances", "karate", "--anchors", "4", "--repeat", "1", "--format", "json"}).json();
  EXPECT_EQ(distances["anchors"], 4);
  EXPECT_GT(distances["distances_ms"], 0.0);
}

TEST(Bench, RefusesAPeerWithoutOutput) {
  expect_refusal({"bench", "distances", "karate", "--anchors", "4", "--peer", "true"}, {"no JSON with distances_ms"});
  expect_refusal({"bench", "load", "no-such-file.txt"}, {"no-such-file.txt"});
}

}  // namespace
}  // namespace gir
