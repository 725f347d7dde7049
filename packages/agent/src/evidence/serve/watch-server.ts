import type { ServerState } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { plainOutput } from "@treadle/protocol/safe-text";

/** Characters of what the server printed that are kept: the end says what went wrong. */
const PRINTED = 4_000;

/** What the project's server does while it is looked at. */
export interface ServerWatch {
  /** From here on it is expected to stay as it is, with these ports. */
  nowServes(ports: readonly number[]): void;
  /** What it printed since the watch began: its last characters, as text. */
  printed(): string;
  /** How it went away since `nowServes`, or that it was started again; undefined while it stands. */
  gone(): ServerState | undefined;
  /** Whether a port was opened since `nowServes` that nobody has asked. */
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
