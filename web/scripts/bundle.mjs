// Turns TypeScript files into programs that Node can run.
import { build } from "esbuild";
import { mkdtemp, rm } from "node:fs/promises";
import { basename, join } from "node:path";

/** Bundles each file, hands the paths of the programs to `use` and removes them after it. */
export async function withBundles(files, use) {
  // Inside web, where packages are found; not in node_modules, where newer test runners find no tests.
  const folder = await mkdtemp(".run-");
  try {
    await build({
      entryPoints: files,
      bundle: true,
      platform: "node",
      target: "node18",
      format: "esm",
      packages: "external",
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      sourcemap: "inline",
      logLevel: "warning",
    });
    return await use(files.map((file) => join(folder, basename(file).replace(/\.ts$/, ".mjs"))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
