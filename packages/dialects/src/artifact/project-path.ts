/** bolt's workspace root. */
export const WORKSPACE_ROOT = "/home/project/";

/** The prefix of migration paths in bolt.diy's prompt. */
const SUPABASE = "/supabase/";

/**
 * The path of a file action relative to the project, or why it is rejected. Drops bolt's root and
 * the leading slash of its migrations; any other absolute path, `..` and NUL are rejected (A18).
 * `lenient` drops a bare leading slash, as in fenced code.
 */
export function projectPath(
  written: string,
  lenient = false,
): { ok: true; path: string } | { ok: false; reason: string } {
  // A fast path for harmless paths, which most are.
  if (/^\w[\w.-]*(?:\/\w[\w.-]*)*$/.test(written)) return { ok: true, path: written };
  let path = written.trim();
  if (path.startsWith(WORKSPACE_ROOT)) path = path.slice(WORKSPACE_ROOT.length);
  else if ((lenient && path.startsWith("/")) || path.startsWith(SUPABASE)) path = path.slice(1);
  while (path.startsWith("./")) path = path.slice(2);
  const plain = path.replace(/%2e/gi, ".").replace(/%2f|%5c|\\/gi, "/");
  const reason =
    path === "" || path === "."
      ? "it is empty"
      : path.includes("\0")
        ? "it holds a NUL"
        : /^(?:~?\/|[a-z]:)/i.test(plain)
          ? "it is absolute"
          : plain.split("/").some((part) => part.trim() === "..")
            ? "it leads out of the project"
            : undefined;
  return reason === undefined ? { ok: true, path } : { ok: false, reason };
}
