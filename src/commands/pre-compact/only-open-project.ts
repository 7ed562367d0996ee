import type { Config } from "../../config/config.ts";
import { parseSteps } from "../../projects/steps.ts";
import type { PrecompactState } from "../../resume/precompact-state.ts";
import { listProjectIds, readStepsFile } from "../../stores/project-store.ts";
import type { CommandContext } from "../command-context.ts";

type Found = Pick<PrecompactState, "active_project_id" | "confidence" | "detection_method">;

/** With nothing else to go by, the one project that is in progress is named, as weakly as can be; null where it is not one. */
export function onlyOpenProject(context: CommandContext, config: Config): Found | null {
  const open = listProjectIds(context.paths, config).filter((id) => {
    const steps = readStepsFile(context.paths, config, id);
    if (!steps.ok) return false;
    const { phase } = parseSteps(steps.value.text);
    return phase === "planning" || phase === "execution";
  });
  const [only] = open;
  if (only === undefined || open.length > 1) return null;
  return { active_project_id: only, confidence: "low", detection_method: "fallback" };
}
