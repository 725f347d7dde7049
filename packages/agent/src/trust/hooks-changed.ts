import { createHash } from "node:crypto";
import { isPlainHook } from "./plain-hooks.ts";

/**
 * Scripts that a package manager runs without being asked for them. Inside the sandbox they harm nothing; once the
 * person installs the project on their own machine, they run as that person.
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
 * Whether a package.json gets another such script than it had, but for a framework's own (`isPlainHook`). Text that is no
 * JSON has none.
 */
export function hooksChanged(before: string, after: string): boolean {
  const had = hooksOf(before);
  return [...unaskedHooks(after)].some(([name, script]) => had.get(name) !== script);
}

/** By what such scripts of a package.json are compared; empty where it has none. */
export function hooksVersion(text: string): string {
  const hooks = unaskedHooks(text).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (hooks.length === 0) return "";
  return createHash("sha1").update(JSON.stringify(hooks)).digest("hex");
}

/**
 * A package.json whose scripts of that kind are those that it had, and everything else what it is now.
 * @returns undefined where nothing has to change
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

/** Whether a file of that path may hold such scripts. */
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
