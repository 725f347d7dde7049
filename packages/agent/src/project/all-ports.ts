import type { ServerState } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";

/** Maximum milliseconds for the other parts of an app to open their ports after the first. */
const PORTS_MS = 15_000;

/**
 * Resolves when a server has opened as many ports as the same command has elsewhere, or has ended; after 15 s at the
 * latest. Otherwise a page could be observed without its API, which starts a moment later. Rejects with the signal's
 * reason.
 */
export async function allPortsOpen(
  workspace: Workspace,
  elsewhere: () => readonly number[] | undefined,
  signal: AbortSignal,
): Promise<void> {
  const isThere = () =>
    workspace.server?.state !== "up" || workspace.server.ports.length >= (elsewhere()?.length ?? 0);
  if (isThere()) return;
  const ends = AbortSignal.any([signal, AbortSignal.timeout(PORTS_MS)]);
  await new Promise<void>((resolve) => {
    const stop = workspace.listen((notice) => {
      if (notice.type === "server" && isThere()) end();
    });
    const end = () => {
      stop();
      ends.removeEventListener("abort", end);
      resolve();
    };
    ends.addEventListener("abort", end);
    if (ends.aborted || isThere()) end();
  });
  signal.throwIfAborted();
}

/**
 * Starts a server and waits for all of its ports, as `allPortsOpen` does.
 * @returns the server's state after that; rejects as `Workspace.start` does
 */
export async function startWithAllPorts(
  workspace: Workspace,
  command: string,
  options: Parameters<Workspace["start"]>[1] & { signal: AbortSignal },
  elsewhere: () => readonly number[] | undefined,
): Promise<ServerState> {
  const server = await workspace.start(command, options);
  await allPortsOpen(workspace, elsewhere, options.signal);
  return workspace.server ?? server;
}
