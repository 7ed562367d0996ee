import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildShim } from "../e2e/faults/fault.ts";
import { storm } from "./storm.ts";
import { groundOf, WEATHERS } from "./weather.ts";

/** One storm after the other; 0 where nothing was wrong. */
export async function session(root: string, words: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: "string", multiple: true },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      minutes: { type: "string", default: "10" },
      from: { type: "string", default: "0" },
      count: { type: "string", default: "1000000" },
      actions: { type: "string", default: "160" },
      "at-once": { type: "string", default: "8" },
      roles: { type: "string", default: "2" },
    },
  });
  const ground = groundOf(root);
  const shim = buildShim(join(root, "tests", "e2e", "faults", "shim.c"));
  const endsAt = Date.now() + Number(values.minutes) * 60_000;
  const from = Number(values.from);
  let found = 0;
  try {
    for (let index = from; index < from + Number(values.count) && Date.now() < endsAt; index += 1) {
      for (const [name, weather] of Object.entries(WEATHERS)) {
        if (values.only !== undefined && !values.only.includes(name)) continue;
        if (Date.now() > endsAt) break;
        const place = await weather(ground);
        if (place === null) {
          console.log(`${name}: this machine cannot have it`);
          continue;
        }
        try {
          const names = ["tester", "web-one", "scrum-master", "oosh-expert"] as const;
          const [first, ...others] = names.slice(0, Number(values.roles));
          const { wrong, runs, killed, transitions } = await storm(`${values.seed} ${index} ${name}`, {
            ...place.options,
            name,
            roles: [first ?? names[0], ...others],
            actions: Number(values.actions),
            atOnce: Number(values["at-once"]),
            shim: shim?.path ?? null,
          });
          console.log(
            `${name} --seed ${values.seed} --from ${index}: ${runs} runs, ${killed} killed, ${transitions} transitions, ${wrong.length} wrong`,
          );
          for (const text of wrong.slice(0, 12)) console.log(`  ${text}`);
          found += wrong.length;
        } finally {
          await place.end();
        }
      }
    }
  } finally {
    shim?.remove();
  }
  return found === 0 ? 0 : 1;
}
