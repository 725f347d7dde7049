import type { ProjectPath } from "@treadle/protocol";
import type { Hunk } from "@treadle/dialects/diff";
import type { FileChangeText } from "./projects.ts";
import { getJson, sendJson } from "./request.ts";

/** Two checkpoints; without `to`, a checkpoint and the current files. */
export interface Span {
  from: string;
  to?: string | undefined;
}

interface Side {
  version: string;
  /** Bytes. */
  size: number;
  /** Undefined if the file is not text, or too long to show. */
  text?: string;
}

/** One file at both ends of a span; an end at which it does not exist is undefined. */
export interface ChangedFile {
  /** Undefined if the file is the same at both ends. */
  difference?: FileChangeText;
  before?: Side;
  after?: Side;
  /** The current version, or `absent` if the file was deleted. */
  now: string;
}

/** A checkpoint in which a file changed. */
export interface FileMoment {
  checkpoint: string;
  /** The previous checkpoint; undefined for the first one. */
  before?: string;
  label: string;
  /** Milliseconds since 1970. */
  at: number;
  kind: "added" | "changed" | "removed";
}

const apiPath = (project: string, rest: string) =>
  `/api/projects/${encodeURIComponent(project)}/changes/${rest}`;

export function readChangedFile(
  project: string,
  { from, to }: Span,
  path: ProjectPath,
  signal?: AbortSignal,
): Promise<ChangedFile> {
  const query = new URLSearchParams({ from, path });
  if (to !== undefined) query.set("to", to);
  return getJson(apiPath(project, `file?${query.toString()}`), signal);
}

export async function readFileHistory(
  project: string,
  path: ProjectPath,
  signal?: AbortSignal,
): Promise<FileMoment[]> {
  const query = new URLSearchParams({ path });
  return (
    await getJson<{ moments: FileMoment[] }>(
      apiPath(project, `history?${query.toString()}`),
      signal,
    )
  ).moments;
}

/** The bytes of a file at a checkpoint. */
export const bytesAt = (project: string, checkpoint: string, path: ProjectPath) =>
  apiPath(project, `raw?${new URLSearchParams({ at: checkpoint, path }).toString()}`);

/**
 * Reverts the change of a file, completely or only the given hunks. Leaves the file alone if `version` is not its current
 * version.
 * @returns its new version, and the checkpoint that holds its state before the undo
 */
export const undoChange = (
  project: string,
  change: Span & { path: ProjectPath; version: string; hunks?: readonly Hunk[] | undefined },
) => sendJson<{ version: string; kept: string }>("POST", apiPath(project, "undo"), change);
