import { isUnder } from "@treadle/protocol/project-path";
import type { FileChange, ProjectPath } from "@treadle/protocol";
import type { TrustParticipant } from "./participant.ts";

/** A watcher tells late: what it tells this long after a command's end is still the command's. Milliseconds. */
const GRACE_MS = 400;
/** Remembered writes of each author, as many as a folder that is moved may hold; the oldest go first. */
const REMEMBERED = 20_000;

interface Noticed {
  path: ProjectPath;
  kind: "written" | "removed";
  size: number;
  /** Absent: it was not looked into, for it is large. */
  version?: string;
}

/** One act of the person through the page, or of the model, from before it is done. */
export interface Act {
  /** What it left of a file; an empty version: it is gone. */
  left(path: ProjectPath, version: string): void;
  /** The same of a file of which only the size is known, in bytes. */
  leftSized(path: ProjectPath, size: number): void;
  /** It is done, or failed. */
  end(): void;
}

export interface Authors extends TrustParticipant {
  /** What the person wrote since the run began, with the version they left. */
  readonly personWrites: ReadonlyMap<ProjectPath, string>;
  /** What was written before is no news to the run that begins. */
  runBegins(): void;
  /** Said before anything is written: until its end no author is decided on for these paths and what is under them. */
  personActs(paths: readonly ProjectPath[]): Act;
  /** The same of what the model does. */
  modelActs(paths: readonly ProjectPath[]): Act;
  /** Resolves when the person does nothing to these paths, to what is under them or to a folder that holds them. */
  personSettled(paths: readonly ProjectPath[]): Promise<void>;
  /** The same of the model as well. */
  settled(paths: readonly ProjectPath[]): Promise<void>;
  /** Whether the person left this version through the page. */
  isPersons(path: ProjectPath, version: string): boolean;
  /** A command runs from now until the returned function is called. */
  commandRuns(): () => void;
  /** Whether what a watcher tells now may be a command's. */
  isCommands(): boolean;
  /** Asked when the path is settled. @param commands whether the notice came while it could be a command's */
  attribute(noticed: Noticed, commands?: boolean): FileChange;
}

/**
 * Who changed a file. The watcher sees that a file changed, not who did it: writes of the model and of the
 * person (through the page) are known by the version that they left; whatever changes while a command runs is the
 * command's; all else is the person's, in an editor of their own. A watcher may be faster than the answer to the
 * write that it saw: acts of both are therefore announced, and what comes meanwhile waits for their end.
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
      // What the model wrote after the person is the model's again.
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
    // Nothing else is at work by then: what is told from now on is nobody's command.
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
      // What they did in the page is noted already, and may have been written over since.
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

/** The last writes, by path and version. */
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
