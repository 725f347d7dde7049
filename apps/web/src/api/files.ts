import type { FileBody, FileInfo, ProjectPath } from "@treadle/protocol";
import { ApiFailure, getJson, request } from "./request.ts";
import { words } from "../words/words.ts";

/** Query parameter for writing a file that the person has not read completely. */
export const UNSEEN = "?unseen=true";

export const fileAddress = (project: string, path: ProjectPath) =>
  `/api/projects/${encodeURIComponent(project)}/files/${path.split("/").map(encodeURIComponent).join("/")}`;

export async function listFiles(project: string, signal?: AbortSignal): Promise<FileInfo[]> {
  const body = await getJson<{ files: FileInfo[] }>(
    `/api/projects/${encodeURIComponent(project)}/files`,
    signal,
  );
  return body.files;
}

export const readFile = (project: string, path: ProjectPath, signal?: AbortSignal) =>
  getJson<FileBody>(fileAddress(project, path), signal);

/** The URL of the file's raw bytes. */
export const rawAddress = (project: string, path: ProjectPath) =>
  `${fileAddress(project, path)}?raw=1`;

/** Reads a range of the file's bytes; the range may extend beyond its end. */
export async function readPart(
  project: string,
  path: ProjectPath,
  from: number,
  length: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await request(rawAddress(project, path), {
    headers: { range: `bytes=${from}-${from + length - 1}` },
    signal,
  });
  return new Uint8Array(await response.arrayBuffer());
}

/** The error of a write that was refused because someone else changed the file since it was read. */
export class FileConflict extends Error {
  /** The file on the disk; undefined if it was deleted. */
  readonly theirs: FileBody | undefined;
  constructor(path: ProjectPath, theirs: FileBody | undefined) {
    super(words.api.changed({ path }));
    this.name = "FileConflict";
    this.theirs = theirs;
  }
}

/**
 * Writes a file if its version is still `version` (undefined: if it does not exist). Resolves with the new version.
 * @param options.unseen whether the person has not read it completely; the write then approves nothing that other
 * programs obey
 * @throws FileConflict if someone else wrote first; ApiFailure otherwise
 */
export async function writeFile(
  project: string,
  path: ProjectPath,
  text: string,
  version: string | undefined,
  { unseen = false } = {},
): Promise<string> {
  try {
    const response = await request(fileAddress(project, path) + (unseen ? UNSEEN : ""), {
      method: "PUT",
      headers: {
        "content-type": "application/json",
        ...(version === undefined ? { "if-none-match": "*" } : { "if-match": `"${version}"` }),
      },
      body: JSON.stringify({ text }),
    });
    const body = (await response.json()) as Partial<FileBody>;
    return body.version ?? response.headers.get("etag")?.replace(/^W\/|"/g, "") ?? "";
  } catch (error) {
    if (error instanceof ApiFailure && (error.status === 409 || error.status === 412)) {
      const theirs = await readFile(project, path).catch(() => undefined);
      throw new FileConflict(path, theirs);
    }
    throw error;
  }
}

/** Moves a file or folder; never replaces an existing one. */
export const renameFile = (project: string, from: ProjectPath, to: ProjectPath) =>
  request(`/api/projects/${encodeURIComponent(project)}/files/rename`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ from, to }),
  });

export const removeFile = (project: string, path: ProjectPath, version?: string) =>
  request(fileAddress(project, path), {
    method: "DELETE",
    headers: version === undefined ? {} : { "if-match": `"${version}"` },
  });
