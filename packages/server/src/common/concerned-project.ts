import { AsyncLocalStorage } from "node:async_hooks";

/** The project that something is done for, as far as it can be told: what was begun for it, and what follows from that. */
const concerned = new AsyncLocalStorage<string>();

/** Does something for a project. */
export const forProject = <Result>(project: string, act: () => Result): Result =>
  concerned.run(project, act);

/**
 * What becomes of an error that nobody waited for. It is a mistake of Treadle's own: it is told, the project that it
 * happened in is ended, as nobody knows how that stands, and the server with all other projects goes on.
 */
export function createLastResort(options: {
  onNotice(text: string): void;
  release(project: string): Promise<void>;
}): (error: unknown) => void {
  const { onNotice } = options;
  return (error) => {
    const project = concerned.getStore();
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const where = project === undefined ? "" : ` in project ${project}, which is ended`;
    onNotice(`Treadle made a mistake${where}. Please report it: ${words}`);
    if (project !== undefined)
      options
        .release(project)
        .catch((failure: Error) => onNotice(`It could not be ended: ${failure.message}`));
  };
}
