import { isUnder, toProjectPath } from "@treadle/protocol/project-path";
import type { ProjectPath } from "@treadle/protocol";
import { WorkspaceError, type Workspace } from "@treadle/workspace";
import { clipLine } from "../text/clip.ts";

/** Maximum number of files recorded while commands run, and their total size in bytes. */
const FILES = 500;
const BYTES = 16 * 1024 * 1024;
/**
 * Number of a lock's files listed at a time, and maximum number of rounds that look for created
 * files.
 */
const LISTED = 4 * FILES;
const LOOKS = 20;
/** Maximum length of the reported list of paths, in characters. */
const TOLD = 600;

/**
 * Files and folders that the person locked against the model and its commands. Read anew each time.
 */
export type Locks = () => readonly ProjectPath[];

/** The lock that a write to this path would break: on the file or on a folder around it. */
export const lockOver = (locks: readonly ProjectPath[], path: ProjectPath) =>
  locks.find((lock) => isUnder(path, lock));

/**
 * The lock that a move or removal of this path would break, which also affects everything inside.
 */
export const lockIn = (locks: readonly ProjectPath[], path: ProjectPath) =>
  lockOver(locks, path) ?? locks.find((lock) => isUnder(lock, path));

/** The result for a call that a lock refused. */
export const lockedWords = (path: ProjectPath, lock: ProjectPath): string =>
  `Nothing was changed: the person locked ${lock}${lock === path ? "" : `, and ${path} with it`}. Leave it as it is. If your work needs it changed, say so and end your turn.`;

/**
 * The locked files as they were before the first command of a run. Changes by a command are
 * reverted when it ends, and so are those of a server or an external tool.
 */
export interface LockGuard {
  /** Records each lock's files once: changes between two commands do not become the person's. */
  begin(): Promise<void>;
  /**
   * Reverts changes, except for the person's. Rejects if the sandbox has ended.
   * @param isPersons whether the person saved this version of the file; empty: removed it;
   * `undefined`: too long to be read, whether they wrote it at all
   * @returns the restored files, sorted by path
   */
  putBack(isPersons: IsPersons): Promise<PutBack>;
}

export type IsPersons = (path: ProjectPath, version: string | undefined) => boolean;

export interface PutBack {
  back: ProjectPath[];
  /** Files still changed, for example because they changed again at the same time. */
  left: ProjectPath[];
}

/** The guard of one run, which knows what the person wrote meanwhile. */
export interface LockWatch {
  begin(): Promise<void>;
  putBack(): Promise<PutBack>;
}

interface Kept {
  version: string;
  bytes: Uint8Array;
}

/**
 * Creates the guard of one run.
 * @param locks absent for none
 * @param isPersons whether the person wrote a version meanwhile
 */
export function createLockWatch(
  workspace: Workspace,
  locks: Locks | undefined,
  isPersons: IsPersons,
): LockWatch {
  const guard = createLockGuard(workspace, locks ?? (() => []));
  return { begin: () => guard.begin(), putBack: () => guard.putBack(isPersons) };
}

