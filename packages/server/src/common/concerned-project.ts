import { AsyncLocalStorage } from "node:async_hooks";

/** The project that something is done for, as far as it can be told: what was begun for it, and what follows from that. */
const concerned = new AsyncLocalStorage<string>();

/** Does something for a project. */
export const forProject = <Result>(project: string, act: () => Result): Result =>
  concerned.run(project, act);

/** Mistakes that are told in a minute; of more only how many there were. */
const TOLD = 20;
const MINUTE_MS = 60_000;

/**
 * What becomes of an error that nobody waited for. It is a mistake of Treadle's own: it is told, the project that it
 * happened in is ended, as nobody knows how that stands, and the server with all other projects goes on.
 */
export function createLastResort(options: {
  onNotice(text: string): void;
  release(project: string): Promise<void>;
  /** Milliseconds, monotonic. */
  now?: () => number;
}): (error: unknown) => void {
  const { onNotice, now = () => performance.now() } = options;
  const minute = { began: Number.NEGATIVE_INFINITY, told: 0, untold: 0 };

  /** Whoever finds a way to make one may make thousands: what is printed may be kept on a disk. */
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
