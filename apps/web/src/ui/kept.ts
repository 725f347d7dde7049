/** Small things this browser keeps for its person: the theme, a prompt that was not sent. Never fails. */

export function readSetting(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value, or forgets it when it is undefined or empty. A full or forbidden storage keeps nothing. */
export function writeSetting(key: string, value: string | undefined): void {
  try {
    if (value === undefined || value === "") localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A private window, or a full storage: the value lives as long as the page.
  }
}
