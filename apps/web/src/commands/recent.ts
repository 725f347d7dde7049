import { readSetting, writeSetting } from "../ui/browser-settings.ts";

const KEY = "treadle.recent";
/** How many are remembered. */
const MOST = 12;

/** What was chosen last, the newest first: what it is and which, as `command check` or `project abc`. */
export function readRecent(): string[] {
  try {
    const stored: unknown = JSON.parse(readSetting(KEY) ?? "[]");
    return Array.isArray(stored)
      ? stored.filter((one) => typeof one === "string").slice(0, MOST)
      : [];
  } catch {
    return [];
  }
}

export function rememberChosen(id: string): void {
  const next = [id, ...readRecent().filter((one) => one !== id)].slice(0, MOST);
  writeSetting(KEY, JSON.stringify(next));
}
