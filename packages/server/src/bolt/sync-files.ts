import { createHash } from "node:crypto";
import { applyModification, parseModifications } from "@treadle/protocol/modifications";
import { readProjectPath, type ProjectPath } from "@treadle/protocol/project-path";
import { WorkspaceError, type Workspace } from "@treadle/workspace";
import type { PersonFiles } from "../trust/person-files.ts";
import { plainPath } from "./chat-request.ts";

/** What the client is known to have, file by file: the digest of its text. */
export type KnownFiles = Record<string, string>;

export const digestOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 32);

/**
 * Takes over what the person changed in the client since the last answer. What the client has not touched is left as it
 * is here, however old the client's copy is: it may have lost what was sent.
 * @param sent the client's files; a known one that is missing was removed there
 * @returns what the client is known to have now, and the names that were refused, with the reason
 */
export async function syncFiles(
  { files }: Workspace,
  person: PersonFiles,
  sent: ReadonlyMap<string, { text?: string }>,
  known: KnownFiles,
): Promise<{ known: KnownFiles; refused: string[] }> {
  const next: KnownFiles = {};
  const refused: string[] = [];
  const each = async (name: string, act: (path: ProjectPath) => Promise<unknown>) => {
    const read = readProjectPath(name);
    if (!read.ok) return void refused.push(`${name}: ${read.reason}`);
    try {
      await act(read.path);
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      refused.push(`${name}: ${error.message}`);
    }
  };
  for (const [name, { text }] of sent) {
    if (text === undefined) continue;
    const digest = digestOf(text);
    next[name] = digest;
    if (known[name] === digest) continue;
    await each(name, async (path) => {
      if ((await textOf(files, path)) !== text) await person.write(path, text);
    });
  }
  for (const name of Object.keys(known))
    if (!sent.has(name))
      await each(name, async (path) => {
        if ((await textOf(files, path)) !== undefined) await person.remove(path);
      });
  return { known: next, refused };
}

const BLOCKS = ["bolt_file_modifications", "modifications"];

/** bolt.new sends no files but says what the person changed, in a block of the message. @returns the message without it */
export async function takeModifications(
  { files }: Workspace,
  person: PersonFiles,
  message: string,
): Promise<string> {
  const { block, rest } = readBlock(message);
  if (block === undefined) return message;
  for (const change of parseModifications(block)) {
    const read = readProjectPath(plainPath(change.path));
    if (!read.ok) continue;
    const before = await textOf(files, read.path);
    const after = applyModification(before, change);
    if (!after.ok) continue;
    if (after.content === undefined) await person.remove(read.path);
    else if (after.content !== before) await person.write(read.path, after.content);
  }
  return rest;
}

/** What a message says that the person changed, and the message without it. */
export function readBlock(message: string): { block: string | undefined; rest: string } {
  const block = blockIn(message);
  return { block, rest: block === undefined ? message : message.replace(block, () => "").trim() };
}

/** A file's text; undefined where there is none, or it is no text. */
export async function textOf(
  files: Workspace["files"],
  path: ProjectPath,
): Promise<string | undefined> {
  try {
    const { bytes } = await files.read(path);
    if (bytes.includes(0)) return undefined;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The first block that is closed. By hand: a pattern takes the square of a message that opens many and closes none (A78). */
function blockIn(message: string): string | undefined {
  const found = BLOCKS.flatMap((name) => {
    const from = message.indexOf(`<${name}>`);
    const close = `</${name}>`;
    const end = from === -1 ? -1 : message.indexOf(close, from);
    return end === -1 ? [] : [{ from, end: end + close.length }];
  });
  const first = found.toSorted((a, b) => a.from - b.from)[0];
  return first && message.slice(first.from, first.end);
}
