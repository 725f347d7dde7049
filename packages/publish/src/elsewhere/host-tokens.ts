import type { Store } from "@treadle/store";

/** Key prefix, beside provider keys: encrypted, and never given to a sandbox. */
const PREFIX = "secret:elsewhere:";

/**
 * Tokens of the hosts to which releases are sent, under the names that targets choose. They never
 * leave the server.
 */
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
