import type { FileChange } from "@treadle/protocol";

/** A watcher tells late: what it tells this long after a command's end is still the command's. Milliseconds. */
const GRACE_MS = 400;
/** Remembered writes of each hand; the oldest go first. */
const REMEMBERED = 2_000;

interface Noticed {
  path: string;
  kind: "written" | "removed";
  size: number;
  version?: string;
}

export interface Hands {
  modelWrote(path: string, version: string): void;
  personWrote(path: string, version: string): void;
  /** Whether the person left this version through the page. */
  isPersons(path: string, version: string): boolean;
  /** A command runs from now until the returned function is called. */
  commandRuns(): () => void;
  attribute(noticed: Noticed): FileChange;
}

/**
 * Whose hand changed a file. The watcher sees that a file changed, not who did it: writes of the model and of the
 * person (through the page) are known by the version that they left; whatever changes while a command runs is the
 * command's; all else is the person's, in an editor of their own.
 */
export function createHands(now: () => number): Hands {
  const model = createMemory();
  const person = createMemory();
  let commands = 0;
  let until = 0;
  return {
    modelWrote: (path: string, version: string) => model.add(path, version),
    personWrote: (path: string, version: string) => person.add(path, version),
    isPersons: (path: string, version: string) => person.has(path, version),
    commandRuns() {
      commands++;
      let over = false;
      return () => {
        if (over) return;
        over = true;
        commands--;
        until = now() + GRACE_MS;
      };
    },
    attribute({ path, kind, size, version }: Noticed): FileChange {
      const left = kind === "removed" ? "" : (version ?? "");
      const by = person.has(path, left)
        ? "person"
        : model.has(path, left)
          ? "model"
          : commands > 0 || now() < until
            ? "command"
            : "person";
      return { path, kind, size: kind === "removed" ? 0 : size, by };
    },
  };
}

/** The last writes, by path and version. */
function createMemory() {
  const known = new Set<string>();
  const key = (path: string, version: string) => `${version}\0${path}`;
  return {
    add(path: string, version: string) {
      known.delete(key(path, version));
      known.add(key(path, version));
      if (known.size > REMEMBERED) known.delete(known.values().next().value ?? "");
    },
    has: (path: string, version: string) => known.has(key(path, version)),
  };
}
