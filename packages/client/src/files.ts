import type { FileInfo } from "@treadle/protocol";
import { TreadleError } from "./treadle-error.ts";
import type { Wire } from "./project.ts";

/** A file as the server has it. */
export interface ReadFile {
  bytes: Uint8Array;
  /** What stands for this content; undefined for a long file that the server did not read to its end before it sent it. */
  version: string | undefined;
}

/** The files of a project; paths are relative to it, with `/`. */
export interface ProjectFiles {
  /** Without dependencies and caches. `more`: there are more than the server lists. */
  list(): Promise<{ files: FileInfo[]; more: boolean }>;
  /**
   * @param options `unless`: a version that is known; `known` is answered where the file still has it
   * @returns undefined where there is no such file
   */
  read(path: string, options?: { unless?: string | undefined }): Promise<ReadFile | "known" | undefined>; // prettier-ignore
  /**
   * Writes a file whole, or not at all.
   * @param expected the version that stands there; undefined: there is no file
   * @param options `unseen`: nobody has read it, and nothing that other programs obey is agreed to with it
   * @throws TreadleError `conflict` where another stands there; nothing was written
   */
  write(path: string, content: Uint8Array<ArrayBuffer> | string, expected: string | undefined, options?: { unseen?: boolean }): Promise<{ version: string }>; // prettier-ignore
  /** @throws TreadleError as `write`; `missing` where it is gone already */
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
