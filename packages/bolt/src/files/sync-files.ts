import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { createHash } from "node:crypto";
import { applyModification, parseModifications } from "@treadle/dialects/modifications";
import { readProjectPath, type ProjectPath } from "@treadle/protocol/project-path";
import { WorkspaceError, type Workspace, type WorkspaceErrorCode } from "@treadle/workspace";
import { plainPath } from "../requests/chat-request.ts";
import { readBlock } from "../requests/modification-block.ts";

/** Changes files as the person. Both methods reject as the workspace does. */
export interface PersonFiles {
  write(path: ProjectPath, content: string): Promise<unknown>;
  remove(path: ProjectPath): Promise<void>;
}

/** The files that the client is known to have: path and digest of the text. */
export type KnownFiles = Record<string, string>;

export const digestOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 32);

/**
 * Error codes of a single path, after which other files can still be written. Errors of the disk or
 * the workspace affect all.
 */
const OF_ONE_PATH: readonly WorkspaceErrorCode[] = [
  "path",
  "missing",
  "exists",
  "not-a-file",
  "not-a-folder",
  "conflict",
  "too-large",
  "read-only",
];

/** Runs an action for each named path, and collects failures with their reasons. */
function createEach() {
  const refused: Sentence[] = [];
  return {
    refused,
    async each(name: string, act: (path: ProjectPath) => Promise<unknown>): Promise<void> {
      const read = readProjectPath(name);
      if (!read.ok)
        return void refused.push(
          sentence("path-failed", { path: name, why: sentence(read.fault) }),
        );
      try {
        await act(read.path);
      } catch (error) {
        if (!(error instanceof WorkspaceError) || !OF_ONE_PATH.includes(error.code)) throw error;
        refused.push(sentence("path-failed", { path: name, why: error.sentence }));
      }
    },
  };
}

/**
 * Applies the person's changes in the client since the last answer. Files that the client did not
 * change stay as they are here, however old its copy is, as it may have missed updates.
 * @param sent the client's files; a known one that is missing was deleted there
 * @returns what the client is known to have now, and rejected names with reasons
 */
export async function syncFiles(
  { files }: Workspace,
  person: PersonFiles,
  sent: ReadonlyMap<string, { text?: string }>,
  known: KnownFiles,
): Promise<{ known: KnownFiles; refused: Sentence[] }> {
  const next: KnownFiles = {};
  const { each, refused } = createEach();
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

/**
 * Applies the changes that bolt.new sends in a block of the message instead of files.
 * @returns the message without the block, and rejected names with reasons
 */
export async function takeModifications(
  { files }: Workspace,
  person: PersonFiles,
  message: string,
): Promise<{ text: string; refused: Sentence[] }> {
  const { block, rest } = readBlock(message);
  const { each, refused } = createEach();
  for (const change of block === undefined ? [] : parseModifications(block)) {
    const name = plainPath(change.path);
    await each(name, async (path) => {
      const before = await textOf(files, path);
      const after = applyModification(before, change);
      if (!after.ok) refused.push(sentence("path-failed", { path: name, why: after.error }));
      else if (after.content === undefined) await person.remove(path);
      else if (after.content !== before) await person.write(path, after.content);
    });
  }
  return { text: rest, refused };
}

/** A file's text; undefined if it does not exist or is not text. */
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
