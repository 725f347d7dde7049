import { Zip, ZipPassThrough } from "fflate";

/** Number of bytes gathered before they become a Blob, which the browser may store outside memory. */
const PIECE_BYTES = 16 * 1024 * 1024;

/** A file in a folder, by its relative path. */
export interface FolderFile {
  file: Blob;
  path: string;
}

/**
 * Packs a folder as an uncompressed ZIP, since the server is nearby; the server decides which files belong to the project.
 * Rejects as soon as a file cannot be read, or with the signal's reason.
 */
export async function packFolder(files: readonly FolderFile[], signal: AbortSignal): Promise<Blob> {
  const chunks: Blob[] = [];
  let gathered: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let problem: Error | undefined;
  const zip = new Zip((error, piece) => {
    problem ??= error ?? undefined;
    if (error) return;
    gathered.push(piece as Uint8Array<ArrayBuffer>);
    bytes += piece.length;
    if (bytes < PIECE_BYTES) return;
    chunks.push(new Blob(gathered));
    gathered = [];
    bytes = 0;
  });
  for (const { file, path } of files) {
    const entry = new ZipPassThrough(path);
    zip.add(entry);
    const reader = file.stream().getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      signal.throwIfAborted();
      entry.push(read.value);
    }
    entry.push(new Uint8Array(), true);
    if (problem) throw problem;
  }
  zip.end();
  if (problem) throw problem;
  return new Blob([...chunks, ...gathered]);
}
