/** A window title, a cleared screen, an 8-bit escape, reversed text, an isolate, a bell, a line separator and a delete. */
export const EVIL = "\u001B]0;owned\u0007\u001B[2J\u009B31m\b\u202Eevil\u2066\u2028\u0085\u200F\u007F";

/** Anything that a terminal acts on, or that reorders what a person reads; newlines and tabs aside. */
export const RAW: RegExp =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/;

/** The same text with JSON's escapes, for a quoted value in JSON or YAML. */
export function escaped(text: string): string {
  const json = JSON.stringify(text);
  return json.replace(/[\u007F-\uFFFF]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
