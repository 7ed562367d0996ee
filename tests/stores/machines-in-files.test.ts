import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, onTestFinished } from "vitest";
import { transact } from "../../src/stores/machine-store.ts";
import { machinePath } from "../../src/stores/paths.ts";
import { bundleScript, remove, runNode, temporaryFolder } from "../platform/scripts.ts";
import { machineStoreContract } from "./machine-store-contract.ts";
import { project } from "./projects.ts";

const scripts = temporaryFolder();
const STEP = bundleScript(new URL("./fixtures/step.ts", import.meta.url), scripts);
afterAll(() => remove(scripts));

machineStoreContract("files", async () => {
  const paths = project();
  onTestFinished(() => remove(paths.root));
  return {
    host: async () => ({
      paths,
      transact: async (name, options, work) => transact(paths, name, options, work),
      refresh: async () => undefined,
      plant: async (name, text) => writeFileSync(machinePath(paths, name), text),
      text: async (name) => {
        const path = machinePath(paths, name);
        return existsSync(path) ? readFileSync(path, "utf8") : null;
      },
    }),
    worker: (name, times) => runNode(STEP, [paths.root, name, String(times), "150000"]),
  };
});
