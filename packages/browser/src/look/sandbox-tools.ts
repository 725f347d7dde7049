import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { SandboxTools } from "./sandbox-script.ts";

/** The system's own tool folders, independent of the person's PATH. */
const SYSTEM = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/** The tools for a sandbox; undefined if bubblewrap (or, for root, setpriv) is missing. */
export async function findSandboxTools(
  env: Record<string, string | undefined>,
): Promise<SandboxTools | undefined> {
  if (process.platform !== "linux") return undefined;
  const folders = [...SYSTEM, ...(env["PATH"] ?? "").split(delimiter)];
  const [bwrap, setpriv, unshare] = await Promise.all(
    ["bwrap", "setpriv", "unshare"].map((name) => find(name, folders)),
  );
  if (bwrap === undefined) return undefined;
  if (process.getuid?.() !== 0) return { bwrap, inner: true };
  if (setpriv === undefined) return undefined;
  return { bwrap, inner: true, setpriv, unshare };
}

async function find(name: string, folders: string[]): Promise<string | undefined> {
  for (const folder of folders) {
    if (!folder.startsWith("/")) continue;
    const path = join(folder, name);
    const there = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (there) return path;
  }
  return undefined;
}
