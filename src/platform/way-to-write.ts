/** What lets the system write after all, by the errno with which it refused: half a sentence, to be followed by what to do then. */
export function wayToWrite(code: string | undefined): string {
  return (code === undefined ? undefined : WAYS[code]) ?? "Take away what is in the way";
}

const RIGHTS = "Give this user the rights to write there";
const SPACE = "Free space on that disk";

const WAYS: Readonly<Record<string, string>> = {
  EACCES: RIGHTS,
  EPERM: RIGHTS,
  // With the folders above it made: in /proc and its like.
  ENOENT: "Choose a place where folders can be made",
  // In a container single files are mounted, and none of them can be replaced.
  EBUSY: "Mount the folder that holds it, not it alone",
  EROFS: "Mount that file system so that it can be written",
  ENOSPC: SPACE,
  EDQUOT: SPACE,
  EFBIG: "Raise the limit of a file's size (ulimit -f)",
};
