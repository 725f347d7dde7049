import { isUnder } from "@treadle/protocol/project-path";
import type { FileChange, ProjectPath } from "@treadle/protocol";
import type { TrustParticipant } from "./participant.ts";

/**
 * A watcher reports late: what it reports within this time after a command's end is still
 * attributed to the command. Milliseconds.
 */
const GRACE_MS = 400;
/**
 * Number of stored writes per author, as many as a moved folder may contain; the oldest are
 * dropped.
 */
const REMEMBERED = 20_000;

interface Noticed {
  path: ProjectPath;
  kind: "written" | "removed";
  size: number;
  /** Absent for a file that is too large to be read. */
  version?: string;
}

/** One operation of the person through the page, or of the model, announced before it is done. */
export interface Act {
  /** Records a file's version after the operation; empty if it was removed. */
  left(path: ProjectPath, version: string): void;
  /** Records a file of which only the size in bytes is known. */
  leftSized(path: ProjectPath, size: number): void;
  /** Call when the operation is done, or has failed. */
  end(): void;
}

export interface Authors extends TrustParticipant {
  /** Versions that the person wrote since the run began. */
  readonly personWrites: ReadonlyMap<ProjectPath, string>;
  /** Forgets earlier writes, which are no news to the new run. */
  runBegins(): void;
  /**
   * Announces an operation of the person. Call before anything is written: until it ends, the author of changes to
   * these paths, and those below, is not determined.
   */
  personActs(paths: readonly ProjectPath[]): Act;
  /** Announces an operation of the model in the same way. */
  modelActs(paths: readonly ProjectPath[]): Act;
  /**
   * Resolves when no operation of the person is active on these paths, those below or their
   * parents.
   */
  personSettled(paths: readonly ProjectPath[]): Promise<void>;
  /** Resolves when no operation of the person or the model is active there. */
  settled(paths: readonly ProjectPath[]): Promise<void>;
  /** Whether the person wrote this version through the page. */
  isPersons(path: ProjectPath, version: string): boolean;
  /** Records that a command runs, from now until the returned function is called. */
  commandRuns(): () => void;
  /** Whether a change reported now may be a command's. */
  isCommands(): boolean;
  /**
   * Determines the author of a change. Call when the path is settled.
   * @param commands whether the notice came while the change could be a command's
   */
  attribute(noticed: Noticed, commands?: boolean): FileChange;
}

/**
 * Determines who changed a file. The watcher sees that a file changed, but not by whom: writes of
 * the model and of the person (through the page) are identified by the version that they left;
 * other changes during a command are the command's; everything else is by the person, in their own
 * editor. A watcher may be faster than the response to the write that it saw: operations of both
 * are therefore announced, and notices wait for their end.
 */
export function createAuthors(now: () => number): Authors {
  const model = createMemory();
  const person = createMemory();
  const personWrites = new Map<ProjectPath, string>();
  const persons: Announced = new Set();
  const models: Announced = new Set();
  let commands = 0;
  let until = 0;
  const isCommands = () => commands > 0 || now() < until;
  return {
    personWrites,
    runBegins: () => personWrites.clear(),
    async modelWrote(_workspace, path, version) {
      model.add(path, version);
      // A file that the model wrote after the person is the model's again.
      if (version !== "") personWrites.delete(path);
    },
    personActs: (paths) =>
      announce(persons, paths, person, (path, version) => personWrites.set(path, version)),
    modelActs: (paths) => announce(models, paths, model),
    personSettled: (paths) => overAll([persons], paths),
    settled: (paths) => overAll([persons, models], paths),
    isPersons: (path, version) => person.has(path, version),
    isCommands,
    commandRuns() {
      commands++;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        commands--;
        until = now() + GRACE_MS;
      };
    },
    // No command is active by then: later notices are not about one.
    restoring: () => void (until = now()),
    attribute({ path, kind, size, version }, during = isCommands()) {
      const removed = kind === "removed";
      const left = removed ? "" : version;
      const knows = (author: typeof person) => left !== undefined && author.has(path, left);
      const by =
        knows(person) || (!removed && person.has(path, sized(size)))
          ? "person"
          : knows(model) || (!removed && model.has(path, sized(size)))
            ? "model"
            : during
              ? "command"
              : "person";
      // Writes through the page are already recorded, and may have been overwritten since.
      if (by === "person" && !knows(person)) personWrites.set(path, left ?? "");
      if (removed) return { path, kind, size: 0, by };
      return { path, kind, size, by, version };
    },
  };
}

type Announced = Set<{ paths: readonly ProjectPath[]; done: Promise<void> }>;

function announce(
  acts: Announced,
  paths: readonly ProjectPath[],
  author: ReturnType<typeof createMemory>,
  onLeft?: (path: ProjectPath, version: string) => void,
): Act {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const act = { paths, done };
  acts.add(act);
  return {
    left(path, version) {
      author.add(path, version);
      onLeft?.(path, version);
    },
    leftSized: (path, size) => author.add(path, sized(size)),
    end() {
      acts.delete(act);
      resolve();
    },
  };
}

async function overAll(all: readonly Announced[], paths: readonly ProjectPath[]): Promise<void> {
  for (;;) {
    const act = all
      .flatMap((acts) => [...acts])
      .find((one) => paths.some((path) => touches(one.paths, path)));
    if (!act) return;
    await act.done;
  }
}

const sized = (size: number) => `${size} bytes`;

function touches(paths: readonly ProjectPath[], path: ProjectPath): boolean {
  return paths.some((one) => isUnder(path, one) || isUnder(one, path));
}

/** Stores the last writes by path and version. */
function createMemory() {
  const known = new Set<string>();
  const key = (path: ProjectPath, version: string) => `${version}\0${path}`;
  return {
    add(path: ProjectPath, version: string) {
      known.delete(key(path, version));
      known.add(key(path, version));
      if (known.size > REMEMBERED) known.delete(known.values().next().value ?? "");
    },
    has: (path: ProjectPath, version: string) => known.has(key(path, version)),
  };
}
