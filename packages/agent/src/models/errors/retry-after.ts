/** Milliseconds that a provider asks to wait, from `retry-after-ms`, or from `retry-after` in seconds or as a date. */
export function retryAfter(
  headers: Record<string, string> | undefined,
  now = Date.now(),
): number | undefined {
  const exact = Number(headers?.["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const value = headers?.["retry-after"];
  if (value === undefined || value.trim() === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
