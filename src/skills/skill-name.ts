import { countCharacters, quote } from "../base/quote.ts";

/** Agent Skills specification, "name field". */
const LONGEST_NAME = 64;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export function isSkillName(name: string): boolean {
  return name.length <= LONGEST_NAME && NAME.test(name);
}

/** What is wrong with a name and the way out; null for a good one. */
export function nameFault(name: string, folderName: string): { message: string; hint: string } | null {
  if (name === folderName && isSkillName(name)) return null;
  const found = quote(name);
  const hint = isSkillName(folderName)
    ? `Write "name: ${folderName}".`
    : "Use lower-case letters, digits and single hyphens for the name and its folder.";
  if (name === "") return { message: "Expected a name, found an empty one", hint };
  if (name.length > LONGEST_NAME)
    return { message: `Expected a name of at most ${LONGEST_NAME} characters, found ${countCharacters(name)}`, hint };
  const stranger = /[^a-z0-9-]/u.exec(name);
  if (stranger !== null)
    return {
      message: `Expected lower-case letters, digits and hyphens in the name, found ${quote(stranger[0])} in ${found}`,
      hint,
    };
  if (name.startsWith("-") || name.endsWith("-"))
    return { message: `Expected a letter or digit at both ends of the name, found ${found}`, hint };
  if (name.includes("--")) return { message: `Expected single hyphens in the name, found ${found}`, hint };
  return {
    message: `Expected the name of the skill's folder, ${quote(folderName)}, found ${found}`,
    hint: isSkillName(folderName)
      ? `Write "name: ${folderName}", or rename the folder to "${name}".`
      : `Rename the folder to "${name}".`,
  };
}