export function createLockGuard(workspace: Workspace, locks: Locks): LockGuard {
  const { files } = workspace;
  const before = new Map<ProjectPath, Kept>();
  /**
   * The recorded locks. `false` if the record is incomplete, in which case unknown files are not
   * removed.
   */
  const known = new Map<ProjectPath, boolean>();
  let bytes = 0;

  const forget = (path: ProjectPath) => {
    bytes -= before.get(path)?.bytes.byteLength ?? 0;
    before.delete(path);
  };
  const remember = (path: ProjectPath, copy: Kept) => {
    bytes += copy.bytes.byteLength - (before.get(path)?.bytes.byteLength ?? 0);
    before.set(path, copy);
  };
  const read = (path: ProjectPath) =>
    files.read(path, { limit: BYTES }).catch(unreadable) as Promise<Kept | "other" | undefined>;

  async function rememberLock(lock: ProjectPath): Promise<void> {
    const { found, more } = await insideOf(lock);
    let isComplete = !more;
    for (const path of found.length > 0 ? found : [lock]) {
      const copy = await read(path);
      if (copy === undefined || before.has(path)) continue;
      if (copy === "other" || before.size >= FILES || bytes + copy.bytes.byteLength > BYTES)
        isComplete = false;
      else remember(path, copy);
    }
    known.set(lock, isComplete);
  }

  /** Lists everything in a lock that is not a folder, up to the limit. */
  async function insideOf(lock: ProjectPath): Promise<{ found: ProjectPath[]; more: boolean }> {
    const listed = await files.list({ under: lock, limit: LISTED }).catch(notThere);
    const found = listed.files.filter(({ kind, path }) => kind !== "folder" && isUnder(path, lock));
    return { found: found.map(({ path }) => path), more: listed.more };
  }

  return {
    async begin() {
      const now = new Set(locks());
      for (const lock of known.keys()) if (!now.has(lock)) known.delete(lock);
      for (const path of before.keys()) if (lockOver([...now], path) === undefined) forget(path);
      for (const lock of now) if (!known.has(lock)) await rememberLock(lock);
    },
    async putBack(isPersons) {
      const now = locks();
      const back: ProjectPath[] = [];
      const left: ProjectPath[] = [];
      const note = (path: ProjectPath, done: boolean) => void (done ? back : left).push(path);
      for (const [path, was] of before) {
        const is = await read(path);
        if (typeof is === "object" && is.version === was.version) continue;
        const isTheirs = isPersons(path, is === "other" ? undefined : (is?.version ?? ""));
        if (lockOver(now, path) === undefined || isTheirs) {
          if (typeof is === "object") remember(path, is);
          else forget(path);
        } else note(path, await putOne(path, was, is));
      }
      for (const lock of now) if (known.get(lock) === true) await clearMade(lock, isPersons, note);
      return { back: back.toSorted(), left: left.toSorted() };
    },
  };

  /** Removes files created in a lock, in rounds, since a listing is limited. */
  async function clearMade(
    lock: ProjectPath,
    isPersons: IsPersons,
    note: (path: ProjectPath, done: boolean) => void,
  ): Promise<void> {
    for (let look = 0, more = true; more && look < LOOKS; look++) {
      const listed = await insideOf(lock);
      const made = listed.found.filter((path) => !before.has(path));
      more = listed.more && made.length > 0;
      for (const path of made) {
        const is = await read(path);
        if (is === undefined) continue;
        if (isPersons(path, is === "other" ? undefined : is.version)) {
          if (typeof is === "object") remember(path, is);
        } else note(path, await done(files.remove(path)));
      }
    }
  }

  async function putOne(
    path: ProjectPath,
    was: Kept,
    is: Kept | "other" | undefined,
  ): Promise<boolean> {
    if (is === "other") await done(files.remove(path));
    const ifVersion = typeof is === "object" ? is.version : "absent";
    const write = () => done(files.write(path, was.bytes, { ifVersion }));
    // A folder on the path may have been replaced by something else.
    return (await write()) || ((await makeWay(path)) && (await write()));
  }

  /**
   * Sets aside a non-folder where a folder is needed.
   * @returns whether anything was in the way
   */
  async function makeWay(path: ProjectPath): Promise<boolean> {
    const parts = path.split("/");
    for (let depth = 1; depth < parts.length; depth++) {
      const above = toProjectPath(parts.slice(0, depth).join("/"));
      const inside = await files.list({ under: above, limit: 1 }).catch(notThere);
      if (inside.files.some((one) => one.path !== above)) continue;
      if (lockOver(locks(), above) !== undefined) return done(files.remove(above));
      for (let number = 1; number <= LOOKS; number++)
        if (await done(files.rename(above, toProjectPath(`${above}.set-aside-${number}`))))
          return true;
    }
    return false;
  }
}

/**
 * Whether the work succeeded. Files that changed at the same moment are restored next time. Rejects
 * if the sandbox has ended.
 */
const done = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (isOver(error)) throw error;
      return false;
    },
  );

/** Whether nothing more can be done there, or the error is not one of the workspace. */
const isOver = (error: unknown) =>
  !(error instanceof WorkspaceError) || error.code === "stopped" || error.code === "sandbox";

const notThere = (error: unknown) => {
  if (isOver(error)) throw error;
  return { files: [], more: false };
};

/**
 * `other` if something exists that is not a file, or is too long to be read; undefined if nothing
 * exists.
 */
function unreadable(error: unknown): "other" | undefined {
  if (isOver(error)) throw error;
  const { code } = error as WorkspaceError;
  return code === "missing" || code === "not-a-folder" ? undefined : "other";
}

/** The message for the model about restored files; empty if there are none. */
export const putBackWords = ({ back, left }: PutBack): string =>
  (back.length === 0
    ? ""
    : `\nPut back as they were: ${clipLine(back.join(", "), TOLD)}. The person locked them; leave them as they are.`) +
  (left.length === 0
    ? ""
    : `\nThe person locked ${clipLine(left.join(", "), TOLD)}, and something goes on changing it. End what does.`);
