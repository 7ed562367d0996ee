// Starts programs for a process that has grown large (servant.ts).
import { spawnSync } from "node:child_process";
import { serve } from "./serve.mjs";

serve(({ file, args, input, options }) => {
  const ran = spawnSync(file, args, { ...options, input: Buffer.from(input, "base64"), encoding: "utf8" });
  const { status, signal, stdout, stderr, error } = ran;
  return { status, signal, stdout, stderr, error: error?.message };
});
