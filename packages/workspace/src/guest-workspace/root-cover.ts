import { PROJECT_FOLDER } from "@treadle/protocol/project-path";
import type { OpenRoot } from "../repositories/guard-repositories.ts";
import type { GuestLink } from "./guest-link.ts";

/**
 * Nothing of ours lies in a project's folder while it is empty. Once something is in there, its root is covered by the
 * folder that the project's repository is kept in, so that git on the host finds none of it (A23): before anything is
 * started, and otherwise when that which filled the folder has ended. A repository that it made is taken along.
 */
export function createRootCover<Started extends GuestLink>(options: {
  /** Of the sandbox that runs; undefined where there is nothing to cover. */
  openRoot(): OpenRoot | undefined;
  /** The sandbox that runs, or a new one. */
  sandbox(): Promise<Started>;
  /** Puts the repository's folder in place; absent where a sandbox that runs can be given no other mounts. */
  cover?: ((sandbox: Started) => Promise<void>) | undefined;
  /** Ends the sandbox without a word: the next one has it in its place. */
  renew(sandbox: Started): Promise<void>;
  /** Whether something runs in it. */
  isBusy(): boolean;
}) {
  let turn: Promise<unknown> = Promise.resolve();

  async function coverFilled(): Promise<void> {
    const root = options.openRoot();
    if (!root) return;
    const sandbox = await options.sandbox();
    if ((await sandbox.request("list-raw", { path: PROJECT_FOLDER })).result.length === 0) return;
    // It would end what runs.
    if (!options.cover && options.isBusy()) return;
    const { result } = await sandbox.request("root-room", { madeInside: root.wasEntered });
    if (options.cover) await options.cover(sandbox);
    else {
      // The next one takes all that it finds for old.
      await sandbox.request("tell-changes", {});
      await options.renew(sandbox);
    }
    root.covered();
    if (result === "") return;
    await (await options.sandbox()).request("root-move-in", { path: result });
  }

  const inTurn = (): Promise<void> => {
    const next = turn.then(coverFilled);
    turn = next.catch(() => undefined);
    return next;
  };

  return {
    /** Before something is started. A root that could not be covered is no reason to start nothing. */
    async starting(): Promise<void> {
      if (!options.openRoot()) return;
      await inTurn().catch(() => undefined);
      options.openRoot()?.entered();
    },
    /** Something has ended, or a repository was seen at the root. */
    async look(): Promise<void> {
      if (options.openRoot()) await inTurn().catch(() => undefined);
    },
  };
}
