/**
 * Where Node is put by its installers and by those who keep several versions of it (nvm, fnm, asdf, mise, nodenv, volta,
 * Homebrew, MacPorts, snap), and where npm is told to put programs by who may not write to Node's folder, as words of a shell;
 * versions that are too old are left out where the folder tells. The last one that holds a `node` is taken: of several
 * versions the newest.
 */
export const NODE_PLACES = [
  '"$HOME/.local/bin" "$HOME/.npm-global/bin"',
  "/usr/bin /snap/bin /opt/local/bin /home/linuxbrew/.linuxbrew/bin /opt/homebrew/bin /usr/local/bin",
  // Of Homebrew's `node@22` nothing is linked into its `bin`.
  "/opt/homebrew/opt/node@[2-9][0-9]/bin /usr/local/opt/node@[2-9][0-9]/bin",
  '"$HOME/.volta/bin" "$HOME"/.nodenv/versions/[2-9][0-9].*/bin',
  '"$HOME"/.asdf/installs/nodejs/[2-9][0-9].*/bin "$HOME"/.local/share/mise/installs/node/[2-9][0-9].*/bin',
  '"$HOME"/.local/share/fnm/node-versions/v[2-9][0-9].*/installation/bin',
  '"$HOME/Library/Application Support"/fnm/node-versions/v[2-9][0-9].*/installation/bin',
  '"$HOME"/.fnm/node-versions/v[2-9][0-9].*/installation/bin "$HOME"/.local/share/nvm/v[2-9][0-9].*/bin',
  '"$HOME"/.config/nvm/versions/node/v[2-9][0-9].*/bin "$HOME"/.nvm/versions/node/v[2-9][0-9].*/bin',
].join(" \\\n    ");

/**
 * Lines of a shell that put a folder with `node` on the PATH where none there holds one: a client that was not started from
 * a terminal has not the PATH of one. No path of this machine is written down, so an update of Node changes nothing.
 * `CONTEXT_NODE` names another `node`, by its whole path, and goes first.
 */
export const FIND_NODE = `# A client that a desktop started has not the PATH of a terminal. Of several the last is taken, which is the newest.
look_for() {
  found= HOME=\${HOME:-}
  for folder in ${NODE_PLACES}; do
    [ -x "$folder/$1" ] && found=$folder/$1
  done
  [ -n "$found" ]
}
if [ -n "\${CONTEXT_NODE:-}" ]; then
  export PATH="\${CONTEXT_NODE%/*}\${PATH:+:$PATH}"
elif ! command -v node >/dev/null 2>&1; then
  look_for node && export PATH="\${found%/*}:\${PATH:-/usr/bin:/bin}"
fi
`;

/**
 * Further ones, which find the program that npm installed for all projects, or linked. It lies with one version of Node, and
 * another one may be the newest, or a Node of the system's on the PATH. The package is asked for: TeX has a `context` too.
 */
export const FIND_GLOBAL = `[ -n "$context" ] || ! look_for ../lib/node_modules/agent-context/bin/context.js || context=$found
`;
