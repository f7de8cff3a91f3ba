// Runs a TypeScript file: node scripts/run.mjs FILE [ARGUMENT...]
import { build } from "esbuild";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [file, ...rest] = process.argv.slice(2);
const folder = await mkdtemp(join("node_modules", ".run-"));
const outfile = join(folder, "program.mjs");
await build({
  entryPoints: [file],
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  outfile,
  logLevel: "warning",
});
process.argv = [process.argv[0], file, ...rest];
try {
  await import(pathToFileURL(outfile).href);
} finally {
  await rm(folder, { recursive: true, force: true });
}
