import type { Terminal } from "@treadle/workspace";
import { ApiFailure } from "../api-failure.ts";
import type { WorkspaceHolder } from "./workspace-holder.ts";

/** Shells of one project at a time. */
export const TERMINALS = 8;

export interface ProjectTerminals {
  /**
   * The terminal of that name, opened if there is none: a page that comes back finds what it left. Where there are too
   * many, the oldest that nobody looks at is ended.
   */
  attach(
    name: string,
    size: { columns: number; rows: number },
  ): Promise<{ terminal: Terminal; detach(): void }>;
  /** Forgets them; the workspace has ended them. */
  clear(): void;
}

export function createTerminals(holder: WorkspaceHolder): ProjectTerminals {
  const terminals = new Map<string, { opening: Promise<Terminal>; watchers: number }>();

  function makeRoom(): void {
    if (terminals.size < TERMINALS) return;
    for (const [name, { opening, watchers }] of terminals) {
      if (watchers > 0) continue;
      terminals.delete(name);
      opening.then((terminal) => terminal.kill()).catch(() => undefined);
      return;
    }
    throw new ApiFailure(
      429,
      "too-many",
      `A project has ${TERMINALS} terminals at most. Close one.`,
    );
  }

  return {
    async attach(name, size) {
      let entry = terminals.get(name);
      const isNew = entry === undefined;
      if (!entry) {
        makeRoom();
        const opened = {
          opening: holder.open().then((workspace) => workspace.terminal(size)),
          watchers: 0,
        };
        entry = opened;
        terminals.set(name, opened);
        const forget = () => {
          if (terminals.get(name) === opened) terminals.delete(name);
        };
        opened.opening.then((terminal) => terminal.onExit(forget), forget);
      }
      const held = entry;
      held.watchers++;
      let attached = true;
      const detach = () => {
        if (attached) held.watchers--;
        attached = false;
      };
      try {
        const terminal = await held.opening;
        if (!isNew) terminal.resize(size);
        return { terminal, detach };
      } catch (error) {
        detach();
        throw error;
      }
    },
    clear: () => terminals.clear(),
  };
}
