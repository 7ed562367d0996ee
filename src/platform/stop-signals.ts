/** What a terminal or a supervisor sends to end a program, by its number. */
const STOPS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/** Whether this process was told to stop, as a signal that what waits can wait for. */
export interface StopSignals {
  readonly signal: AbortSignal;
  /** As if somebody had sent an interrupt: Ctrl-C is a mere key on a terminal in raw mode. */
  readonly interrupt: () => void;
  /** 128 and the signal's number, as a shell says it; null where none came. */
  readonly exitCode: () => number | null;
  /** Signals do again what they do by default. */
  readonly release: () => void;
}

/** From now on such a signal ends nothing by itself. The second one of its kind does, should the first not be heard. */
export function stopSignals(): StopSignals {
  const controller = new AbortController();
  let code: number | null = null;
  const stop = (number: number): void => {
    code ??= 128 + number;
    controller.abort();
  };
  const handlers = Object.entries(STOPS).map(([name, number]) => [name, () => stop(number)] as const);
  for (const [name, handler] of handlers) process.once(name, handler);
  return {
    signal: controller.signal,
    interrupt: () => stop(STOPS.SIGINT),
    exitCode: () => code,
    release: () => {
      for (const [name, handler] of handlers) process.removeListener(name, handler);
    },
  };
}

/** Has `act` done before such a signal ends this process, as it would without; the answer takes that back. */
export function beforeStop(act: () => void): () => void {
  const handlers = Object.keys(STOPS).map((name) => [name, () => stopWith(name)] as const);
  const release = (): void => {
    for (const [name, handler] of handlers) process.removeListener(name, handler);
  };
  const stopWith = (name: string): void => {
    release();
    act();
    process.kill(process.pid, name);
  };
  for (const [name, handler] of handlers) process.on(name, handler);
  return release;
}
