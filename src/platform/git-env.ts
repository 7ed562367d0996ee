type Env = Readonly<Record<string, string | undefined>>;

/**
 * The environment for git in a folder that nobody may trust: what the repository's own configuration names is not run, neither
 * a watcher of files nor, for what a partial clone lacks, a remote's program.
 */
export function gitEnv(env: Env): Env {
  return {
    ...env,
    GIT_ALLOW_PROTOCOL: "none",
    // Words of a shell, between which one blank each stands.
    GIT_CONFIG_PARAMETERS: `${env.GIT_CONFIG_PARAMETERS ?? "'core.fsmonitor='"} 'core.fsmonitor='`,
  };
}
