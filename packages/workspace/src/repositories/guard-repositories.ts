import { sentence } from "@treadle/protocol/sentences";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { WorkspaceError } from "../types.ts";
import { textPath } from "./byte-path.ts";
import { findRepositories, type FoundRepository } from "./find-repositories.ts";
import { namedBySettings, withHolders } from "./named-by-settings.ts";
import { freeName, putAway, setAside, putBack } from "./set-aside.ts";

/** Maximum number of the person's repositories in one folder; each is a mount. */
const MOST = 500;

/** A file or folder of the host, and its path in the sandbox. */
export interface RepositoryBind {
  source: string;
  /** Relative to the project's folder. */
  path: string;
  writable?: boolean;
}

/**
 * Protects the host's git from repositories that generated code can write. Git runs the hooks and programs that a
 * repository's configuration names as the calling user, which would be a way out of the sandbox (A23). The person's
 * repositories are mounted read-only. A repository created at the project's root is stored in `own`, beside the project,
 * and the host sees an empty folder in its place. All others are set aside.
 */
export interface RepositoryGuard {
  /** The project's own repository; absent if the person has one at the root. */
  own?: string;
  /** Paths of the person's repositories in the folder: each a `.git`, or a bare one. */
  readonly persons: readonly string[];
  /**
   * Call before a sandbox starts. Nothing is put into an empty project's folder, because tools that
   * create a project may require an empty one. Its root stays open then, see `openRoot`.
   */
  prepare(): Promise<{ binds: RepositoryBind[]; kept: number[] }>;
  /** The root of the last prepared sandbox; absent if it is covered, or does not need to be. */
  readonly openRoot: OpenRoot | undefined;
  /**
   * Call when nothing runs in the sandbox any more: renames the repositories that were created.
   * @returns their new paths
   */
  close(): Promise<string[]>;
}

/** A project's root if a repository that is created there is not stored elsewhere yet. */
export interface OpenRoot {
  /** Call when programs start to run in the sandbox, so repositories that appear are theirs. */
  entered(): void;
  readonly wasEntered: boolean;
  /** Call when `own` was mounted there. */
  covered(): void;
}

/**
 * Creates the guard of a project's folder, after looking for the person's repositories.
 * @param options.handBack the folder is personal, and its initial repositories are the person's; otherwise all
 * repositories were made in the sandbox
 * @param options.mounts whether anything can be mounted in the sandbox; otherwise there is no sandbox, and only `close`
 * has an effect
 * @throws WorkspaceError `failed` if the folder itself is a repository's, or contains more than `MOST`
 */
