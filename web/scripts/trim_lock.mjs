// Removes download addresses and funding entries from package-lock.json; versions and checksums stay.
import { readFile, writeFile } from "node:fs/promises";

const lock = JSON.parse(await readFile("package-lock.json", "utf8"));
for (const one of Object.values(lock.packages)) {
  delete one.funding;
  delete one.resolved;
}
await writeFile("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
