import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../.client/", import.meta.url));
const PINS = JSON.parse(readFileSync(new URL("../clients.json", import.meta.url), "utf8"));

/** The slower of the two is 250 MB. */
const INSTALL_MS = 180_000;

/** Has npm fetch each pinned client once; a sentence where one cannot be had, null where all are there. */
export function installClients() {
  mkdirSync(FOLDER, { recursive: true });
  for (const { version, package: name, file } of PINS) {
    const wanted = join(FOLDER, version);
    if (existsSync(join(wanted, "node_modules", name, file))) continue;
    // Moved into place when it is whole: a folder that an interrupted run left behind would be taken for the client.
    const fresh = mkdtempSync(join(FOLDER, "fetching-"));
    writeFileSync(join(fresh, "package.json"), '{ "private": true }\n');
    const words = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional", `${name}@${version}`];
    const ran = spawnSync("npm", words, { cwd: fresh, encoding: "utf8", timeout: INSTALL_MS });
    if (ran.status !== 0) {
      rmSync(fresh, { recursive: true, force: true });
      const why = ran.error?.message ?? firstError(ran.stderr);
      return `npm cannot install ${name}@${version}: ${why}`;
    }
    rmSync(wanted, { recursive: true, force: true });
    renameSync(fresh, wanted);
  }
  return null;
}

function firstError(stderr) {
  return stderr.split("\n").find((line) => line.startsWith("npm error")) ?? "it gives no reason";
}
