import type { Terminal } from "@treadle/workspace";
import { ApiFailure } from "../api-failure.ts";
import type { WorkspaceHolder } from "./workspace-holder.ts";

/** Shells of one project at a time. */
export const TERMINALS = 8;

export interface ProjectTerminals {
  /** The terminal of that name, opened if there is none: a page that comes back finds what it left. */
  attach(name: string, size: { columns: number; rows: number }): Promise<Terminal>;
  /** Forgets them; the workspace has ended them. */
  clear(): void;
}

export function createTerminals(holder: WorkspaceHolder): ProjectTerminals {
  const terminals = new Map<string, Promise<Terminal>>();
  return {
    async attach(name, size) {
      const known = terminals.get(name);
      if (known) {
        const terminal = await known;
        terminal.resize(size);
        return terminal;
      }
      if (terminals.size >= TERMINALS)
        throw new ApiFailure(
          429,
          "too-many",
          `A project has ${TERMINALS} terminals at most. Close one.`,
        );
      const opening = holder.open().then((workspace) => workspace.terminal(size));
      terminals.set(name, opening);
      const forget = () => {
        if (terminals.get(name) === opening) terminals.delete(name);
      };
      opening.then((terminal) => terminal.onExit(forget), forget);
      return opening;
    },
    clear: () => terminals.clear(),
  };
}
