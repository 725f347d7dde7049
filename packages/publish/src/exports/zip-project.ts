import { buffer } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import type { ProjectPath } from "@treadle/protocol";
import { shownPath } from "@treadle/agent";
import { holdsEnvironment } from "@treadle/protocol/project-path";
import { checkPath, WorkspaceError, type Workspace } from "@treadle/workspace";
import { Zip, ZipDeflate } from "fflate";
import { databaseAtOnce } from "@treadle/app-database";
import { createPortableNames, plainName } from "./portable-names.ts";

/**
 * Maximum size of a file, in bytes, because it is held in memory; larger ones are left out and
 * listed in a note.
 */
const FILE_BYTES = 64 * 1024 * 1024;
const TOO_LARGE = "over 64 MB";
const FILES = 100_000;
/** Bytes compressed at a time, which takes some milliseconds. */
const PIECE = 256 * 1024;
/** Bytes buffered for a slow client before the next file is read. */
const WAITING_BYTES = 1024 * 1024;

/**
 * Whether a path means the same wherever the archive is unpacked: some systems treat a backslash as
 * a separator.
 */
function isPlain(path: string): boolean {
  try {
    return checkPath(path) === path;
  } catch {
    return false;
  }
}

/** The bytes of a file, or why there are none. Throws if the workspace has ended. */
async function readFile(workspace: Workspace, path: ProjectPath): Promise<Uint8Array | string> {
  try {
    const database = await databaseAtOnce(workspace, path);
    if (database) {
      if (database.size <= FILE_BYTES) return await buffer(database.pieces);
      await database.close();
      return TOO_LARGE;
    }
    return (await workspace.files.read(path, { limit: FILE_BYTES })).bytes;
  } catch (error) {
    if (!(error instanceof WorkspaceError) || ["stopped", "sandbox"].includes(error.code))
      throw error;
    return error.message;
  }
}

/**
 * Streams a project, or a folder of it, as a ZIP, one file at a time, at the client's speed.
 * @param options.withSecrets includes its `.env` files
 * @param options.isPrivate excludes further files, by their bytes
 * @param options.added further text files, whose names the project does not use
 */
export function zipProject(
  workspace: Workspace,
  under: ProjectPath,
  {
    withSecrets,
    isPrivate = () => false,
    added = {},
  }: {
    withSecrets: boolean;
    isPrivate?(path: string, bytes: Uint8Array): boolean | Promise<boolean>;
    added?: Readonly<Record<string, string>>;
  },
): ReadableStream<Uint8Array> {
  let cancelled = false;
  let drained: (() => void) | undefined;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const zip = new Zip((error, chunk, final) => {
          if (error) return controller.error(error);
          controller.enqueue(chunk);
          if (final) controller.close();
        });
        const add = async (path: string, bytes: Uint8Array) => {
          const file = new ZipDeflate(path, { level: 6 });
          zip.add(file);
          for (let at = 0; at + PIECE < bytes.length; at += PIECE) {
            file.push(bytes.subarray(at, at + PIECE));
            // Yields between chunks, since compression shares the thread with all requests (A73).
            await setImmediate();
            await taken();
            if (cancelled) return;
          }
          file.push(bytes.subarray(Math.floor((bytes.length - 1) / PIECE) * PIECE), true);
        };
        const taken = async () => {
          if (!cancelled && (controller.desiredSize ?? 0) <= 0)
            await new Promise<void>((resolve) => (drained = resolve));
        };
        const fill = async () => {
          const { files, more } = await workspace.files.list({ under, limit: FILES });
          const left: string[] = [];
          const leave = (path: string, why: string) => left.push(`${shownPath(path)}: ${why}`);
          const names = createPortableNames();
          /** Files that are in the archive a second time, under portable names. */
          const again = new Map<ProjectPath, string>();
          if (more) leave("", `more than ${FILES.toLocaleString("en")} files`);
          for (const { path, kind, size } of files) {
            if (kind === "folder") continue;
            if (kind !== "file") leave(path, "it is no file, but a link or the like");
            else if (!withSecrets && holdsEnvironment(path)) leave(path, "it may hold secrets");
            else if (!isPlain(path)) leave(path, "its name would lead elsewhere on another system");
            else if (size > FILE_BYTES) leave(path, TOO_LARGE);
            else {
              const read = await readFile(workspace, path);
              if (typeof read === "string") leave(path, read);
              else if (await isPrivate(path, read)) leave(path, "it may hold secrets");
              else {
                await add(path, read);
                const problem = names.problem(path);
                if (problem) again.set(path, problem.why);
                if (problem?.other !== undefined)
                  again.set(
                    problem.other as ProjectPath,
                    `where case does not count it is the same as ${shownPath(path)}`,
                  );
              }
            }
            await taken();
            if (cancelled) return zip.terminate();
          }
          for (const [name, text] of Object.entries(added))
            await add(name, new TextEncoder().encode(text));
          const note = (name: string, words: string, lines: string[]) =>
            add(name, new TextEncoder().encode(`${words}\n${lines.join("\n")}\n`));
          if (again.size > 0) {
            const folder = names.free("OTHER-NAMES");
            const lines: string[] = [];
            for (const [path, why] of again) {
              const name = plainName(path, lines.length + 1);
              const read = await readFile(workspace, path);
              if (typeof read !== "string") await add(`${folder}/${name}`, read);
              lines.push(`${name} is ${shownPath(path)}: ${why}`);
              await taken();
              if (cancelled) return zip.terminate();
            }
            await note(`${folder}/LIST.txt`, "Here once more, as not every system can hold their names:", lines); // prettier-ignore
          }
          if (left.length > 0)
            await note(names.free("LEFT-OUT", ".txt"), "Left out, and why:", left);
          zip.end();
        };
        fill().catch((error: unknown) => controller.error(error));
      },
      pull() {
        drained?.();
        drained = undefined;
      },
      cancel() {
        cancelled = true;
        drained?.();
      },
    },
    { highWaterMark: WAITING_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
