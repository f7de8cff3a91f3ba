// Runs the unit tests, test/*_test.ts, with Node's own test runner; each file has a process of its own.
import { spawnSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { withBundles } from "./bundle.mjs";

const files = (await readdir("test")).filter((name) => name.endsWith("_test.ts")).map((name) => join("test", name));
const { status } = await withBundles(files, (programs) =>
  spawnSync(process.execPath, ["--enable-source-maps", "--test", ...programs], { stdio: "inherit" }),
);
process.exitCode = status ?? 1;
