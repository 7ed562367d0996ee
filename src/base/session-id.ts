/** A session's id becomes a file's name, here and in the client's own folders: anything else must not reach the file system. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Names that Windows takes for devices, whatever follows their dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;
const DEVICE_LONGEST = 4;

export function isSessionId(id: string): boolean {
  const dot = id.indexOf(".");
  const name = dot === -1 ? id : id.slice(0, dot);
  return SESSION_ID.test(id) && !(name.length <= DEVICE_LONGEST && DEVICE.test(name));
}
