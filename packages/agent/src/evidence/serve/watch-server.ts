import type { ServerState } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { plainOutput } from "@treadle/protocol/safe-text";

/** Characters kept from the end of the server's output, where the error is. */
const PRINTED = 4_000;

/** Watches the project's server during an observation. */
export interface ServerWatch {
  /** Expects the server to stay unchanged from now on, with these ports. */
  nowServes(ports: readonly number[]): void;
  /** The last characters of its output since the watch began, as text. */
  printed(): string;
  /** The state after it exited or restarted since `nowServes`; undefined while it is running. */
  gone(): ServerState | undefined;
  /** Whether a port was opened since `nowServes` that was not requested. */
  openedLate(): boolean;
  close(): void;
}

export function watchServer(workspace: Workspace): ServerWatch {
  let text = "";
  let asked: readonly number[] | undefined;
  let gone: ServerState | undefined;
  const close = workspace.listen((notice) => {
    if (notice.type === "server-output") text = (text + notice.text).slice(-PRINTED * 2);
    if (notice.type === "server" && asked && notice.server.state !== "up") gone ??= notice.server;
  });
  return {
    nowServes(ports) {
      asked = ports;
      const { server } = workspace;
      if (ports.length > 0 && server && server.state !== "up") gone ??= server;
    },
    printed: () => plainOutput(text).trim().slice(-PRINTED),
    gone: () => gone,
    openedLate: () =>
      asked !== undefined &&
      asked.length > 0 &&
      (workspace.server?.ports ?? []).some((port) => !asked!.includes(port)),
    close,
  };
}
