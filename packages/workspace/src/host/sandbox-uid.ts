import { createHash } from "node:crypto";

/**
 * The uid of a project's sandbox. If the server is root, it is derived from the project's name and well above the range
 * that systems assign to accounts, so that projects and accounts do not share one; otherwise it is the server's own
 * (1000 on Windows).
 */
export function sandboxUid(project: string): number {
  if (process.getuid?.() !== 0) return process.getuid?.() ?? 1000;
  const digest = createHash("sha256").update(project).digest();
  return 0x4000_0000 + (digest.readUInt32BE(0) & 0x3fff_ffff);
}
