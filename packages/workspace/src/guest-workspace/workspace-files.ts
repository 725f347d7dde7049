import type { ProjectPath } from "@treadle/protocol";
import type { WorkspaceFiles } from "../types.ts";
import { readFileStream, writeFileStream, writeWhole } from "./file-streams.ts";
import type { Request } from "./guest-link.ts";
import type { createWrittenPaths } from "./written-paths.ts";

/** The files of a workspace, accessed through its guest. */
export function createWorkspaceFiles(options: {
  request: Request;
  /**
   * Returns requests to the running sandbox: a file read in pieces has to come from a single one.
   */
  sandbox(): Promise<Request>;
  /** As `sandbox`, but rejects with `no-space` if nothing may be written. */
  room(): Promise<Request>;
  /** Called before and after a path is written, removed, or moved from or to. */
  written(path: ProjectPath): void;
  /** Records paths written by the model or the person. */
  sources: Pick<ReturnType<typeof createWrittenPaths>, "add" | "remove">;
}): WorkspaceFiles {
  const { request, sandbox, room, sources } = options;
  async function writing<T>(paths: ProjectPath[], act: () => Promise<T>): Promise<T> {
    for (const path of paths) options.written(path);
    try {
      return await act();
    } finally {
      for (const path of paths) options.written(path);
    }
  }
  return {
    async read(path, { limit } = {}) {
      const { result, body } = await request("read", { path, limit });
      return { bytes: body, version: result.version };
    },
    async write(path, content, write = {}) {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      const result = await writing([path], async () =>
        writeWhole(await room(), path, bytes, write),
      );
      sources.add(path);
      return result;
    },
    readStream: async (path) => readFileStream(await sandbox(), path),
    async writeStream(path, pieces, write = {}) {
      const result = await writing([path], async () =>
        writeFileStream(await room(), path, pieces, write),
      );
      sources.add(path);
      return result;
    },
    async remove(path) {
      await writing([path], () => request("remove", { path }));
      sources.remove(path);
    },
    async rename(from, to) {
      await writing([from, to], () => request("rename", { from, to }));
      sources.remove(from);
      sources.add(to);
    },
    list: async (options = {}) => (await request("list", options)).result,
    search: async (query) => (await request("search", query)).result,
  };
}
