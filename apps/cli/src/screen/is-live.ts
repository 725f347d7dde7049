/** Whether an output can be drawn on: a terminal that knows how to move its cursor. */
export const isLive = (
  { isTTY }: { isTTY?: boolean },
  { TERM, CI }: Record<string, string | undefined>,
): boolean => isTTY === true && TERM !== "dumb" && !CI;
