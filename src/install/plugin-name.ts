/** The plugin's name in the client's settings is this and the marketplace that it came from. */
export const PLUGIN_PREFIX = "agent-context@";
