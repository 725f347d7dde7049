import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { GitAddress } from "./address.ts";

/**
 * The ssh command for a server, as one line for a shell: with Treadle's own key and known hosts,
 * without the person's settings.
 * @param reached the resolved address of the host, to which it connects
 */
export function sshCommand(
  { address, sshFolder }: { address: Pick<GitAddress, "host" | "port">; sshFolder: string },
  reached: string,
): string {
  mkdirSync(sshFolder, { recursive: true, mode: 0o700 });
  const options = {
    BatchMode: "yes",
    StrictHostKeyChecking: "accept-new",
    UserKnownHostsFile: join(sshFolder, "known_hosts"),
    IdentityFile: join(sshFolder, "id_ed25519"),
    // The host was resolved before, once.
    HostName: reached,
    HostKeyAlias: address.port === 22 ? address.host : `[${address.host}]:${address.port}`,
    ForwardAgent: "no",
    ClearAllForwardings: "yes",
    PermitLocalCommand: "no",
    ConnectTimeout: "20",
    ServerAliveInterval: "20",
  };
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const words = Object.entries(options).map(([name, value]) => `-o ${quote(`${name}=${value}`)}`);
  return `ssh -F /dev/null ${words.join(" ")}`;
}
