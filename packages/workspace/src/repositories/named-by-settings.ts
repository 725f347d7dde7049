import { execFile } from "node:child_process";
import { lstatSync, realpathSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { promisify } from "node:util";

/** Limits for listing settings with git: milliseconds, and bytes of output. */
const LIST_MS = 10_000;
const LIST_BYTES = 4 * 1024 * 1024;

/** Settings whose value is a command that git runs by itself, or in everyday use. */
const COMMANDS =
  /^(?:core\.(?:fsmonitor|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand)|sequence\.editor|pager\..*|alias\..*|filter\..*\.(?:clean|smudge|process)|diff\.(?:.*\.)?(?:command|textconv|external)|merge\..*\.driver|(?:diff|merge)tool\..*\.(?:cmd|path)|interactive\.difffilter|trailer\..*\.(?:cmd|command)|gpg\.(?:.*\.)?program|credential\.(?:.*\.)?helper|remote\..*\.(?:uploadpack|receivepack)|uploadpack\.packobjectshook)$/;

/** Husky writes there at each install; changes in `.husky` need approval or are reverted (A24). */
const WRITTEN_BY_INSTALLS = /^\.husky(?:\/|$)/;

/**
 * Files and folders of a project that git obeys because the person's own settings name them: hooks (`core.hooksPath`),
 * included settings, programs of filters and the like. Whoever can write them can run programs outside the sandbox
 * (A74). Only existing paths are returned; settings that git cannot list name nothing.
 * @param directory the project's
 * @param workTree the folder in which the repository is used; the project's or one in it
 * @returns paths below `directory`, including those of folders
 */
export async function namedBySettings(directory: string, workTree: string): Promise<string[]> {
  const root = realpathSync(directory);
  const found = new Set<string>();
  function add(path: string, from: string): void {
    const below = relative(root, resolve(from, path));
    if (below === "" || below.startsWith("..") || isAbsolute(below)) return;
    const parts = below.split("/");
    if (parts.some((part) => part.toLowerCase() === ".git")) return;
    const stat = lstatSync(resolve(root, below), { throwIfNoEntry: false });
    if (stat?.isFile() || stat?.isDirectory()) found.add(below);
  }
  const place = realpathSync(workTree);
  for (const { origin, key, value } of await listSettings(place)) {
    const file = origin.startsWith("file:") ? resolve(place, origin.slice(5)) : undefined;
    if (file !== undefined) add(file, place);
    if (key === "core.hookspath" && !WRITTEN_BY_INSTALLS.test(value)) add(value, place);
    else if (key === "core.attributesfile") add(value, place);
    else if (/^include(?:if\..*)?\.path$/s.test(key)) add(value, dirname(file ?? place));
    else if (COMMANDS.test(key)) for (const word of wordsOf(value)) add(word, place);
  }
  return [...found];
}

/** Lists a repository's settings with git, which runs nothing that they name; empty if git fails. */
async function listSettings(
  place: string,
): Promise<{ origin: string; key: string; value: string }[]> {
  const words = ["config", "--includes", "--list", "--show-origin", "-z"];
  const env = { ...process.env, GIT_PAGER: "cat", GIT_TRACE2_EVENT: devNull };
  try {
    const { stdout } = await promisify(execFile)(
      "git",
      ["-C", place, "-c", "safe.directory=*", ...words],
      { env, timeout: LIST_MS, maxBuffer: LIST_BYTES },
    );
    const parts = stdout.split("\0");
    return parts.slice(0, -1).flatMap((origin, index) => {
      if (index % 2 === 1) return [];
      const setting = parts[index + 1] ?? "";
      const end = setting.indexOf("\n");
      return end === -1
        ? []
        : [{ origin, key: setting.slice(0, end), value: setting.slice(end + 1) }];
    });
  } catch {
    return [];
  }
}

/** Possible paths in a command, however it is quoted. Too many are harmless, because only existing ones are used. */
const wordsOf = (command: string) =>
  command.split(/[\s"'!;&|()<>=]+/).filter((word) => word !== "");

/** Each path with its parent folders, which could otherwise be moved away; parents first. */
export function withHolders(paths: readonly string[]): { path: string; writable: boolean }[] {
  const all = new Map<string, boolean>();
  for (const path of paths) {
    const parts = path.split("/");
    for (let end = 1; end < parts.length; end++) {
      const holder = parts.slice(0, end).join("/");
      if (!all.has(holder)) all.set(holder, true);
    }
    all.set(path, false);
  }
  return [...all]
    .map(([path, writable]) => ({ path, writable }))
    .toSorted((a, b) => a.path.split("/").length - b.path.split("/").length);
}
