/** This module stores small values in the browser, such as the theme or an unsent prompt. Its functions never fail. */

export function readSetting(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value, or removes it if undefined or empty. Does nothing if the storage is full or forbidden. */
export function writeSetting(key: string, value: string | undefined): void {
  try {
    if (value === undefined || value === "") localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // In a private window, or with full storage, nothing is stored, so the choice lasts only as long as the page.
  }
}

/** Reads a value stored for this browser tab only, which survives a reload; undefined if there is none. Never fails. */
export function readVisit(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value for this browser tab, or removes it if undefined. */
export function writeVisit(key: string, value: string | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // The value lasts as long as the page.
  }
}
