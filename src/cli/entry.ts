import type { World } from "../platform/world.ts";
import type { CommandName } from "./command-table.ts";
import type { Invocation } from "./invocation.ts";

export type Handler = (world: World, invocation: Invocation) => Promise<number>;

/** A bundle of commands that share what they load. */
export type Entry = Partial<Record<CommandName, Handler>>;
