import { createHash } from "node:crypto";
import { isPlainHook } from "./plain-hooks.ts";

/**
 * Scripts that a package manager runs automatically. They are harmless inside the sandbox, but run
 * as the person once they install the project on their own machine.
 */
const HOOKS = new Set([
  "preinstall",
  "install",
  "postinstall",
  "preprepare",
  "prepare",
  "postprepare",
  "prepublish",
  "prepublishOnly",
  "prepack",
  "postpack",
  "dependencies",
]);

/**
 * Whether a package.json gains or changes such a script, other than a framework's own
 * (`isPlainHook`). Text that is not JSON has none.
 */
export function hooksChanged(before: string, after: string): boolean {
  const had = hooksOf(before);
  return [...unaskedHooks(after)].some(([name, script]) => had.get(name) !== script);
}

/** A comparable form of a package.json's install scripts; empty if it has none. */
export function hooksVersion(text: string): string {
  const hooks = unaskedHooks(text).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (hooks.length === 0) return "";
  return createHash("sha1").update(JSON.stringify(hooks)).digest("hex");
}

/**
 * Returns the new package.json with the install scripts of the old one.
 * @returns undefined if nothing has to change
 */
export function withHooksOf(before: string, after: string): string | undefined {
  if (!hooksChanged(before, after)) return undefined;
  const had = hooksOf(before);
  const manifest = JSON.parse(after.replace(/^\uFEFF/, "")) as { scripts: Record<string, unknown> };
  const scripts = Object.entries(manifest.scripts).flatMap(([name, script]) => {
    const stays = !HOOKS.has(name) || had.get(name) === script || isPlainHook(String(script));
    if (stays) return [[name, script]];
    return had.has(name) ? [[name, had.get(name)]] : [];
  });
  manifest.scripts = Object.fromEntries(scripts) as Record<string, unknown>;
  const indent = /^[ \t]+(?=")/m.exec(after)?.[0] ?? "  ";
  return `${JSON.stringify(manifest, null, indent)}\n`;
}

const MANIFEST = /(?:^|[\\/])package\.json$/i;

/** Whether a file at this path may contain such scripts. */
export const isManifest = (path: string) => MANIFEST.test(path);

const unaskedHooks = (text: string) =>
  [...hooksOf(text)].filter(([, script]) => !isPlainHook(script));

function hooksOf(text: string): Map<string, string> {
  let scripts: unknown;
  try {
    scripts = (JSON.parse(text.replace(/^\uFEFF/, "")) as { scripts?: unknown } | null)?.scripts;
  } catch {
    return new Map();
  }
  if (typeof scripts !== "object" || scripts === null) return new Map();
  return new Map(
    Object.entries(scripts)
      .filter(([name, script]) => HOOKS.has(name) && typeof script === "string")
      .map(([name, script]) => [name, String(script)]),
  );
}
