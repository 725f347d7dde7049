/** Dollars with cents. */
export const money = (usd: number) => `$${usd.toFixed(2)}`;

/** Seconds, minutes or hours, as a person says them. @param ms milliseconds */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
