/** The same for every role: an agent that has forgotten everything has forgotten its role's habits too. */
export const RECOVERY_CHECKLIST = [
  "Read this whole output before you do anything else. You lost your memory; what follows is what you wrote down.",
  "Read the skill file named below, if it is there: it says what your role does and may do.",
  "Read the architecture document named below, if it is there.",
  'Look at "Changed since the save": where it disagrees with the context file, the disk is right.',
  "Read the context file below to its end, then follow its Recovery Steps in their order.",
  "Go on with the first item under Pending; ask before you redo work listed under Completed Work.",
] as const;
