import type { Store } from "@treadle/store";

/** Beside the keys of providers: sealed, and never given to a sandbox. */
const PREFIX = "secret:elsewhere:";

/** Tokens of hosts that releases are sent to, each under the name that its target keeps it by. They are told to nobody. */
export interface HostTokens {
  get(name: string): Promise<string | undefined>;
  put(name: string, token: string): Promise<void>;
  forget(name: string): Promise<void>;
}

export const hostTokens = ({ settings }: Pick<Store, "settings">): HostTokens => ({
  get: (name) => settings.get<string>(PREFIX + name),
  put: (name, token) => settings.set(PREFIX + name, token),
  forget: (name) => settings.remove(PREFIX + name),
});
