import { AsyncLocalStorage } from "node:async_hooks";

/** The project for which the current asynchronous work was started, if it is known. Work that follows keeps it. */
const concerned = new AsyncLocalStorage<string>();

/** Runs a function, and all work that it starts, for a project. */
export const forProject = <Result>(project: string, act: () => Result): Result =>
  concerned.run(project, act);

/** Maximum number of unhandled errors reported per minute; further ones are only counted. */
const TOLD = 20;
const MINUTE_MS = 60_000;

/**
 * Handles errors that nothing caught. They are bugs of Treadle: each is reported, and the project in which it happened
 * is closed, because its state is unknown. The server and all other projects continue.
 */
export function createLastResort(options: {
  onNotice(text: string): void;
  release(project: string): Promise<void>;
  /** In milliseconds, on a monotonic clock. */
  now?: () => number;
}): (error: unknown) => void {
  const { onNotice, now = () => performance.now() } = options;
  const minute = { began: Number.NEGATIVE_INFINITY, told: 0, untold: 0 };

  /**
   * Reports an error, but not more than `TOLD` a minute: a project that can trigger one can trigger thousands, and
   * the output may be stored on a disk.
   */
  function report(words: string): void {
    if (now() - minute.began >= MINUTE_MS) {
      if (minute.untold > 0) onNotice(`There were ${minute.untold} more such mistakes.`);
      Object.assign(minute, { began: now(), told: 0, untold: 0 });
    }
    if (minute.told++ < TOLD) onNotice(words);
    else minute.untold++;
  }

  return (error) => {
    const project = concerned.getStore();
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const where = project === undefined ? "" : ` in project ${project}, which is ended`;
    report(`Treadle made a mistake${where}. Please report it: ${words}`);
    if (project !== undefined)
      options
        .release(project)
        .catch((failure: Error) => onNotice(`It could not be ended: ${failure.message}`));
  };
}
