import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Store } from "@treadle/store";
import type { GitAddress } from "./address.ts";
import type { Login, Remote } from "./run-git.ts";

/** Beside the keys of providers: readable by the owner of the data folder alone, and never given to a sandbox. */
const PREFIX = "secret:git-login:";
const HOSTS = "git-login-hosts";

/** Who Treadle is to git servers. A login is kept for the host that it was typed for, and sent to no other. */
export interface GitLogins {
  /** Hosts, and under which name; passwords stay here. */
  list(): Promise<{ host: string; user: string }[]>;
  put(host: string, login: Login): Promise<void>;
  remove(host: string): Promise<void>;
  /** With the login that is known for its host, or the one that was typed, which is kept once it was used. */
  remoteOf(address: GitAddress, local: boolean, typed?: Login): Promise<Remote>;
  /** Treadle's own public key, for servers that are reached by ssh. Made when it is first asked for. */
  publicKey(): Promise<string>;
}

/** A port is another server. */
export const loginHost = ({ host, port }: Pick<GitAddress, "host" | "port">) => `${host}:${port}`;

export function gitLogins(store: Pick<Store, "settings">, dataDirectory: string): GitLogins {
  const sshFolder = join(dataDirectory, "git");
  const hosts = async () => (await store.settings.get<Record<string, string>>(HOSTS)) ?? {};
  return {
    list: async () => Object.entries(await hosts()).map(([host, user]) => ({ host, user })),
    async put(host, login) {
      await store.settings.set(PREFIX + host, login);
      await store.settings.set(HOSTS, { ...(await hosts()), [host]: login.user });
    },
    async remove(host) {
      await store.settings.remove(PREFIX + host);
      const { [host]: _gone, ...rest } = await hosts();
      await store.settings.set(HOSTS, rest);
    },
    async remoteOf(address, local, typed) {
      const saved = await store.settings.get<Login>(PREFIX + loginHost(address));
      const { user = "git", password } = address;
      const login = typed ?? (password === undefined ? saved : { user, password });
      return { address, login, local, sshFolder };
    },
    async publicKey() {
      const file = join(sshFolder, "id_ed25519");
      if (!existsSync(`${file}.pub`)) {
        mkdirSync(sshFolder, { recursive: true, mode: 0o700 });
        await promisify(execFile)("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "treadle", "-f", file]); // prettier-ignore
      }
      return readFileSync(`${file}.pub`, "utf8").trim();
    },
  };
}
