import { refusalWords } from "@treadle/egress";
import type { WorkspaceNotice } from "../types.ts";
import type { GuestMessage } from "../wire/messages.ts";
import type { createCommands } from "./commands.ts";
import type { createMadeRepositories } from "./made-repositories.ts";
import type { createPipes } from "./pipes.ts";
import type { createRootCover } from "./root-cover.ts";
import type { Sandbox } from "./sandbox-host.ts";
import type { createTerminals } from "./terminals.ts";

/** How long a program may take to create a repository, if its end is not observed. */
const MADE_MS = 500;

type Said<Kind extends GuestMessage["kind"]> = Extract<GuestMessage, { kind: Kind }>;

/** Passes the guest's messages to their handlers. */
export function hearGuest(parts: {
  commands: ReturnType<typeof createCommands>;
  terminals: ReturnType<typeof createTerminals>;
  pipes: ReturnType<typeof createPipes>;
  made: ReturnType<typeof createMadeRepositories>;
  root: ReturnType<typeof createRootCover>;
  notify(notice: WorkspaceNotice): void;
  /** The running sandbox. */
  opened(): Sandbox | undefined;
  /** Whether a one-shot command is running. */
  runsCommand(): boolean;
  install(asked: Said<"install">): void;
  installGone(ask: number): void;
}): (message: GuestMessage, body: Uint8Array) => void {
  const { commands, terminals, pipes, made, root, notify } = parts;

  /**
   * Names a refused host in the output of the program that requested it. The guest reports whose program it was; that a
   * host was refused is known from the proxy itself.
   */
  function refused({ host, reason, owner }: Said<"refused">): void {
    if (owner === undefined) return;
    const words = refusalWords({ host, reason });
    commands.refused(owner, host, words);
    pipes.say(owner, words);
    terminals.announce(owner, host, words);
  }

  return (message, body) => {
    switch (message.kind) {
      case "output":
        return commands.output(message.process, body);
      case "exit":
        parts.opened()?.lookAtLimits?.();
        pipes.exit(message.process, message.code, message.signal);
        return commands.exit(message.process, message.code, message.signal);
      case "piped":
        return pipes.data(message.process, message.from, body);
      case "ports":
        commands.ports(message.ports);
        return notify({ type: "ports", ports: message.ports.map(({ port }) => port) });
      case "files":
        return notify({ type: "files", changes: message.changes });
      case "terminal-data":
        return terminals.data(message.terminal, Buffer.from(body).toString());
      case "terminal-exit":
        parts.opened()?.lookAtLimits?.();
        terminals.exit(message.terminal, message.code);
        void root.look();
        return made.seen();
      case "install":
        return parts.install(message);
      case "install-gone":
        return parts.installGone(message.ask);
      case "repository":
        if (!message.atRoot) return made.seen();
        // The repository may still be under construction; a command checks at its end.
        setTimeout(
          () => void (parts.runsCommand() || terminals.any() || root.look()),
          MADE_MS,
        ).unref();
        return;
      case "refused":
        return refused(message);
    }
  };
}
