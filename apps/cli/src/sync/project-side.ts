import { TreadleError, type Project } from "@treadle/client";
import type { LogEntry } from "@treadle/protocol";
import { LARGEST_BYTES, versionOf } from "./scan-folder.ts";
import { SyncRefused, type Side } from "./types.ts";

/** Files requested in parallel. */
const AT_ONCE = 8;
/**
 * With more changes than this, the server may omit some from its log: everything is compared then.
 */
const TOLD = 2_000;
/** The server's error codes if a file has changed in the meantime. */
const CHANGED: ReadonlySet<string> = new Set(["conflict", "exists", "missing"]);

interface ProjectSide extends Side {
  /**
   * Records what a log entry says about files.
   * @returns whether any file may have changed
   */
  note(entry: LogEntry): boolean;
}

/**
 * A project on a server. Its log reports changes, and only changed files are requested again.
 * @param isIncluded which paths are synchronized
 * @param known versions from an earlier session; unchanged files are not fetched again
 * @throws Error with a sentence if the project has more files than the server lists
 */
export function createProjectSide(
  { files }: Pick<Project, "files">,
  isIncluded: (path: string) => boolean,
  known: ReadonlyMap<string, string>,
  onLeftOut: (path: string, why: string) => void,
): ProjectSide {
  const versions = new Map(known);
  const changed = new Set<string>();
  let isListed = false;

  /** Fetches one file's version; the server omits content that is already known. */
  async function look(path: string): Promise<void> {
    const before = versions.get(path);
    const found = await files.read(path, { unless: before }).catch((error: unknown) => {
      // A folder, a link or another special file.
      if (error instanceof TreadleError && error.status >= 400 && error.status < 500) return undefined; // prettier-ignore
      throw error;
    });
    if (found === "known") return;
    if (found === undefined) versions.delete(path);
    else versions.set(path, found.version ?? versionOf(found.bytes));
  }

  async function lookAtAll(): Promise<void> {
    const { files: listed, more } = await files.list();
    if (more)
      throw new Error("The project has more files than can be synced (20,000). Nothing was changed."); // prettier-ignore
    const there = new Set<string>();
    for (const { path, kind, size } of listed) {
      if (kind === "folder" || !isIncluded(path)) continue;
      if (kind !== "file")
        onLeftOut(path, `it is ${kind === "link" ? "a link" : "not a plain file"}`);
      else if (size > LARGEST_BYTES) onLeftOut(path, "it is larger than 100 MB");
      else there.add(path);
    }
    for (const path of versions.keys()) if (!there.has(path)) versions.delete(path);
    for (const path of there) changed.add(path);
    isListed = true;
  }

  async function refused<T>(doing: Promise<T>): Promise<T | false> {
    try {
      return await doing;
    } catch (error) {
      if (!(error instanceof TreadleError) || error.status < 400 || error.status >= 500) throw error; // prettier-ignore
      if (CHANGED.has(error.code)) return false;
      throw new SyncRefused(error.message);
    }
  }

  return {
    note({ event }) {
      if (event.type === "restored") isListed = false;
      if (event.type !== "files") return event.type === "restored";
      if (event.changes.length > TOLD) isListed = false;
      for (const { path } of event.changes) if (isIncluded(path)) changed.add(path);
      return changed.size > 0 || !isListed;
    },
    async versions() {
      if (!isListed) await lookAtAll();
      const paths = [...changed];
      changed.clear();
      try {
        await Promise.all(
          Array.from({ length: AT_ONCE }, async () => {
            for (let path = paths.pop(); path !== undefined; path = paths.pop()) await look(path);
          }),
        );
      } catch (error) {
        isListed = false;
        throw error;
      }
      return new Map(versions);
    },
    async read(path) {
      const found = await files.read(path);
      if (found === undefined || found === "known") return undefined;
      const { bytes } = found;
      return { bytes, version: found.version ?? versionOf(bytes) };
    },
    async write(path, { bytes, version }, expected) {
      changed.add(path);
      if (!(await refused(files.write(path, new Uint8Array(bytes), expected, { unseen: true }))))
        return false;
      versions.set(path, version);
      return true;
    },
    async remove(path, expected) {
      changed.add(path);
      if ((await refused(files.remove(path, expected).then(() => true))) === false) return false;
      versions.delete(path);
      return true;
    },
  };
}
