import type { CommandContext } from "../commands/command-context.ts";
import type { RoleName } from "../lifecycle/role.ts";

/** Runs a hook where the machines are: in files, or in the store that is named. Without a role it needs none of them. */
export async function inStore<T extends { readonly warnings: readonly string[] }>(
  context: CommandContext,
  { role, silent }: { readonly role: RoleName | null; readonly silent: boolean },
  hook: (context: CommandContext) => Promise<T>,
): Promise<T> {
  if (role === null || context.paths.shared === undefined) return hook(context);
  const { withHookMachines } = await import("../commands/shared-machines.ts");
  return withHookMachines(context, hook, silent);
}
