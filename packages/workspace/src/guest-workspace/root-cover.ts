import { PROJECT_FOLDER } from "@treadle/protocol/project-path";
import type { OpenRoot } from "../repositories/guard-repositories.ts";
import type { GuestLink } from "./guest-link.ts";

/**
 * Protects the root of a project's folder from repositories made there (A23). Treadle puts nothing in an empty folder.
 * Once it contains something, the folder for the project's repository is mounted over `.git` at its root, so that git
 * on the host does not see one created in the sandbox: before anything is started, or after the program that filled the
 * folder has ended. A repository that it created is moved there.
 */
export function createRootCover<Started extends GuestLink>(options: {
  /** The root of the running sandbox; undefined if there is nothing to cover. */
  openRoot(): OpenRoot | undefined;
  /** Returns the running sandbox, or a new one. */
  sandbox(): Promise<Started>;
  /**
   * Mounts the repository's folder; absent if the mounts of a running sandbox cannot be changed.
   */
  cover?: ((sandbox: Started) => Promise<void>) | undefined;
  /** Replaces the sandbox silently: the next one has the mount in place. */
  renew(sandbox: Started): Promise<void>;
  /** Whether anything is running in the sandbox. */
  isBusy(): boolean;
}) {
  let turn: Promise<unknown> = Promise.resolve();

  async function coverFilled(): Promise<void> {
    const root = options.openRoot();
    if (!root) return;
    const sandbox = await options.sandbox();
    if ((await sandbox.request("list-raw", { path: PROJECT_FOLDER })).result.length === 0) return;
    // Replacing the sandbox would end running programs.
    if (!options.cover && options.isBusy()) return;
    const { result } = await sandbox.request("root-room", { madeInside: root.wasEntered });
    if (options.cover) await options.cover(sandbox);
    else {
      // The next sandbox does not report files that it finds at its start.
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
    /** Call before something is started. Failing to cover the root does not prevent the start. */
    async starting(): Promise<void> {
      if (!options.openRoot()) return;
      await inTurn().catch(() => undefined);
      options.openRoot()?.entered();
    },
    /** Call when something has ended, or a repository was seen at the root. */
    async look(): Promise<void> {
      if (options.openRoot()) await inTurn().catch(() => undefined);
    },
  };
}
