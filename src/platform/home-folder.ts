import { userInfo } from "node:os";

/** `HOME`, else what the system's list of users says; `/`, as containers have it, for a user who is not on that list. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  if (env.HOME) return env.HOME;
  try {
    return userInfo().homedir;
  } catch {
    return "/";
  }
}
