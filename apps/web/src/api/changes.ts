import type { ProjectPath } from "@treadle/protocol";
import type { Hunk } from "@treadle/dialects/diff";
import type { FileChangeText } from "./projects.ts";
import { getJson, sendJson } from "./request.ts";

/** Two checkpoints; without `to`, one and the files now. */
export interface Span {
  from: string;
  to?: string | undefined;
}

interface Side {
  version: string;
  /** Bytes. */
  size: number;
  /** Absent: it is no text, or too long to be shown. */
  text?: string;
}

/** One file at both ends of a span; an end where it is not there is absent. */
export interface ChangedFile {
  /** Absent: nothing differs. */
  difference?: FileChangeText;
  before?: Side;
  after?: Side;
  /** The file's version now; `absent` where it is gone. */
  now: string;
}

/** A checkpoint in which a file became another. */
export interface FileMoment {
  checkpoint: string;
  /** The checkpoint before it; absent: there is none. */
  before?: string;
  label: string;
  /** Milliseconds since 1970. */
  at: number;
  kind: "added" | "changed" | "removed";
}

const at = (project: string, rest: string) =>
  `/api/projects/${encodeURIComponent(project)}/changes/${rest}`;

export function readChangedFile(
  project: string,
  { from, to }: Span,
  path: ProjectPath,
  signal?: AbortSignal,
): Promise<ChangedFile> {
  const query = new URLSearchParams({ from, path });
  if (to !== undefined) query.set("to", to);
  return getJson(at(project, `file?${query.toString()}`), signal);
}

export async function readFileHistory(
  project: string,
  path: ProjectPath,
  signal?: AbortSignal,
): Promise<FileMoment[]> {
  const query = new URLSearchParams({ path });
  return (
    await getJson<{ moments: FileMoment[] }>(at(project, `history?${query.toString()}`), signal)
  ).moments;
}

/** The bytes that a file had at a checkpoint. */
export const bytesAt = (project: string, checkpoint: string, path: ProjectPath) =>
  at(project, `raw?${new URLSearchParams({ at: checkpoint, path }).toString()}`);

/**
 * Undoes what became of a file, all of it or those changes. `version` is the one that was seen: another is left alone.
 * @returns its version now, and the checkpoint that has how it was
 */
export const undoChange = (
  project: string,
  change: Span & { path: ProjectPath; version: string; hunks?: readonly Hunk[] | undefined },
) => sendJson<{ version: string; kept: string }>("POST", at(project, "undo"), change);
