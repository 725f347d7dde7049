import { open, stat } from "node:fs/promises";

/** The type of an import. */
export type Given = "folder" | "zip" | "git" | "chat" | "log";

/** Bytes at the start of a file that identify its type. */
const HEAD = 64 * 1024;
/** `user@host:path`, the scp-like form of ssh. */
const SHORT = /^[\w.-]+@[\w.-]+:[^\s]+$/;

/**
 * Finds out what an argument names. Files that exist on the disk take precedence.
 * @throws Error with a sentence that lists the possibilities
 */
export async function whatItIs(word: string): Promise<Given> {
  const there = await stat(word).catch(() => undefined);
  if (there?.isDirectory()) return "folder";
  if (!there && (/^(?:https?|ssh):\/\//i.test(word) || SHORT.test(word))) return "git";
  if (!there)
    throw new Error(
      `There is no “${word}” here, and it is not the address of a git repository such as https://github.com/owner/name. Nothing was imported.`,
    );
  if (!there.isFile())
    throw new Error(`“${word}” is neither a file nor a folder. Nothing was imported.`);
  const head = await headOf(word);
  if (head.startsWith("PK")) return "zip";
  const [line = ""] = head.trimStart().split("\n");
  if (/^\{"treadle":\d/.test(line)) return "log";
  if (/^[[{]/.test(line)) return "chat";
  throw new Error(
    `“${word}” is not a ZIP, a chat that bolt exported, or a log of Treadle. Nothing was imported.`,
  );
}

async function headOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return buffer.toString("utf8", 0, bytesRead).replace(/^\ufeff/, "");
  } finally {
    await handle.close();
  }
}
