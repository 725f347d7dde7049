import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import type { Params, Result } from "../wire/requests.ts";

type Change = Result<"dependency-changes">["changed"][number];

interface Known {
  /** When the last install ended, or the project was opened: milliseconds since 1970. */
  since: number;
  /** Package files written by anything other than an install, as they were found. */
  kept: readonly Change[];
  /** A package manager ran inside a larger command, whose other writes are unknown. */
  isUnsure?: true;
}

/**
 * Determines which installed packages differ from what their package manager installed. Proofs use the packages of the
 * lock file, and a program that modifies them can make any build succeed. An install does not clear a modified package
 * unless it writes the file again.
 *
 * Writes of a command that also runs a package manager cannot be distinguished from the manager's own. Until the next
 * install by Treadle it is unknown whether everything is as it was installed.
 */
export function createInstalledDependencies(options: {
  stateDirectory: string;
  ask(params: Params<"dependency-changes">): Promise<Result<"dependency-changes">>;
  /** A package manager ran inside a command, so earlier proofs about dependencies no longer hold. */
  onUnsure(): void;
}) {
  const file = join(options.stateDirectory, "installed-dependencies.json");
  let known = read(file);
  /** A package manager is running by itself, and its end will not be reported. */
  let isInstalling = false;
  let looks: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const next = looks.then(act, act);
    looks = next.catch(() => undefined);
    return next;
  };

  function save(next: Known): void {
    known = next;
    writeFileSync(`${file}.new`, JSON.stringify(known));
    renameSync(`${file}.new`, file);
  }

  /** Checks for changes since the last install, and stores them. */
  async function look(): Promise<readonly Change[]> {
    const { changed } = await options.ask({ since: known.since, kept: [...known.kept] });
    if (JSON.stringify(changed) !== JSON.stringify(known.kept)) save({ ...known, kept: changed });
    return changed;
  }

  /** @param isOurs undefined: leaves the certainty unchanged */
  async function markInstalled(isOurs?: boolean): Promise<void> {
    isInstalling = false;
    const { now, changed } = await options.ask({ kept: [...known.kept] });
    const isUnsure = isOurs === undefined ? known.isUnsure : !isOurs;
    save({ since: now, kept: changed, isUnsure: isUnsure || undefined });
    if (isOurs === false) options.onUnsure();
  }

  return {
    /**
     * The project is opened: its packages are as they were left, except for the recorded changes.
     */
    opened: () => inTurn(() => markInstalled()),
    /**
     * Called when an install begins. Does nothing if `signal` was aborted by the time it is its turn: a program can ask
     * for installs much faster than packages are looked at.
     */
    installBegins: (signal: AbortSignal) =>
      inTurn(async () => {
        if (!isInstalling && !signal.aborted) await look();
      }),
    /** An install by Treadle has ended. `isOver` false: the package manager continues by itself until its command exits. */
    installed: (isOver: boolean) =>
      inTurn(async () => {
        if (isOver) await markInstalled(true);
        else isInstalling = true;
      }),
    /** A command has ended. */
    commandEnded: () => inTurn(async () => void (isInstalling && (await markInstalled(false)))),
    /** Whether, as far as can be known, only installs by Treadle have written into packages. */
    isSure: (): boolean => !isInstalling && known.isUnsure === undefined,
    /** Paths of changed package files; empty if all are as installed. */
    changed: (): Promise<ProjectPath[]> =>
      inTurn(async () => {
        if (isInstalling) await markInstalled(false);
        return (await look()).map(({ path }) => path);
      }),
  };
}

function read(file: string): Known {
  try {
    const known = JSON.parse(readFileSync(file, "utf8")) as Known;
    if (Number.isSafeInteger(known.since) && Array.isArray(known.kept)) return known;
  } catch {
    // The file is missing, or was cut by a crash of the machine.
  }
  return { since: Date.now(), kept: [] };
}
