const MINUTE_MS = 60_000;
export const DEFAULT_IDLE_MS = 30 * MINUTE_MS;

/**
 * `TREADLE_IDLE_MINUTES` in milliseconds: how long a project may be unused before its sandbox is
 * stopped. 0: forever.
 * @throws Error with a message that names the variable.
 */
export function readIdleMs(text: string | undefined): number {
  if (text === undefined || text === "") return DEFAULT_IDLE_MS;
  const minutes = Number(text);
  if (!Number.isFinite(minutes) || minutes < 0)
    throw new Error(
      `TREADLE_IDLE_MINUTES is “${text}”, which is not a number of minutes. Give one such as 30, or 0 for never.`,
    );
  return minutes === 0 ? Number.POSITIVE_INFINITY : minutes * MINUTE_MS;
}
