import { asSentence } from "@treadle/protocol/sentences";
import { createHash } from "node:crypto";
import { basename, matchesGlob } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { folderOf, isUnder, movedPath, PROJECT_FOLDER } from "@treadle/protocol/project-path";
import { isIgnored, leadsThroughForeign } from "../ignored.ts";
import { isNamed } from "../named-files.ts";
// By its name: what is built may use it too, and knows its own errors alone.
// oxlint-disable-next-line no-restricted-imports -- itself
import { checkPath, WorkspaceError } from "@treadle/workspace";
import type { ListedFile, SearchMatch, SearchQuery, WorkspaceFiles } from "../types.ts";

/** Default limit of a read, in bytes. */
const READ_LIMIT = 16 * 1024 * 1024;
const PIECE = 1024 * 1024;

export type Contents = Map<ProjectPath, Uint8Array>;

/** The version of a file's content. */
export const versionOf = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");

/**
 * Files in a map, with the interface of the port. A folder exists as long as it contains something.
 * @param changed is called for each file that was written or removed
 * @param check refuses a path, or everything
 */
export function memoryFiles(
  contents: Contents,
  changed: (path: ProjectPath, bytes: Uint8Array | undefined) => void,
  check: (path: ProjectPath) => void,
): WorkspaceFiles {
  const isFolder = (path: ProjectPath) =>
    path === PROJECT_FOLDER ||
    [...contents.keys()].some((one) => one !== path && isUnder(one, path));
  const at = (written: ProjectPath): ProjectPath => {
    // Types do not protect at run time.
    const path = checkPath(written);
    check(path);
    return path;
  };
  const fileAt = (written: ProjectPath) => {
    const path = at(written);
    if (isFolder(path)) throw new WorkspaceError("not-a-file", asSentence(`"${path}" is a folder`));
    return path;
  };
  const bytesAt = (written: ProjectPath, limit: number) => {
    const path = fileAt(written);
    const bytes = contents.get(path);
    if (!bytes) throw new WorkspaceError("missing", asSentence(`"${path}" does not exist`));
    if (bytes.length > limit)
      throw new WorkspaceError("too-large", asSentence(`"${path}" is too large`));
    return bytes;
  };
  const refuseBelowFile = (path: ProjectPath) => {
    for (let above = folderOf(path); above !== PROJECT_FOLDER; above = folderOf(above))
      if (contents.has(above))
        throw new WorkspaceError("not-a-folder", asSentence(`"${path}" would lie below a file`));
  };
  const put = (path: ProjectPath, bytes: Uint8Array) => {
    writtenIn(contents).add(path);
    contents.set(path, bytes);
    changed(path, bytes);
  };
  const take = (path: ProjectPath) => {
    contents.delete(path);
    changed(path, undefined);
    writtenIn(contents).delete(path);
  };
  /** The file itself, or everything in a folder. */
  const heldBy = (path: ProjectPath) => {
    if (path === PROJECT_FOLDER)
      throw new WorkspaceError("path", asSentence("It is the project's own folder"));
    const held = [...contents.keys()].filter((one) => isUnder(one, path));
    if (held.length === 0)
      throw new WorkspaceError("missing", asSentence(`"${path}" does not exist`));
    return held;
  };

  const files: WorkspaceFiles = {
    async read(path, { limit = READ_LIMIT } = {}) {
      const bytes = bytesAt(path, limit);
      return { bytes, version: versionOf(bytes) };
    },
    async write(written, content, { ifVersion } = {}) {
      const path = fileAt(written);
      refuseBelowFile(path);
      const before = contents.get(path);
      const current = before ? versionOf(before) : "absent";
      if (ifVersion !== undefined && ifVersion !== current)
        throw new WorkspaceError(
          "conflict",
          asSentence(`"${path}" was changed meanwhile`),
          current,
        );
      const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(content);
      put(path, bytes);
      return { version: versionOf(bytes), size: bytes.length, created: !before };
    },
    async readStream(path) {
      const bytes = bytesAt(path, Infinity);
      const pieces = (async function* () {
        for (let start = 0; start < bytes.length; start += PIECE)
          yield bytes.subarray(start, start + PIECE);
      })();
      return { size: bytes.length, pieces, close: async () => {} };
    },
    async writeStream(path, pieces, options) {
      const all: Uint8Array[] = [];
      for await (const piece of pieces) all.push(piece);
      return files.write(path, Buffer.concat(all), options);
    },
    async remove(path) {
      for (const one of heldBy(at(path))) take(one);
    },
    async rename(writtenFrom, writtenTo) {
      const [from, to] = [at(writtenFrom), at(writtenTo)];
      const held = heldBy(from);
      if (contents.has(to) || isFolder(to))
        throw new WorkspaceError("exists", asSentence(`"${to}" exists already`));
      if (isUnder(to, from))
        throw new WorkspaceError("path", asSentence(`"${from}" cannot go into itself`));
      refuseBelowFile(to);
      for (const path of held) {
        const bytes = contents.get(path)!;
        take(path);
        put(movedPath(path, from, to), bytes);
      }
    },
    async list({ under = PROJECT_FOLDER, limit = Infinity, only } = {}) {
      const all = listed(contents, at(under)).filter(
        ({ kind, path }) => !only || (kind !== "folder" && isNamed(only, path)),
      );
      return { files: all.slice(0, limit), more: all.length > limit };
    },
    async search({ under = PROJECT_FOLDER, limit = 200, ...query }) {
      const inside = listed(contents, at(under)).filter(({ kind }) => kind === "file");
      const matches = inside.flatMap(({ path }) => matchesIn(path, contents.get(path)!, query));
      return { matches: matches.slice(0, limit), more: matches.length > limit };
    },
  };
  return files;
}

