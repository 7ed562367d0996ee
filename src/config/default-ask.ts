/** `{save}` is the command that saves the role, such as `./context lifecycle.save oosh-expert`; `{file}` its context file. */
export const DEFAULT_ASK =
  "Role {role}: your context will be compacted. Bring {file} up to date now, then run {save} and stop there, without starting anything else.";
