/** A session's id becomes a file's name, here and in the client's own folders: anything else must not reach the file system. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Names that Windows takes for devices, whatever follows their dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

export function isSessionId(id: string): boolean {
  return SESSION_ID.test(id) && !DEVICE.test(id);
}
