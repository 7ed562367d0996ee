/** A text of at most so many code points, for a line or a cell: an ellipsis stands for the rest. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text.slice(0, 2 * (most + 1))];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
