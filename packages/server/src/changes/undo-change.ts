import type { ProjectPath } from "@treadle/protocol";
import { hunksOf, readUnifiedDiff, undoHunks, type Hunk } from "@treadle/dialects/diff";
import { readNow, versionNow, type FileContent, type KeptFile } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { ProjectRuntime } from "../runtime/types.ts";

/** Maximum size of a file of which single changes are undone, in bytes; the same as for display. */
export const SINGLE_BYTES = 2 * 1024 * 1024;

/** A file, and two checkpoints, or a checkpoint and the current files. */
export interface UndoChange {
  from: string;
  to?: string | undefined;
  path: ProjectPath;
  /** The version that the person saw; `absent` if there was no file. */
  version: string;
  /** The changes to undo, as displayed. Absent for the complete file. */
  hunks?: readonly Hunk[] | undefined;
}

export interface Undone {
  /** The file's version after the undo; `absent` if it was removed. */
  version: string;
  /** A checkpoint of the files before the undo: undoing from it to now restores them. */
  kept: string;
}

/**
 * Undoes changes of a file between two checkpoints, or between one and now, completely or partly. Counts as the
 * person's own edit. Lines are found by their content and not only by the client's line numbers.
 * @throws ApiFailure 409 `conflict` if the file differs from what was displayed, or the same lines changed since;
 * 400 `not-a-file` for a link; 413 `too-large`. Nothing is written then.
 */
export async function undoChange(
  runtime: ProjectRuntime,
  { path, from, to, version, hunks }: UndoChange,
): Promise<Undone> {
  const workspace = await runtime.workspace();
  const now = await readNow(workspace, path);
  if (versionNow(now) !== version) throw conflict();
  const before = await workspace.fileAt(from, path);
  const after = to === undefined ? now : await workspace.fileAt(to, path);
  if (before?.link || (after as KeptFile | undefined)?.link)
    throw new ApiFailure(400, "not-a-file", sentence("is-link", { path }));
  const [difference] = await workspace.diff(from, to, path);
  // Files that checkpoints leave out (secrets, the app's own data) cannot have changed in a turn.
  if (!difference) throw conflict();
  const all = hunksOf(readUnifiedDiff(difference.diff));
  const asked = hunks && found(all, hunks);
  const content = asked
    ? unlessNone(joined(path, before, after, now, asked), before)
    : wholeBefore(path, all, { before, after, now });
  // The current state is saved first, so that the undo can be undone.
  const { checkpoint } = await workspace.checkpoint(`Before undoing a change of ${path}`);
  if (content === undefined) {
    const files = await runtime.personFiles();
    if (now)
      await files.remove(path, async () => {
        if (versionNow(await readNow(workspace, path)) !== version) throw conflict();
      });
    return { version: "absent", kept: checkpoint };
  }
  // A diff does not show the whole file, so protected content is not accepted by it (A96).
  const files = await runtime.givenFiles();
  const written = await files.write(path, content, {
    ifVersion: version,
    executable: asked && now ? undefined : before?.executable,
  });
  return { version: written.version, kept: checkpoint };
}

/**
 * The content to write; undefined if the file is to be removed, because it did not exist before and nothing is left
 * in it.
 */
const unlessNone = (content: Uint8Array, before: FileContent | undefined) =>
  before === undefined && content.length === 0 ? undefined : content;

/** The changes that were displayed. @throws ApiFailure 409 if one of them no longer exists unchanged */
function found(all: readonly Hunk[], seen: readonly Hunk[]): Hunk[] {
  const key = ({ before, after, removed, added }: Hunk) =>
    JSON.stringify([before, after, removed, added]);
  const wantedKeys = new Set(seen.map(key));
  const there = all.filter((hunk) => wantedKeys.has(key(hunk)));
  if (there.length !== wantedKeys.size) throw conflict();
  return there;
}

/**
 * The file's content without the changes: its earlier bytes, with the lines that were edited since; undefined if it
 * did not exist.
 * @throws ApiFailure 409
 */
function wholeBefore(
  path: ProjectPath,
  all: readonly Hunk[],
  file: { before?: KeptFile; after?: FileContent; now?: FileContent },
): Uint8Array | undefined {
  const { before, after, now } = file;
  if (versionNow(after) === versionNow(now)) return before?.bytes;
  if (!before || !after || !now || all.length === 0) throw conflict();
  return joined(path, before, after, now, all);
}

function joined(
  path: ProjectPath,
  before: FileContent | undefined,
  after: FileContent | undefined,
  now: FileContent | undefined,
  hunks: readonly Hunk[],
): Uint8Array {
  if ([before, after, now].some((file) => (file?.bytes.byteLength ?? 0) > SINGLE_BYTES))
    throw new ApiFailure(413, "too-large", sentence("undo-too-large", { path }));
  // Compares bytes, so that content that is not UTF-8 stays intact.
  const raw = (file: FileContent | undefined) => Buffer.from(file?.bytes ?? []).toString("latin1");
  const text = undoHunks({ before: raw(before), after: raw(after), now: raw(now) }, hunks);
  if (text === undefined)
    throw new ApiFailure(409, "conflict", sentence("undo-conflict", { path }));
  return Buffer.from(text, "latin1");
}

const conflict = () => new ApiFailure(409, "conflict", sentence("stale", { what: "file" }));
