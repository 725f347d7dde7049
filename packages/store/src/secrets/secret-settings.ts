import type { Sealer } from "./seal.ts";

/**
 * Settings with this prefix are the user's keys, tokens and logins: a copy of the database alone
 * does not reveal them.
 */
export const SECRET = "secret:";

interface Sealed {
  sealed: string;
}

const isSealed = (value: unknown): value is Sealed =>
  typeof value === "object" && value !== null && Object.keys(value).join() === "sealed";

/** A setting in its stored form: JSON, encrypted for its name if it is secret. */
export function settingText(key: string, value: unknown, sealer: () => Sealer): string {
  const text = JSON.stringify(value);
  return key.startsWith(SECRET)
    ? JSON.stringify({ sealed: sealer().seal(text, placeOf(key)) } satisfies Sealed)
    : text;
}

/**
 * The stored value. Undefined for a secret that was encrypted with another key or for another name. Values stored before
 * encryption was introduced are read as they are.
 */
export function settingValue(key: string, text: string, sealer: () => Sealer | undefined): unknown {
  const value: unknown = JSON.parse(text);
  if (!key.startsWith(SECRET) || !isSealed(value)) return value;
  const opened = sealer()?.open(value.sealed, placeOf(key));
  return opened === undefined ? undefined : JSON.parse(opened);
}

/** The values of settings by their keys, without secrets that cannot be read. */
export function settingValues(
  rows: readonly { key: string; value: string }[],
  sealer: () => Sealer | undefined,
): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const row of rows) {
    const value = settingValue(row.key, row.value, sealer);
    if (value !== undefined) values.set(row.key, value);
  }
  return values;
}

/** Whether the value was stored before encryption was introduced. */
export const isOpenSecret = (key: string, text: string): boolean =>
  key.startsWith(SECRET) && !isSealed(JSON.parse(text));

const placeOf = (key: string) => `setting ${key}`;
