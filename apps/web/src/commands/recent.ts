import { readSetting, writeSetting } from "../ui/browser-settings.ts";

const KEY = "treadle.recent";
/** Number of choices remembered. */
const MAX_RECENT = 12;

/** The latest choices, the newest first, as kind and id: `command check` or `project abc`. */
export function readRecent(): string[] {
  try {
    const stored: unknown = JSON.parse(readSetting(KEY) ?? "[]");
    return Array.isArray(stored)
      ? stored.filter((one) => typeof one === "string").slice(0, MAX_RECENT)
      : [];
  } catch {
    return [];
  }
}

export function rememberChosen(id: string): void {
  const next = [id, ...readRecent().filter((one) => one !== id)].slice(0, MAX_RECENT);
  writeSetting(KEY, JSON.stringify(next));
}
