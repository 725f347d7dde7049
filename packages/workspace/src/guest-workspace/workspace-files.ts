import type { ProjectPath } from "@treadle/protocol";
import { checkPath } from "../paths.ts";
import { WorkspaceError, type WorkspaceFiles } from "../types.ts";
import { readFileStream, writeFileStream, writeWhole } from "./file-streams.ts";
import type { Request } from "./guest-link.ts";

/** The files of a workspace, by way of its guest. */
export function createWorkspaceFiles(options: {
  request: Request;
  /** Of the sandbox that runs now: what is read in pieces is read from one. */
  sandbox(): Promise<Request>;
  /** The same, where there is room to write. */
  room(): Promise<Request>;
  /** Called before and after a path is written, removed, or moved from or to. */
  written(path: ProjectPath): void;
}): WorkspaceFiles {
  const { request, sandbox, room } = options;
  async function writing<T>(paths: ProjectPath[], act: () => Promise<T>): Promise<T> {
    for (const path of paths) options.written(path);
    try {
      return await act();
    } finally {
      for (const path of paths) options.written(path);
    }
  }
  return {
    async read(named, { limit } = {}) {
      const { result, body } = await request("read", { path: fileAt(named), limit });
      return { bytes: body, version: result.version };
    },
    async write(named, content, write = {}) {
      const path = fileAt(named);
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      return writing([path], async () => writeWhole(await room(), path, bytes, write));
    },
    readStream: async (named) => readFileStream(await sandbox(), fileAt(named)),
    async writeStream(named, pieces, write = {}) {
      const path = fileAt(named);
      return writing([path], async () => writeFileStream(await room(), path, pieces, write));
    },
    async remove(named) {
      const path = checkPath(named);
      await writing([path], () => request("remove", { path }));
    },
    async rename(namedFrom, namedTo) {
      const [from, to] = [checkPath(namedFrom), checkPath(namedTo)];
      await writing([from, to], () => request("rename", { from, to }));
    },
    list: async ({ under, limit } = {}) =>
      (await request("list", { under: under === undefined ? under : checkPath(under), limit }))
        .result,
    search: async ({ under, ...query }) =>
      (await request("search", { ...query, under: under === undefined ? under : checkPath(under) }))
        .result,
  };
}

/** @throws WorkspaceError for `a.txt/`, which can only be a folder. */
function fileAt(named: string): ProjectPath {
  const path = checkPath(named);
  if (!named.endsWith("/") || path === "") return path;
  throw new WorkspaceError("not-a-file", `${JSON.stringify(named)} names a folder`);
}
