import type { WorkspaceNotice } from "../types.ts";

/** Maximum number of paths named in one command's output. */
const TOLD = 20;
/**
 * Maximum number of checks between two commands that are reported; a program can create any number
 * of repositories.
 */
const NOTICES = 20;
/** Minimum interval between two checks while no command ends, in milliseconds. */
const PAUSE_MS = 500;

/**
 * Makes the guest rename repositories that were created in the sandbox: when the last running command has ended, and
 * when one is seen while no command or terminal is running, since renaming would break a running `git clone`.
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
  /** Repositories that were renamed but not yet mentioned in a command's output. */
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
    /** Called when the guest has seen a repository. */
    seen,
    started: () => void commands++,
    /** @returns text to add to the command's output; may be empty */
    async ended(): Promise<string> {
      commands--;
      // Another command may be creating a repository; the last one to end checks.
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
