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

/** Whether a package.json gets another such script than it had. Text that is no JSON has none. */
export function hooksChanged(before: string, after: string): boolean {
  const had = hooksOf(before);
  return [...hooksOf(after)].some(([name, script]) => had.get(name) !== script);
}

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
