import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Store } from "@treadle/store";
import type { GitAddress } from "./address.ts";
import type { Login, Remote } from "./run-git.ts";
import { renewToken } from "./sign-in/device-flow.ts";

/**
 * Stored beside the keys of providers: readable only by the owner of the data folder, and never
 * given to a sandbox.
 */
const PREFIX = "secret:git-login:";
const HOSTS = "git-login-hosts";

/** How long before its expiry a token is renewed, in milliseconds. */
const EARLY_MS = 60_000;
/**
 * Renewals in progress. A refresh token can be used once, so concurrent callers share a renewal.
 */
const renewing = new Map<string, Promise<Login>>();

/**
 * Treadle's logins at git servers. A login is stored for the host that it was typed for, and sent
 * to no other.
 */
export interface GitLogins {
  /** Hosts with their user names; passwords are not included. */
  list(): Promise<{ host: string; user: string }[]>;
  put(host: string, login: Login): Promise<void>;
  remove(host: string): Promise<void>;
  /** The login of a host and port, renewed if it has expired; undefined if there is none. */
  read(host: string): Promise<Login | undefined>;
  /**
   * The remote with the stored login of its host, or with the typed one, which is stored after its
   * first use.
   */
  remoteOf(address: GitAddress, local: boolean, typed?: Login): Promise<Remote>;
  /** Treadle's own public key for ssh. Created on first use. */
  publicKey(): Promise<string>;
}

/** The key of a server's login. Another port counts as another server. */
export const loginHost = ({ host, port }: Pick<GitAddress, "host" | "port">) => `${host}:${port}`;

export function gitLogins(store: Pick<Store, "settings">, dataDirectory: string): GitLogins {
  const sshFolder = join(dataDirectory, "git");
  const hosts = async () => (await store.settings.get<Record<string, string>>(HOSTS)) ?? {};
  const changeHosts = (change: (hosts: Record<string, string>) => Record<string, string>) =>
    store.settings.update<Record<string, string>>(HOSTS, (hosts = {}) => change(hosts));
  async function read(host: string): Promise<Login | undefined> {
    const login = await store.settings.get<Login>(PREFIX + host);
    if (!login?.renewal || login.renewal.until - EARLY_MS > Date.now()) return login;
    const key = `${dataDirectory} ${host}`;
    let renewal = renewing.get(key);
    if (!renewal) {
      renewal = renew(host, login).finally(() => renewing.delete(key));
      renewing.set(key, renewal);
    }
    return renewal;
  }
  async function renew(host: string, login: Login): Promise<Login> {
    const issued = login.renewal && (await renewToken(login.renewal, Date.now()));
    // With the old token the server reports that it has expired, and the person is asked to sign in again.
    if (!issued) return login;
    const { token, until, refreshToken = login.renewal!.refreshToken } = issued;
    const renewal = until === undefined ? undefined : { ...login.renewal!, until, refreshToken };
    const renewed = { user: login.user, password: token, renewal };
    await store.settings.set(PREFIX + host, renewed);
    return renewed;
  }
  return {
    read,
    list: async () => Object.entries(await hosts()).map(([host, user]) => ({ host, user })),
    async put(host, login) {
      await store.settings.set(PREFIX + host, login);
      await changeHosts((hosts) => ({ ...hosts, [host]: login.user }));
    },
    async remove(host) {
      await store.settings.remove(PREFIX + host);
      await changeHosts(({ [host]: _gone, ...rest }) => rest);
    },
    async remoteOf(address, local, typed) {
      const { user = "git", password } = address;
      const given = typed ?? (password === undefined ? undefined : { user, password });
      const login = given ?? (await read(loginHost(address)));
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
