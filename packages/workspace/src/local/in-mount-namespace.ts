import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { LAUNCH_ENV } from "./sandbox-command.ts";
import type { LaunchedGuest } from "./start-guest.ts";

const run = promisify(execFile);

/**
 * Runs a shell command in the launcher's mount namespace, where `$place` is the project's folder. Its mounts reach the
 * running sandbox by propagation. Takes 4 ms.
 * @param act a shell command; `words` are its `$1` and so on
 */
export async function inMountNamespace(
  link: LaunchedGuest,
  act: string,
  ...words: string[]
): Promise<void> {
  const enter = ["-t", String(link.pid), "-m"];
  if (process.getuid?.() !== 0) enter.push("-U", "--preserve-credentials");
  // Uses the stage, not the project's path: only mounts below the shared bind appear in the sandbox.
  const script = `for place in /mnt/0 /media/0 /srv/0 /opt/0; do if mountpoint -q "$place"; then ${act}; fi; done; exit 1`;
  await run("nsenter", [...enter, "sh", "-c", script, "mount", ...words], { env: LAUNCH_ENV });
}

/**
 * Returns a command that mounts on the folder that it entered and checked, not on its name: the project could replace
 * it with a link in between.
 */
export const intoFolder = (name: string, mount: string): string =>
  `cd -P "$place/${name}" && [ "$(pwd -P)" = "$place/${name}" ] && exec ${mount}`;

/**
 * Returns a command that mounts the folder `$1` as `name`, without setuid programs and devices. Options of a bind mount
 * are set by a second mount over the first. "." does not refer to the first one, so the source gets them before.
 */
export const bindInto = (name: string): string =>
  `mount -c --bind "$1" "$1" && mount -c -o remount,bind,nosuid,nodev "$1" && ${intoFolder(name, 'mount -c --bind "$1" .')}`;
