import { WorkspaceError, type WorkspaceDriver } from "./types.ts";
import { withOpen } from "./with-open.ts";

/** A project or published app with an open sandbox. */
export interface Awake {
  /** When it was last used, in milliseconds since 1970; now, while it is in use. */
  usedAt(): number;
  /** Closes its sandbox, which is opened again on demand. */
  sleep(): Promise<void>;
}

/** Milliseconds after its last use in which a sandbox is not closed: it may be needed for the next page. */
export const JUST_USED_MS = 10_000;
/** Number of attempts to open a sandbox: others may take the freed slot first. */
const TRIES = 3;

/**
 * Limits the number of open sandboxes: if it is reached, the least recently used idle one is closed
 * for the next.
 * @param awake all open sandboxes except this project's own
 */
export function withRoom(
  driver: WorkspaceDriver,
  now: () => number,
  awake: (besides: string) => Awake[],
): WorkspaceDriver {
  return withOpen(driver, async (options) => {
    for (let tries = 1; ; tries++)
      try {
        return await driver.open(options);
      } catch (error) {
        const isFull = error instanceof WorkspaceError && error.code === "full";
        // A release's sandbox is named after its project, whose id contains no hyphen.
        const [project = ""] = options.project.split("-");
        const [longest] = awake(project)
          .filter((one) => now() - one.usedAt() > JUST_USED_MS)
          .toSorted((a, b) => a.usedAt() - b.usedAt());
        if (!isFull || !longest || tries === TRIES) throw error;
        await longest.sleep();
      }
  });
}
