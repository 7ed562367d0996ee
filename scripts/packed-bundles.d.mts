export const WARM: string;
export const COLD: string;
export function compressed(text: string): Buffer;
export function together(texts: ReadonlyMap<string, string>): Buffer;
export function bundleTexts(folder: string): Map<string, string>;
