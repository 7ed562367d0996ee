/** A project's id, checked: the name of its folder, safe as one part of a path. */
export type ProjectId = string & { readonly __brand: "ProjectId" };

/** What is read: a number, a hyphen, a name. */
export const PROJECT_ID = /^[0-9]+-[A-Za-z0-9_-]+$/;

/** What is written: at least two digits, then lower-case groups joined by single hyphens. */
const CANONICAL = /^[0-9]{2,}(?:-[a-z0-9]+)+$/;

/** The longest name of a folder on the file systems in use, in bytes; an id is ASCII. */
export const PROJECT_ID_MAX = 255;

/** What an id is, as the end of a sentence. */
export const PROJECT_ID_RULE =
  "a number, a hyphen and a name of letters, digits, hyphens and underscores, as in 24-demo";

export function isProjectId(name: string): name is ProjectId {
  return name.length <= PROJECT_ID_MAX && PROJECT_ID.test(name);
}

/** True for `NN-kebab-case`, the form that new projects get. */
export function isCanonicalProjectId(name: string): name is ProjectId {
  return isProjectId(name) && CANONICAL.test(name);
}
