# The API: headers that are installed. Those of include/gir that are missing here are for gir's own rooms.
set(GIR_API_HEADERS
  core/array.h core/context.h core/enum_names.h core/error.h core/export.h core/hash.h core/parallel.h core/progress.h
  core/random.h core/registry.h core/text.h core/types.h
  graph/attributes.h graph/components.h graph/generators.h graph/graph.h graph/graph_views.h graph/node_names.h
  graph/statistics.h graph/traversal.h
  io/format.h io/node_lists.h io/split_files.h
  data/dataset.h data/hidden_edges.h data/node_pair.h data/pair_numbers.h data/pairs.h data/split.h data/task.h
  anchors/anchors.h anchors/distances.h anchors/frontiers.h anchors/node_sets.h
  anchors/position_features.h
  pairs/pair_features.h
  report/table.h
)
set(GIR_LEARN_API_HEADERS
  nn/activation.h nn/device.h nn/frontier_linear.h nn/linear.h nn/messages.h nn/node_input.h nn/norm.h nn/pair_ops.h
  nn/parameters.h nn/recording.h nn/runtime.h nn/step_factors.h
  models/model.h models/verify.h
  learn/decoder.h learn/metrics.h learn/objective.h learn/optimizer.h learn/pair_pool.h learn/trainer.h
  runs/baselines.h runs/embeddings.h runs/experiment.h runs/grid.h runs/open_run.h runs/predictions.h runs/reach.h
  runs/run_config.h runs/run_directory.h runs/run_record.h runs/search_space.h runs/statistics.h runs/tune.h
  report/grid_report.h report/html_report.h report/result_table.h report/tune_report.h
  cli/session.h
)
