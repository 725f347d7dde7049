/** This module formats numbers, dates and output for the page. */

import { plainOutput, visibleProse } from "@treadle/protocol/safe-text";
import { languageTag, words } from "../words/words.ts";

const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
/** Creating a formatter costs a hundred times as much as using it. */
const formats = new Map<string, Intl.NumberFormat>();

/** A number in the format of the page's language. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  const key = languageTag() + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(languageTag(), options);
  formats.set(key, format);
  return format.format(value);
}

/** `0:41`, `12:05`, `1:02:03`. */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const pad = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${pad(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
}

/** A duration with its unit: `0.5 s`, `12 s`, `2 min`. */
export function formatDuration(ms: number): string {
  if (ms < 9950)
    return words.ui.seconds({ number: formatNumber(Math.max(0, ms) / 1000, ONE_DIGIT) });
  if (ms < 119_500) return words.ui.seconds({ number: formatNumber(Math.round(ms / 1000)) });
  return words.ui.minutes({ number: formatNumber(Math.round(ms / 60_000)) });
}

/** A number of tokens: `812`, `9k`, `1.2M`. */
export function formatTokens(count: number): string {
  return formatNumber(count, { notation: "compact" }).replace("K", "k");
}

/** An amount of money: `$0.03`, `$0`, or a text such as "under $0.01". */
export function formatMoney(usd: number): string {
  const dollars = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" } as const;
  if (usd === 0) return formatNumber(0, { ...dollars, maximumFractionDigits: 0 });
  if (usd < 0.01) return words.ui.underACent({ cent: formatNumber(0.01, dollars) });
  return formatNumber(usd, dollars);
}

/** `0:41 · 9k tokens · $0.03`; without tokens if there are none, and without the amount if it is unknown. */
export function formatCosts(ms: number, tokenCount: number, usd?: number): string {
  return [formatClock(ms), ...formatAmounts(tokenCount, usd)].join(" · ");
}

/** `15k tokens` unless there are none, and `$0.04` if the amount is known. */
export function formatAmounts(tokenCount: number, usd?: number): string[] {
  return [
    ...(tokenCount === 0 ? [] : [words.ui.tokens({ number: formatTokens(tokenCount) })]),
    ...(usd === undefined ? [] : [formatMoney(usd)]),
  ];
}

/** `just now`, `2 min ago`, `3 h ago`, then the date. */
export function formatAgo(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return words.ui.justNow;
  if (minutes < 60) return words.ui.minutesAgo({ minutes });
  if (minutes < 24 * 60) return words.ui.hoursAgo({ hours: Math.floor(minutes / 60) });
  return new Date(at).toLocaleDateString(languageTag(), {
    day: "numeric",
    month: "short",
    year: "numeric",
  });
}

/** `14:03:27`, in the person's time zone. */
export function formatTimeOfDay(at: number): string {
  return new Date(at).toLocaleTimeString(languageTag(), {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
}

/** `11/26/26, 7:00 AM`, in the person's time zone. */
export function formatDateTime(at: number): string {
  return new Date(at).toLocaleString(languageTag(), { dateStyle: "short", timeStyle: "short" });
}

/** `812 B`, `9 KB`, `1.2 MB`. */
export function formatBytes(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${formatNumber(Math.round(count / 1000))} KB`;
  return `${formatNumber(count / 1e6, ONE_DIGIT)} MB`;
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

/** Terminal output as plain text, without escape sequences and with visible bidirectional marks. */
export const shownOutput = (text: string): string => visibleProse(plainOutput(text));
