import type { ProjectPath } from "@treadle/protocol";
import { listFiles } from "../api/files.ts";
import { ApiFailure, sentence } from "../api/request.ts";
import { UPLOAD_BYTES, uploadFile } from "../api/upload.ts";
import { freeName, placeFor } from "./place-name.ts";
import { words } from "../words/words.ts";

/** A file that is to go with the message. */
export interface DraftFile {
  id: number;
  /** As the person named it, below the folder that it was dropped in. */
  path: string;
  content: Blob;
  /** Where it is in the project, once it is. */
  placed?: ProjectPath;
  /** How much of it was sent, from 0 to 1, while it is. */
  share?: number;
  /** Why it is not there. */
  problem?: string;
}

/**
 * Puts files into the project, one after the other, each under a name that nothing has yet. What is there already is
 * left; the others are tried although one fails.
 * @param options.under where they go, as `placeFor` has it
 * @returns where they are, in their order
 * @throws Error with a sentence where one is not; `onChange` was told which, and why
 */
export async function placeFiles(
  project: string,
  files: readonly DraftFile[],
  onChange: (id: number, change: Partial<DraftFile>) => void,
  { signal, under }: { signal?: AbortSignal; under?: string } = {},
): Promise<ProjectPath[]> {
  const placed: ProjectPath[] = [];
  const failed: string[] = [];
  const taken = files.every((file) => file.placed !== undefined)
    ? new Set<ProjectPath>()
    : new Set((await listFiles(project, signal)).map(({ path }) => path));
  for (const file of files) {
    if (file.placed !== undefined) {
      placed.push(file.placed);
      continue;
    }
    try {
      onChange(file.id, { share: 0, problem: undefined });
      const path = await place(project, freeName(placeFor(file.path, under), taken), file, taken, {
        onShare: (share) => onChange(file.id, { share }),
        signal,
        // Who gives a file of its own means it; a folder may hold what they never saw.
        unseen: file.path.includes("/"),
      });
      taken.add(path);
      placed.push(path);
      onChange(file.id, { share: undefined, placed: path });
    } catch (error) {
      signal?.throwIfAborted();
      onChange(file.id, { share: undefined, problem: sentence(error) });
      failed.push(`${file.path}: ${sentence(error)}`);
    }
  }
  if (failed.length > 0) throw new Error(words.attachments.someFailed({ why: failed.join(" ") }));
  return placed;
}

async function place(
  project: string,
  requestedPath: ProjectPath,
  { content }: DraftFile,
  taken: Set<ProjectPath>,
  options: Parameters<typeof uploadFile>[3],
): Promise<ProjectPath> {
  if (content.size > UPLOAD_BYTES) throw new Error(words.attachments.tooLarge);
  for (let path = requestedPath; ; path = freeName(requestedPath, taken)) {
    try {
      await uploadFile(project, path, content, options);
      return path;
    } catch (error) {
      // Another hand was first; its file is not replaced.
      if (!(error instanceof ApiFailure) || error.status !== 409) throw error;
      taken.add(path);
    }
  }
}
