import { fileURLToPath } from "node:url";
import pins from "../clients.json" with { type: "json" };

export const VERSIONS: readonly ["2.1.332", "2.0.76"] = ["2.1.332", "2.0.76"];
export type Version = (typeof VERSIONS)[number];
export const NEWEST: Version = VERSIONS[0];

/** The words that start a client; the older one is a script that runs on our own Node. */
export function clientWords(version: Version): readonly [file: string, ...words: string[]] {
  const pin = pins.find((one) => one.version === version);
  if (pin === undefined) throw new Error(`clients.json pins no ${version}`);
  const file = fileURLToPath(new URL(`../.client/${version}/node_modules/${pin.package}/${pin.file}`, import.meta.url));
  return file.endsWith(".js") ? [process.execPath, file] : [file];
}
