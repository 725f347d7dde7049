import type { LineCount, ProjectPath } from "@treadle/protocol";
import { diffLines } from "@treadle/dialects/diff";
import { readVersion, WorkspaceError } from "@treadle/workspace";
import { isUnaccepted } from "../trust/protected-files.ts";
import { fence } from "../text/fence.ts";
import { clipMiddle } from "../text/clip.ts";
import { changedWords } from "./changed-words.ts";
import { READ_BYTES, READ_LIMIT } from "./limits.ts";
import { decodeText } from "../text/decode-text.ts";
import { sizeText } from "../text/size.ts";
import type { ToolContext } from "./tool.ts";

/** Maximum attempts, for when another program (a formatter, an install) writes between reading and writing the file. */
const TRIES = 3;

type Composed = string | { refuse: string };

export type GuardedWrite =
  | { ok: true; created: boolean; size: number; version: string; lines?: LineCount }
  | { ok: false; reason: string };

/**
 * The current file on disk: its version (`absent` if there is none), and its text unless it is
 * binary or too large.
 */
export interface FileNow {
  version: string;
  bytes?: Uint8Array;
  text?: string;
  /** Set if it has more than `READ_BYTES` bytes, so that its content was not loaded. */
  tooLarge?: true;
}

/**
 * Writes the result of `compose` for the current file, only if the file is unchanged by then (F12,
 * F13). Text that the person wrote during the run and that the model has not seen is never
 * overwritten. `compose` may return `{ refuse }` instead of content, and is called again if the
 * file changed meanwhile.
 * @param keeps whether the new content contains the current one
 */
export async function guardedWrite(
  path: ProjectPath,
  compose: (standing: FileNow) => Composed | Promise<Composed>,
  context: ToolContext,
  keeps = false,
): Promise<GuardedWrite> {
  const { workspace, personWrites, seen } = context;
  for (let attempt = 1; ; attempt++) {
    const standing = await readNow(path, context);
    await context.personSettled?.([path]);
    const theirs = personWrites.get(path);
    if (theirs !== undefined && theirs === standing.version && seen.get(path) !== theirs) {
      seen.set(path, theirs);
      return { ok: false, reason: conflictText(path, standing, context) };
    }
    const content = await compose(standing);
    if (typeof content !== "string") return { ok: false, reason: content.refuse };
    // The model has read the person's text, but its new content may omit it, and no other copy exists.
    if (isTheirs(path, standing, context)) await context.keepStanding?.();
    try {
      const written = await workspace.files.write(path, content, {
        ifVersion: standing.version,
      });
      seen.set(path, written.version);
      context.wrote(
        path,
        written.version,
        keeps && isUnaccepted(path, standing, context.isAccepted),
      );
      return { ok: true, ...written, lines: linesOf(standing, content) };
    } catch (error) {
      if (error instanceof WorkspaceError && error.code === "conflict" && attempt < TRIES) continue;
      throw error;
    }
  }
}

/**
 * Whether someone else wrote the current version: since the run began, or since the model last saw
 * the file.
 */
function isTheirs(path: ProjectPath, { version }: FileNow, { personWrites, seen }: ToolContext) {
  if (version === "absent") return false;
  const known = seen.get(path);
  return personWrites.get(path) === version || (known !== undefined && known !== version);
}

/** Added and removed lines; undefined if the old content is unknown or not text. */
function linesOf({ version, text }: FileNow, content: string): LineCount | undefined {
  const before = version === "absent" ? "" : text;
  if (before === undefined) return undefined;
  const changed = diffLines(linesIn(before), linesIn(content));
  const lines = { added: 0, removed: 0 };
  for (const { oldFrom, oldTo, newFrom, newTo } of changed) {
    lines.removed += oldTo - oldFrom;
    lines.added += newTo - newFrom;
  }
  return lines;
}

/** The last line counts whether or not it ends with a newline. */
const linesIn = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

async function readNow(path: ProjectPath, { workspace }: ToolContext): Promise<FileNow> {
  try {
    const { bytes, version } = await workspace.files.read(path, { limit: READ_BYTES });
    const text = decodeText(bytes);
    return text === undefined ? { version, bytes } : { version, bytes, text };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    if (error.code === "missing") return { version: "absent" };
    // Its content is not loaded, but its version is known, so no write skips the check.
    if (error.code === "too-large")
      return { version: await readVersion(workspace, path), tooLarge: true };
    throw error;
  }
}

function conflictText(
  path: ProjectPath,
  { text, tooLarge }: FileNow,
  context: ToolContext,
): string {
  if (tooLarge)
    return `Nothing was written: ${changedWords(path, context)}, and it is too large for you to see (over ${sizeText(READ_BYTES)}). Leave it as it is, unless the person asked for this very file to be replaced.`;
  const now =
    text === undefined
      ? "It is not text; leave it as it is."
      : `It now reads:\n${fence("file", clipMiddle(text, READ_LIMIT))}`;
  return `Nothing was written: ${changedWords(path, context)}, and you have not seen that. Change it with edit_file, so that nothing of it is lost. ${now}`;
}
