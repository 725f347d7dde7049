/** bolt's own root. */
export const WORKSPACE_ROOT = "/home/project/";

/** As bolt.diy's prompt writes the paths of migrations. */
const SUPABASE = "/supabase/";

/**
 * The path of a file action, relative to the project, or why it is refused. bolt's own root is dropped, and the
 * slash of its migrations; any other absolute path, a way up and a NUL are refused (A18). `lenient` drops a bare leading slash, as fenced code has it.
 */
export function projectPath(
  written: string,
  lenient = false,
): { ok: true; path: string } | { ok: false; reason: string } {
  // Most paths hold nothing that could lead anywhere else.
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
