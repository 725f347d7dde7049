/** Formats dollars with cents. */
export const money = (usd: number) => `$${usd.toFixed(2)}`;

/**
 * Formats a duration in seconds, minutes or hours.
 * @param ms milliseconds
 */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
