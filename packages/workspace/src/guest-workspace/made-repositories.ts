import type { WorkspaceNotice } from "../types.ts";

/** Paths that one command's output names. */
const TOLD = 20;
/** Checks after which repositories are reported between commands; a program can create any number. */
const NOTICES = 20;
/** Milliseconds between two looks where no command has ended. */
const PAUSE_MS = 500;

/**
 * Has the guest set aside the repositories that were made inside, when the last command has ended; and when one is seen while
 * neither a command nor a terminal runs, since `git clone` of one of those would break in the middle.
 */
export function createMadeRepositories(options: {
  /** Asks the running guest; empty if there is none. */
  look(): Promise<string[]>;
  /** Whether a terminal is open. */
  isBusy(): boolean;
  notify(notice: WorkspaceNotice): void;
}) {
  let commands = 0;
  let notices = 0;
  /** Repositories that were set aside but not yet mentioned in a command's output. */
  let untold: string[] = [];
  let pause: NodeJS.Timeout | undefined;
  let again = false;

  async function look(): Promise<void> {
    const paths = await options.look().catch(() => []);
    if (paths.length === 0) return;
    untold = [...untold, ...paths].slice(-TOLD);
    if (++notices <= NOTICES) options.notify({ type: "repositories-set-aside", paths });
  }

  function seen(): void {
    if (commands > 0 || options.isBusy()) return;
    if (pause) return void (again = true);
    pause = setTimeout(() => {
      pause = undefined;
      if (again) seen();
      again = false;
    }, PAUSE_MS).unref();
    void look();
  }

  return {
    /** The guest saw one. */
    seen,
    started: () => void commands++,
    /** @returns what the command's output has to say besides; empty: nothing */
    async ended(): Promise<string> {
      commands--;
      // It may be in the middle of making one; the last that ends looks.
      if (commands > 0) return "";
      await look();
      const pending = untold;
      untold = [];
      return pending.length === 0 ? "" : setAsideWords(pending);
    },
  };
}

const setAsideWords = (paths: readonly string[]) =>
  `\n[set aside: ${paths.map((path) => JSON.stringify(path === "" ? "." : path)).join(", ")}. ` +
  "Git repositories that are made below the project's folder are renamed when a command ends, because git would run " +
  "their hooks and settings outside the sandbox; the files beside them stay. What needs one has to be done in one " +
  "command. The project's own repository, at its root, is kept.]\n";
