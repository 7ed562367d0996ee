import { parseSkillFast as parseByTypeScript } from "../../skills/parse-skill-fast.ts";
import "./host.ts";

/** In place of the one in `src/skills/parse-skill-fast.ts`: see `quick-texts.c`. */
export const parseSkillFast: typeof parseByTypeScript = (text, options) => {
  const description = host.quick?.skillWords(text, options.folderName) ?? null;
  if (description === null) return parseByTypeScript(text, options);
  return { skill: { name: options.folderName, description }, diagnostics: [] };
};
