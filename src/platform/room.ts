/**
 * A buffer that holds the first `used` bytes of `room` and has room for `more` behind them: the same one while that is so, else
 * one of at least twice its size, so that bytes which come in many pieces are moved a few times and not with each piece.
 */
export function withRoom(room: Buffer, used: number, more: number): Buffer {
  if (used + more <= room.length) return room;
  const larger = Buffer.allocUnsafe(Math.max(room.length * 2, used + more));
  larger.set(room.subarray(0, used));
  return larger;
}
