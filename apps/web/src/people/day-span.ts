/**
 * The span from the beginning of one day to the end of another, in the person's time zone.
 * @param from `2026-11-30`, as date fields give it; empty: no limit
 */
export function daySpan(from: string, to: string): { from?: number; to?: number } {
  const startOf = (day: string, offset: number) => {
    const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
    return new Date(year, month - 1, date + offset).getTime();
  };
  return {
    ...(from === "" ? {} : { from: startOf(from, 0) }),
    ...(to === "" ? {} : { to: startOf(to, 1) }),
  };
}
