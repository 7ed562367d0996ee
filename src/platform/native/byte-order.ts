import "./host.ts";

/** In place of `src/skills/byte-order.ts`: hundreds of names are sorted, each character looked at many times. */
export const compareBytes = (a: string, b: string): number => host.quick?.compareTexts(a, b) ?? host.compareTexts(a, b);
