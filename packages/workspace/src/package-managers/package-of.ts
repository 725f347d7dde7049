const MODULES = "node_modules";

/**
 * The package that contains a path below `node_modules`; undefined for files beside packages, and for any other path.
 */
export function packageOf(path: string): string | undefined {
  const at = path.lastIndexOf(`${MODULES}/`);
  if (at === -1) return undefined;
  const [first = "", second, ...rest] = path.slice(at + MODULES.length + 1).split("/");
  // A program in `.bin` counts as a package, because it is started by name.
  if (first === ".bin") return second;
  if (first.startsWith(".")) return undefined;
  if (!first.startsWith("@")) return second === undefined ? undefined : first;
  return second === undefined || rest.length === 0 ? undefined : `${first}/${second}`;
}
