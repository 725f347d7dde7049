import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { textIn } from "./text-in.ts";
import type { GateFile } from "../types.ts";

/** Limits for reading a release: number of files, bytes of one, bytes in total. */
const MOST = { files: 3_000, file: 4 * 1024 * 1024, bytes: 40 * 1024 * 1024 };
/** Files read concurrently. */
const AT_ONCE = 8;
const NO_TEXT =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|woff2?|ttf|otf|eot|mp[34]|webm|ogg|wav|mov|pdf|zip|gz|br|wasm|db|sqlite3?|node)$/i;
/** Lock files consist of checksums, and have a check of their own. */
const LOCK_FILE = /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/;

interface Listed {
  path: string;
  size: number;
}

const isRead = ({ path }: Listed) => !NO_TEXT.test(path) && !LOCK_FILE.test(path);

/** The text files of a project. `left` is set if a limit kept some of them from being read. */
export async function sourceFiles({
  files,
}: Pick<Workspace, "files">): Promise<{ files: GateFile[]; left: boolean }> {
  const { files: listed, more } = await files.list({ limit: MOST.files });
  const read = await readAll(
    listed.filter(({ kind }) => kind === "file"),
    async (path) => (await files.read(path as ProjectPath, { limit: MOST.file })).bytes,
  );
  return { files: read.files, left: more || read.left };
}

/** The text files of a folder on the host that only Treadle has written, within the same limits. */
export async function builtFiles(folder: string): Promise<{ files: GateFile[]; left: boolean }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const listed: Listed[] = [];
  for (const path of paths.slice(0, MOST.files))
    listed.push({ path, size: (await stat(join(folder, path))).size });
  const read = await readAll(listed, (path) => readFile(join(folder, path)));
  return { files: read.files, left: read.left || paths.length > MOST.files };
}

async function readAll(
  listed: readonly Listed[],
  read: (path: string) => Promise<Uint8Array>,
): Promise<{ files: GateFile[]; left: boolean }> {
  const filesToRead = listed.filter(isRead);
  const files: GateFile[] = [];
  let left = false;
  let room = MOST.bytes;
  for (let at = 0; at < filesToRead.length; at += AT_ONCE) {
    const now = filesToRead.slice(at, at + AT_ONCE).filter(({ size }) => {
      const fits = size <= MOST.file && size <= room;
      if (fits) room -= size;
      else left = true;
      return fits;
    });
    files.push(
      ...(await Promise.all(
        now.map(async ({ path }) => ({
          path,
          text: textIn(await read(path)),
        })),
      )),
    );
  }
  return { files, left };
}
