import type { RunningCommand } from "./commands.ts";

interface Warm {
  text: string;
  command: Promise<RunningCommand>;
  /** Digest of the files from which it was started. */
  setUp: Promise<string>;
}

/** Files that a dev server reads only at its start. */
const SET_UP =
  /^(?:package(?:-lock)?\.json|[^/]*lock[^/]*|[^/]*\.config\.[cm]?[jt]s|[tj]sconfig[^/]*\.json|\.env[^/]*|\.npmrc)$/;

/** Whether a change of this file makes a server that is already running outdated. */
export function setsUpServer(path: string): boolean {
  return SET_UP.test(path);
}

/**
 * One server that is started in advance without being reported, so that the request for it need not wait.
 * @param setUpNow returns the current versions of the files that a server reads once
 */
export function createWarmServer(
  start: (command: string) => Promise<RunningCommand>,
  setUpNow: () => Promise<string>,
) {
  let warm: Warm | undefined;

  const forget = (gone: Warm) => {
    if (warm === gone) warm = undefined;
  };

  async function drop(): Promise<void> {
    const dropped = warm;
    warm = undefined;
    const command = await dropped?.command.catch(() => undefined);
    await command?.kill();
  }

  return {
    /** Starts a server in advance; does nothing while there is another one. */
    begin(text: string): void {
      if (warm) return;
      const begun: Warm = { text, setUp: setUpNow(), command: start(text) };
      begun.setUp.catch(() => undefined);
      warm = begun;
      begun.command.then(
        ({ ended }) => ended.then(() => forget(begun)),
        () => forget(begun),
      );
    },
    /** Returns the server if its command and set-up are the requested ones; otherwise stops it. */
    async take(text: string): Promise<RunningCommand | undefined> {
      const taken = warm;
      if (!taken) return undefined;
      const isSame =
        taken.text === text &&
        (await Promise.all([taken.setUp, setUpNow()]).then(
          ([then, now]) => then === now,
          () => false,
        ));
      if (!isSame || warm !== taken) {
        await drop();
        return undefined;
      }
      warm = undefined;
      return taken.command.catch(() => undefined);
    },
    drop,
  };
}
