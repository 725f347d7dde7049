/** A private sshd on loopback, for whoever runs the tests: it gives out bare repositories to the keys that it knows. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "./free-port.ts";
import { bareRepositories, type BareRepositories } from "./bare-repositories.ts";

export interface SshServer extends BareRepositories {
  url(name: string): string;
  /** From now on accepts only this public key. */
  knows(key: string): void;
  /** Another machine answers at its address: its key is not the one from before. */
  becomesAnother(): Promise<void>;
  close(): Promise<void>;
}

/** sshd wants to be started by its whole path, which is in no person's PATH. */
const sshd = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"]
  .map((folder) => join(folder, "sshd"))
  .find(existsSync);

/** Why no sshd can be run here; undefined if one can. */
export function whyNoSshd(): string | undefined {
  if (sshd === undefined) return "there is no sshd on this machine";
  const root = mkdtempSync(join(tmpdir(), "treadle-sshd-"));
  try {
    // As root it needs its own user and folder on the machine.
    const { status, stderr } = spawnSync(sshd, ["-t", "-f", configure(root, 22)]);
    return status === 0 ? undefined : `sshd does not start here: ${stderr.toString().trim()}`;
  } finally {
    rmSync(root, { recursive: true });
  }
}

export async function startSshServer(): Promise<SshServer> {
  const root = mkdtempSync(join(tmpdir(), "treadle-sshd-"));
  const port = await freePort();
  let child = await start(root, port);
  const end = async () => {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  };
  return {
    ...bareRepositories(root),
    url: (name) => `ssh://${userInfo().username}@127.0.0.1:${port}${root}/${name}.git`,
    knows: (key) => writeFileSync(join(root, "authorized_keys"), `restrict ${key}\n`),
    async becomesAnother() {
      await end();
      rmSync(join(root, "host_key"));
      child = await start(root, port);
    },
    async close() {
      await end();
      rmSync(root, { recursive: true });
    },
  };
}

async function start(root: string, port: number): Promise<ChildProcess> {
  const child = spawn(sshd!, ["-D", "-e", "-f", configure(root, port)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (piece: Buffer) => {
      output += piece.toString();
      if (output.includes("Server listening on")) resolve();
    });
    child.once("exit", () => reject(new Error(`sshd ended: ${output}`)));
  });
  return child;
}

/** @returns the path of its configuration file, beside which its key is stored */
function configure(root: string, port: number): string {
  const key = join(root, "host_key");
  if (!existsSync(key)) execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
  const file = join(root, "sshd_config");
  const settings = {
    ListenAddress: `127.0.0.1:${port}`,
    HostKey: key,
    PidFile: "none",
    AuthorizedKeysFile: join(root, "authorized_keys"),
    PasswordAuthentication: "no",
    KbdInteractiveAuthentication: "no",
    // The folder for temporary files is writable by everybody.
    StrictModes: "no",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  writeFileSync(file, lines.join(""));
  return file;
}
