/**
 * Where Node is put by its installers and by those who keep several versions of it (nvm, fnm, asdf, mise, nodenv, volta,
 * Homebrew, MacPorts, snap), as words of a shell; versions that are too old are left out where the folder tells. The last
 * one that holds a `node` is taken: of several versions the newest.
 */
export const NODE_PLACES = [
  "/usr/bin /snap/bin /opt/local/bin /home/linuxbrew/.linuxbrew/bin /opt/homebrew/bin /usr/local/bin",
  '"$HOME/.volta/bin" "$HOME"/.nodenv/versions/[2-9][0-9].*/bin',
  '"$HOME"/.asdf/installs/nodejs/[2-9][0-9].*/bin "$HOME"/.local/share/mise/installs/node/[2-9][0-9].*/bin',
  '"$HOME"/.local/share/fnm/node-versions/v[2-9][0-9].*/installation/bin',
  '"$HOME/Library/Application Support"/fnm/node-versions/v[2-9][0-9].*/installation/bin',
  '"$HOME"/.nvm/versions/node/v[2-9][0-9].*/bin',
].join(" \\\n    ");

/**
 * Lines of a shell that put a folder with `node` on the PATH where none there holds one: a client that was not started from
 * a terminal has not the PATH of one. No path of this machine is written down, so an update of Node changes nothing.
 * `CONTEXT_NODE` names another `node`, by its whole path, and goes first.
 */
export const FIND_NODE = `if [ -n "\${CONTEXT_NODE:-}" ]; then
  export PATH="\${CONTEXT_NODE%/*}\${PATH:+:$PATH}"
elif ! command -v node >/dev/null 2>&1; then
  # A client that a desktop started has not the PATH of a terminal. Of several the last is taken, which is the newest.
  found= HOME=\${HOME:-}
  for folder in ${NODE_PLACES}; do
    [ -x "$folder/node" ] && found=$folder
  done
  [ -n "$found" ] && export PATH="$found:\${PATH:-/usr/bin:/bin}"
fi
`;
