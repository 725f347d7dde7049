import { create } from "zustand";

interface ServerState {
  state: "starting" | "ready" | "asleep" | "failed";
  /** Why it failed, where the server said so. */
  problem?: string | undefined;
  /** Tries it once more. */
  retry(): void;
}

/** How each language server of the open project stands, by its name. */
export const useHelp = create<{ servers: ReadonlyMap<string, ServerState> }>(() => ({
  servers: new Map(),
}));

/** Says how one stands. */
export function setHelp(name: string, server: ServerState): void {
  useHelp.setState(({ servers }) => ({ servers: new Map([...servers, [name, server]]) }));
}
