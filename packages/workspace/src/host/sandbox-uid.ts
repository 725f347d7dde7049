import { createHash } from "node:crypto";

/** A uid that no other project and no account has, from the project's own name; well above what systems hand out. */
export function sandboxUid(project: string): number {
  if (process.getuid?.() !== 0) return process.getuid?.() ?? 1000;
  const digest = createHash("sha256").update(project).digest();
  return 0x4000_0000 + (digest.readUInt32BE(0) & 0x3fff_ffff);
}
