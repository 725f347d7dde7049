import type { WorkspaceFiles } from "../types.ts";
import { readFileStream, writeFileStream, writeWhole } from "./file-streams.ts";
import type { GuestLink } from "./guest-link.ts";

/** The files of a workspace, by way of its guest. */
export function createWorkspaceFiles(options: {
  request: GuestLink["request"];
  /** Of the sandbox that runs now: what is read in pieces is read from one. */
  sandbox(): Promise<GuestLink["request"]>;
  /** The same, where there is room to write. */
  room(): Promise<GuestLink["request"]>;
  /** Called before and after a path is written, removed, or moved from or to. */
  written(path: string): void;
}): WorkspaceFiles {
  const { request, sandbox, room } = options;
  async function writing<T>(paths: string[], act: () => Promise<T>): Promise<T> {
    for (const path of paths) options.written(path);
    try {
      return await act();
    } finally {
      for (const path of paths) options.written(path);
    }
  }
  return {
    async read(path, read = {}) {
      const { result, body } = await request("read", { path, limit: read.limit });
      return { bytes: body, version: (result as { version: string }).version };
    },
    async write(path, content, write = {}) {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      return writing([path], async () => writeWhole(await room(), path, bytes, write));
    },
    readStream: async (path) => readFileStream(await sandbox(), path),
    writeStream: (path, pieces, write = {}) =>
      writing([path], async () => writeFileStream(await room(), path, pieces, write)),
    async remove(path) {
      await writing([path], () => request("remove", { path }));
    },
    async rename(from, to) {
      await writing([from, to], () => request("rename", { from, to }));
    },
    list: async (list = {}) => (await request("list", list)).result as never,
    search: async (query) => (await request("search", query)).result as never,
  };
}
