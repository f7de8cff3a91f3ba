// Writes report.html and LICENSES.txt to dist, or to the folder given. The same sources give the same bytes.
import { build } from "esbuild";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = process.argv[2] ?? join(web, "dist");
const PLACEHOLDER = "__GIR_PAYLOAD__";

async function bundle() {
  const result = await build({
    absWorkingDir: web,
    entryPoints: ["src/main.ts"],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: "dist",
    format: "iife",
    target: "es2022",
    charset: "ascii",
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending)).text.trim();
  return { script: text(".js"), style: text(".css"), inputs: Object.keys(result.metafile.inputs) };
}

/** Names of the npm packages with a file in the bundle. */
function packagesOf(inputs) {
  const names = inputs.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

/** Every licence and notice file of a package, those in folders named licenses too. */
async function licenceFiles(folder) {
  const found = [];
  for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory() && /^licen[cs]es$/i.test(entry.name)) {
      for (const name of (await readdir(join(folder, entry.name))).sort()) found.push(join(entry.name, name));
    } else if (entry.isFile() && /^(licen[cs]e|notice|copying)/i.test(entry.name)) {
      found.push(entry.name);
    }
  }
  return found;
}

async function licences(packages) {
  const parts = ["dist/report.html contains code of the following npm packages.\n"];
  for (const name of packages) {
    const folder = join(web, "node_modules", name);
    const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    parts.push(`\n${"=".repeat(78)}\n${name} ${about.version} (${about.license})\n`);
    for (const file of await licenceFiles(folder)) {
      const text = (await readFile(join(folder, file), "utf8")).replaceAll("\r\n", "\n").trim();
      parts.push(`${"-".repeat(78)}\n${file}\n\n${text}\n`);
    }
  }
  return parts.join("");
}

/** Notices that have to travel with the page itself, because a report is shared as a single file. */
async function pageNotice(packages) {
  const lines = [];
  for (const name of packages) {
    const about = JSON.parse(await readFile(join(web, "node_modules", name, "package.json"), "utf8"));
    lines.push(`${name} ${about.version} (${about.license})`);
  }
  const notice = await readFile(join(web, "node_modules/echarts/NOTICE"), "utf8");
  const zrender = await readFile(join(web, "node_modules/zrender/LICENSE"), "utf8");
  const text = `This page contains: ${lines.join(", ")}.\n\n${notice.trim()}\n\nzrender:\n${zrender.trim()}`;
  return text.replaceAll("\r\n", "\n").replaceAll("--", "- -");
}

/** Inserts without reading `$` patterns in the new text. */
function fill(template, mark, text) {
  const parts = template.split(mark);
  if (parts.length !== 2) throw new Error(`${mark} occurs ${parts.length - 1} times in the template`);
  return parts.join(text);
}

const { script, style, inputs } = await bundle();
const packages = packagesOf(inputs);
let page = await readFile(join(web, "src/template.html"), "utf8");
page = fill(page, "%NOTICE%", await pageNotice(packages));
page = fill(page, "%STYLE%", style);
page = fill(page, "%SCRIPT%", script);
if (page.split(PLACEHOLDER).length !== 2) throw new Error(`${PLACEHOLDER} must occur exactly once`);
await mkdir(dist, { recursive: true });
await writeFile(join(dist, "report.html"), page);
await writeFile(join(dist, "LICENSES.txt"), await licences(packages));
console.log(`report.html: ${Math.round(page.length / 1024)} KiB, with ${packages.join(", ")}`);
