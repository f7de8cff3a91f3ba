// Runs a TypeScript file: node scripts/run.mjs FILE [ARGUMENT...]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { withBundles } from "./bundle.mjs";

const [file, ...rest] = process.argv.slice(2);
process.argv = [process.argv[0], file, ...rest];
process.setSourceMapsEnabled(true);
await withBundles([file], ([program]) => import(pathToFileURL(resolve(program)).href));
