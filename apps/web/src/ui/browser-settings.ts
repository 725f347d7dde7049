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

/** What is kept for this tab of the browser alone, through a reload. */
export function readVisit(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value for this tab of the browser, or forgets it when it is undefined. */
export function writeVisit(key: string, value: string | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // It lives as long as the page.
  }
}
