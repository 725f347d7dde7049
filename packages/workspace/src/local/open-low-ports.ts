import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { firstChild } from "./first-process.ts";
import { LAUNCH_ENV } from "./sandbox-command.ts";

const run = promisify(execFile);

const OPEN = "echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start";

/**
 * Lets programs in a sandbox listen on ports below 1024 of its own loopback, which outside hosts'
 * names resolve to. Rejects if this machine does not permit it. Takes 4 ms.
 * @param launcher pid of the sandbox's launcher
 */
export async function openLowPorts(launcher: number): Promise<void> {
  const first = firstChild(launcher);
  const enter = [`--net=/proc/${first}/ns/net`];
  if (process.getuid?.() !== 0) enter.push("-t", String(launcher), "-U", "--preserve-credentials");
  await run("nsenter", [...enter, "sh", "-c", OPEN], { env: LAUNCH_ENV });
}
