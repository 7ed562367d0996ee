/**
 * The role of a pane in a `hivemind.roles` file: one `session:window.pane|role` a line, with any further fields after
 * another bar. Null where the pane is not listed, or is listed under two roles.
 */
export function paneRole(registry: string, address: string): string | null {
  const roles = new Set<string>();
  for (const line of registry.split(/\r?\n/)) {
    const [pane, role] = line.split("|");
    if (pane?.trim() === address && role !== undefined && role.trim() !== "") roles.add(role.trim());
  }
  const [only] = roles;
  return roles.size === 1 && only !== undefined ? only : null;
}
