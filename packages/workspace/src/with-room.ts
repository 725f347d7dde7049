import { WorkspaceError, type WorkspaceDriver } from "./types.ts";

/** Something that has a sandbox: a project, or an app that is published. */
export interface Awake {
  /** Milliseconds since 1970 when somebody used it last; now, while somebody does. */
  usedAt(): number;
  /** Closes its sandbox, which is opened again on demand. */
  sleep(): Promise<void>;
}

/** Who used it just now may be on the way to its next page. */
const JUST_MS = 10_000;
/** Others may be faster to take the room that was made. */
const TRIES = 3;

/**
 * The same sandboxes; where as many are open as may be, of those that nobody uses the one that was used least recently
 * sleeps for the next, whichever of the two either is.
 * @param awake all that have one, but those of this project itself
 */
export function withRoom(
  driver: WorkspaceDriver,
  now: () => number,
  awake: (besides: string) => Awake[],
): WorkspaceDriver {
  return {
    name: driver.name,
    probe: () => driver.probe(),
    prepareTemplates: (onProgress) => driver.prepareTemplates(onProgress),
    close: () => driver.close(),
    async open(options) {
      for (let tries = 1; ; tries++)
        try {
          return await driver.open(options);
        } catch (error) {
          const isFull = error instanceof WorkspaceError && error.code === "full";
          // A release's sandbox is called after its project, whose id has no hyphen.
          const [project = ""] = options.project.split("-");
          const [longest] = awake(project)
            .filter((one) => now() - one.usedAt() > JUST_MS)
            .toSorted((a, b) => a.usedAt() - b.usedAt());
          if (!isFull || !longest || tries === TRIES) throw error;
          await longest.sleep();
        }
    },
  };
}
