const MB = 1024 * 1024;
export const DEFAULT_HISTORY_BYTES = 500 * MB;

/**
 * `TREADLE_HISTORY_MB` in bytes: the disk space for one project's checkpoints before old ones are
 * thinned out. 0: unlimited.
 * @throws Error with a message that names the variable.
 */
export function readHistoryBytes(text: string | undefined): number {
  if (text === undefined || text === "") return DEFAULT_HISTORY_BYTES;
  const megabytes = Number(text);
  if (!Number.isFinite(megabytes) || megabytes < 0)
    throw new Error(
      `TREADLE_HISTORY_MB is “${text}”, which is not a number of megabytes. Give one such as 500, or 0 for no limit.`,
    );
  return megabytes === 0 ? Number.POSITIVE_INFINITY : megabytes * MB;
}
