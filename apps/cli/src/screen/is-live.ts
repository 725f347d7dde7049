/** Whether an output is a terminal that can move its cursor. */
export const isLive = (
  { isTTY }: { isTTY?: boolean },
  { TERM, CI }: Record<string, string | undefined>,
): boolean => isTTY === true && TERM !== "dumb" && !CI;
