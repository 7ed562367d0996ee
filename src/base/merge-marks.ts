// What git writes where it could not merge: seven of each mark, at the start of a line, the first and the last with a name behind a blank.
export const OURS = "<<<<<<< ";
export const PARTING = "=======";
export const THEIRS = ">>>>>>> ";

/** The line at which a merge begins that was left open. No YAML begins a line so. */
export const OPEN_MERGE = new RegExp(`^${OURS}.*`, "m");

export const MERGE_HINT = "Keep what is right of both, and take git's marks out.";
