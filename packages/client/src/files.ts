import type { FileInfo } from "@treadle/protocol";
import { TreadleError } from "./treadle-error.ts";
import type { Wire } from "./project.ts";

/** A file's content on the server. */
export interface ReadFile {
  bytes: Uint8Array;
  /**
   * Identifies this content; undefined for a long file that the server did not read completely
   * before sending it.
   */
  version: string | undefined;
}

/** The files of a project; paths are relative to it, with `/`. */
export interface ProjectFiles {
  /** Lists files without dependencies and caches. `more`: there are more than the server lists. */
  list(): Promise<{ files: FileInfo[]; more: boolean }>;
  /**
   * @param options `unless`: a known version; answers `known` if the file still has it
   * @returns undefined if there is no such file
   */
  read(path: string, options?: { unless?: string | undefined }): Promise<ReadFile | "known" | undefined>; // prettier-ignore
  /**
   * Writes a file atomically.
   * @param expected its current version; undefined: the file does not exist
   * @param options `unseen`: nobody has read it, so the write approves nothing that other programs
   * obey
   * @throws TreadleError `conflict` if it has another version; nothing was written
   */
  write(path: string, content: Uint8Array<ArrayBuffer> | string, expected: string | undefined, options?: { unseen?: boolean }): Promise<{ version: string }>; // prettier-ignore
  /** @throws TreadleError like `write`; `missing` if it was deleted already */
  remove(path: string, expected: string): Promise<void>;
}

export function createFiles({ open }: Pick<Wire, "open">, project: string): ProjectFiles {
  const base = `/api/projects/${encodeURIComponent(project)}/files`;
  const at = (path: string) => `${base}/${path.split("/").map(encodeURIComponent).join("/")}`;
  return {
    async list() {
      return (await (await open(base)).json()) as { files: FileInfo[]; more: boolean };
    },
    async read(path, { unless } = {}) {
      const headers: Record<string, string> =
        unless === undefined ? {} : { "if-none-match": `"${unless}"` };
      try {
        const response = await open(`${at(path)}?raw`, { headers });
        const version = /^(?:W\/)?"(.*)"$/.exec(response.headers.get("etag") ?? "")?.[1];
        return { bytes: new Uint8Array(await response.arrayBuffer()), version };
      } catch (error) {
        if (!(error instanceof TreadleError)) throw error;
        if (error.status === 304) return "known";
        if (error.status === 404) return undefined;
        throw error;
      }
    },
    async write(path, content, expected, { unseen = false } = {}) {
      const response = await open(`${at(path)}${unseen ? "?unseen=true" : ""}`, {
        method: "PUT",
        headers: {
          "content-type": "application/octet-stream",
          ...(expected === undefined ? { "if-none-match": "*" } : { "if-match": `"${expected}"` }),
        },
        body: content,
      });
      return (await response.json()) as { version: string };
    },
    async remove(path, expected) {
      await open(at(path), { method: "DELETE", headers: { "if-match": `"${expected}"` } });
    },
  };
}
