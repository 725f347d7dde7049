import type { ProjectPath } from "@treadle/protocol";
import { listFiles } from "../api/files.ts";
import { ApiFailure, sentence } from "../api/request.ts";
import { UPLOAD_BYTES, uploadFile } from "../api/upload.ts";
import { freeName, placeFor } from "./place-name.ts";
import { words } from "../words/words.ts";

/** A file to be sent with the message. */
export interface DraftFile {
  id: number;
  /** The person's name for it, relative to the dropped folder's parent. */
  path: string;
  content: Blob;
  /** Its path in the project, once uploaded. */
  placed?: ProjectPath;
  /** The fraction sent, from 0 to 1, during the upload. */
  share?: number;
  /** Why the upload failed. */
  problem?: string;
}

/**
 * Uploads files into the project one after the other, each under a free name. Existing files stay; after a failure the
 * remaining files are still tried.
 * @param options.under the target folder, as for `placeFor`
 * @returns their paths, in order
 * @throws Error with a sentence if one failed; `onChange` reported which, and why
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
        // A single file was chosen deliberately; a folder may contain files that the person never saw.
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
      // Someone else created a file of that name first; it is not replaced.
      if (!(error instanceof ApiFailure) || error.status !== 409) throw error;
      taken.add(path);
    }
  }
}