const written = new WeakMap<Contents, Set<ProjectPath>>();
/** Paths that were written through the port, which makes them the project's own. */
const writtenIn = (contents: Contents): Set<ProjectPath> => {
  const paths = written.get(contents) ?? new Set();
  written.set(contents, paths);
  return paths;
};

/** Whether a file is one of the project's own; judged by name only. */
export const isOwn = (contents: Contents, path: ProjectPath): boolean =>
  !leadsThroughForeign(path) && (writtenIn(contents).has(path) || !isIgnored(path));

/** Depth-first, folders before their content, by name; without generated files. */
function listed(contents: Contents, under: ProjectPath): ListedFile[] {
  const found = new Map<ProjectPath, ListedFile>();
  for (const [path, bytes] of contents) {
    if (!isOwn(contents, path) || !isUnder(path, under)) continue;
    for (
      let above = folderOf(path);
      above !== under && isUnder(above, under);
      above = folderOf(above)
    ) {
      if (above === PROJECT_FOLDER) break;
      found.set(above, { path: above, kind: "folder", size: 0 });
    }
    found.set(path, { path, kind: "file", size: bytes.length });
  }
  // A slash sorts before every other character, so that a folder's content follows it.
  const key = (path: string) => path.replaceAll("/", "\0");
  return [...found.values()].toSorted((a, b) => (key(a.path) < key(b.path) ? -1 : 1));
}

function matchesIn(
  path: ProjectPath,
  bytes: Uint8Array,
  {
    pattern,
    regex,
    caseSensitive,
    glob,
    leaveOut,
    around = 0,
  }: Omit<SearchQuery, "under" | "limit">,
): SearchMatch[] {
  const fits = (one: string) => matchesGlob(one.includes("/") ? path : basename(path), one);
  if ((glob !== undefined && !fits(glob)) || (leaveOut !== undefined && fits(leaveOut))) return [];
  const matcher = expression(
    regex ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
    caseSensitive === true,
  );
  const lines = new TextDecoder().decode(bytes).replace(/\n$/, "").split("\n");
  const hits = lines.map((text) => matcher.test(text));
  return lines.flatMap((text, index) => {
    if (!hits.slice(Math.max(0, index - around), index + around + 1).includes(true)) return [];
    const match = { path, line: index + 1, text };
    return [hits[index] ? match : { ...match, beside: true as const }];
  });
}

function expression(source: string, caseSensitive: boolean): RegExp {
  try {
    return new RegExp(source, caseSensitive ? "" : "i");
  } catch (error) {
    throw new WorkspaceError(
      "failed",
      asSentence(`The expression is broken: ${(error as Error).message}`),
    );
  }
}
