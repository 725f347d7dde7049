import { create } from "zustand";

interface ServerState {
  state: "starting" | "ready" | "asleep" | "failed";
  /** Why it failed, if the server gave a reason. */
  problem?: string | undefined;
  /** Starts the language server again. */
  retry(): void;
}

/** The state of each language server of the open project, by name. */
export const useHelp = create<{ servers: ReadonlyMap<string, ServerState> }>(() => ({
  servers: new Map(),
}));

/** Sets the state of a language server. */
export function setHelp(name: string, server: ServerState): void {
  useHelp.setState(({ servers }) => ({ servers: new Map([...servers, [name, server]]) }));
}