export async function guardRepositories(options: {
  directory: string;
  stateDirectory: string;
  handBack: boolean;
  mounts: boolean;
}): Promise<RepositoryGuard> {
  const { directory, stateDirectory, handBack, mounts } = options;
  const record = join(stateDirectory, "repositories.json");
  const place = join(directory, ".git");
  const own = join(stateDirectory, "repository");
  // A server that was killed leaves a record. Repositories added since cannot be distinguished from those created in
  // the sandbox.
  const before = existsSync(record);
  let first: FoundRepository[] | undefined;
  const persons = await readPersons();
  const rootIsPersons = first?.some((one) => one.path === ".git" && isIn(persons, one)) ?? false;
  const covers = mounts && !rootIsPersons;

  async function readPersons(): Promise<FoundRepository[]> {
    if (!handBack) return [];
    first = await findRepositories(directory, { openUp: false });
    if (before) {
      const known = JSON.parse(readFileSync(record, "utf8")) as FoundRepository[];
      // Inside the sandbox the root is covered, so a repository here is the person's.
      const root = first.filter(({ path }) => path === ".git" && !isEmptyFolder(place));
      return mounts ? [...known, ...root.filter((one) => !isIn(known, one))] : known;
    }
    if (first.some(({ path }) => path === ""))
      throw new WorkspaceError("failed", sentence("repository-inside"));
    const shown = coverOf(first).length;
    if (shown > MOST)
      throw new WorkspaceError(
        "failed",
        sentence("repositories-too-many", { count: shown, limit: MOST }),
      );
    writeFileSync(record, JSON.stringify(first));
    return first;
  }

  let openRoot: OpenRoot | undefined;
  const leaveOpen = () => {
    let wasEntered = false;
    openRoot = {
      entered: () => void (wasEntered = true),
      get wasEntered() {
        return wasEntered;
      },
      covered: () => void (openRoot = undefined),
    };
  };

  if (covers) {
    mkdirSync(own, { recursive: true, mode: 0o755 });
    // A repository at the root was left by an older version, or created where nothing could be covered.
    const stat = lstatSync(place, { throwIfNoEntry: false });
    if (stat?.isDirectory() && !isEmptyFolder(place) && isEmptyFolder(own)) {
      rmdirSync(own);
      renameSync(place, own);
    } else if (stat && !isEmptyFolder(place))
      setAside(directory, { path: ".git", kind: stat.isDirectory() ? "folder" : "file", inode: 0 });
    putBack(own);
  }

  return {
    own: covers ? own : undefined,
    persons: persons.flatMap(({ path, kind }) => (kind === "link" ? [] : [textPath(path)])),
    get openRoot() {
      return openRoot;
    },
    async prepare() {
      if (!mounts) return { binds: [], kept: [] };
      const found =
        persons.length === 0
          ? []
          : (first ?? (await findRepositories(directory, { openUp: false })));
      first = undefined;
      const theirs = found.filter((one) => isIn(persons, one));
      const covered = coverOf(theirs).map(({ path }) => ({ path: textPath(path) }));
      const binds: RepositoryBind[] = [...withHolders(await named(theirs)), ...covered]
        .map((one) => ({ source: join(directory, one.path), ...one }))
        // Paths that mount options cannot express.
        .filter(({ source }) => existsSync(source));
      openRoot = undefined;
      if (covers && isEmptyFolder(place)) rmdirSync(place);
      if (covers && isEmptyFolder(directory) && isEmptyFolder(own)) leaveOpen();
      else if (covers) {
        mkdirSync(place, { recursive: true });
        binds.push({ source: own, path: ".git", writable: true });
      }
      return { binds, kept: theirs.map(({ inode }) => inode) };
    },
    async close() {
      const notes: string[] = [];
      // Created by a program that ran there until the end.
      const isMade = openRoot?.wasEntered ?? false;
      if (covers) {
        // If it is not empty, the person has created it meanwhile.
        if (isEmptyFolder(place)) rmdirSync(place);
        putAway(own);
        if (handBack && !isEmptyFolder(own)) notes.push(moveOwn());
      }
      if (mounts || handBack)
        for (const one of await findRepositories(directory, { openUp: true })) {
          if (isIn(persons, one) || (covers && one.path === ".git" && !isMade)) continue;
          const to = setAside(directory, one);
          if (to !== undefined) notes.push(to);
        }
      // Generated code can guess the host's path of its cache, and create a link to it.
      const cache = join(stateDirectory, "cache");
      if (mounts)
        for (const one of await findRepositories(cache, { openUp: true })) setAside(cache, one);
      rmSync(record, { force: true });
      return notes;
    },
  };

  /**
   * Files of the project that the repositories' settings name (A74). A bare repository is read-only
   * as a whole.
   */
  async function named(theirs: readonly FoundRepository[]): Promise<string[]> {
    const used = theirs.filter(({ kind, path }) => kind !== "bare" && isOutermost(path));
    const each = used.map(({ path }) =>
      namedBySettings(directory, join(directory, textPath(path), "..")),
    );
    return (await Promise.all(each)).flat();
  }

  function moveOwn(): string {
    const name = freeName(directory);
    try {
      renameSync(own, join(directory, name));
    } catch {
      // Copied, because it is on another disk.
      cpSync(own, join(directory, name), { recursive: true, verbatimSymlinks: true });
      rmSync(own, { recursive: true });
    }
    return name;
  }
}

/** Whether a repository is in no other one: those of submodules are used where their files are. */
const isOutermost = (path: string) => path === ".git" || path.indexOf(".git/") === -1;

/** Whether a repository is one of the earlier ones, wherever it was moved; read-only mounts keep their content unchanged. */
const isIn = (persons: readonly FoundRepository[], one: FoundRepository): boolean =>
  persons.some(
    ({ inode, kind, path, target }) =>
      inode === one.inode &&
      kind === one.kind &&
      (kind !== "link" || (target === one.target && path === one.path)),
  );

/**
 * The repositories that contain all others, such as submodules in `.git/modules`. Links are not followed: their targets
 * inside the folder are found by themselves.
 */
function coverOf(found: readonly FoundRepository[]): FoundRepository[] {
  const cover = new Set<string>();
  const isCovered = (path: string) => {
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1))
      if (cover.has(path.slice(0, end))) return true;
    return false;
  };
  return found
    .filter(({ kind }) => kind !== "link")
    .toSorted((a, b) => a.path.length - b.path.length)
    .filter(({ path }) => {
      if (isCovered(path)) return false;
      cover.add(path);
      return true;
    });
}

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}
