/** Numbers and output as the page shows them. */

import { plainOutput, visibleProse } from "@treadle/protocol/safe-text";

/** `0:41`, `12:05`, `1:02:03`. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const pad = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${pad(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
}

/** `0.5 s`, `12 s`, `2 min`: how long one thing took. */
export function duration(ms: number): string {
  if (ms < 9950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  if (ms < 119_500) return `${Math.round(ms / 1000)} s`;
  return `${Math.round(ms / 60_000)} min`;
}

/** `812`, `9k`, `1.2M`: tokens. */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 9950) return `${(count / 1000).toFixed(1).replace(/\.0$/, "")}k`;
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  return `${(count / 1e6).toFixed(1)}M`;
}

/** `$0.03`; what is under a cent is said so. */
export function money(usd: number): string {
  if (usd === 0) return "$0";
  if (usd < 0.01) return "under $0.01";
  return `$${usd.toFixed(2)}`;
}

/** `0:41 · 9k tokens · $0.03`; the money only where the price is known. */
export function costLine(ms: number, tokenCount: number, usd?: number): string {
  return [
    clock(ms),
    ...(tokenCount === 0 ? [] : [`${tokens(tokenCount)} tokens`]),
    ...(usd === undefined ? [] : [money(usd)]),
  ].join(" · ");
}

/** `just now`, `2 min ago`, `3 h ago`, then the date. */
export function ago(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return new Date(at).toLocaleDateString(undefined, {
    day: "numeric",
    month: "short",
    year: "numeric",
  });
}

/** `14:03:27`, in the person's own clock. */
export function timeOfDay(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
}

/** `812 B`, `9 KB`, `1.2 MB`. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${Math.round(count / 1000)} KB`;
  return `${(count / 1e6).toFixed(1)} MB`;
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

/** Terminal output as plain text: without escape sequences, and marks that turn text around are seen. */
export const shownOutput = (text: string): string => visibleProse(plainOutput(text));
