import type { ProjectPath } from "@treadle/protocol";
import { isUnder, movedPath } from "@treadle/protocol/project-path";
import type { FileWritten, Workspace } from "@treadle/workspace";
import type { Act } from "./authors.ts";

/** Maximum number of files of a folder whose move is attributed to its author. */
const LISTED = 20_000;
/**
 * Number of these that are read, so that their version is known; the others are identified by their
 * size.
 */
const READ = 400;
/** Maximum size of a file, in bytes, for which a watcher reports the version. */
const VERSIONED = 4 * 1024 * 1024;

/**
 * File operations by the person or the model: announced before they are done, and recorded before
 * they are over.
 */
export interface AnnouncedFiles {
  /** Writes a file like `write` or `writeStream` of the workspace. */
  write(
    path: ProjectPath,
    content: string | Uint8Array | AsyncIterable<Uint8Array>,
    options?: { ifVersion?: string; executable?: boolean },
  ): Promise<FileWritten>;
  /** Removes a file or a folder. @param check called first; may throw */
  remove(path: ProjectPath, check?: () => Promise<void>): Promise<void>;
  rename(from: ProjectPath, to: ProjectPath): Promise<void>;
}

/** Creates file operations that are announced by `announce`. All of them reject as the workspace does. */
export function announcedFiles(
  { files }: Workspace,
  announce: (paths: readonly ProjectPath[]) => Act,
): AnnouncedFiles {
  async function announced<T>(paths: ProjectPath[], work: (act: Act) => Promise<T>): Promise<T> {
    const act = announce(paths);
    try {
      return await work(act);
    } finally {
      act.end();
    }
  }
  return {
    async write(path, content, options) {
      if (typeof content === "string" || content instanceof Uint8Array)
        return announced([path], async (act) =>
          noted(act, path, await files.write(path, content, options)),
        );
      // An upload may take long, so it is announced only at its end, when the file is put in place.
      const acts: Act[] = [];
      const pieces = thenDo(content, () => acts.push(announce([path])));
      try {
        const written = await files.writeStream(path, pieces, options);
        for (const act of acts) noted(act, path, written);
        return written;
      } finally {
        for (const act of acts) act.end();
      }
    },
    remove: (path, check) =>
      announced([path], async (act) => {
        await check?.();
        const held = await heldBy(files, path);
        await files.remove(path);
        for (const file of held) act.left(file.path, "");
      }),
    rename: (from, to) =>
      announced([from, to], async (act) => {
        const held = await heldBy(files, from);
        await files.rename(from, to);
        for (const [index, { path, size = 0 }] of held.entries()) {
          const moved = movedPath(path, from, to);
          act.left(path, "");
          const read =
            index < READ && size <= VERSIONED
              ? await files.read(moved, { limit: VERSIONED }).catch(() => undefined)
              : undefined;
          if (read) act.left(moved, read.version);
          else act.leftSized(moved, size);
        }
      }),
  };
}

function noted(act: Act, path: ProjectPath, written: FileWritten): FileWritten {
  act.left(path, written.version);
  if (written.size > VERSIONED) act.leftSized(path, written.size);
  return written;
}

async function* thenDo<T>(pieces: AsyncIterable<T>, done: () => void): AsyncGenerator<T> {
  yield* pieces;
  done();
}

/** The file itself, or the files of a folder. */
async function heldBy(
  files: Workspace["files"],
  path: ProjectPath,
): Promise<{ path: ProjectPath; size?: number }[]> {
  const listed = await files.list({ under: path, limit: LISTED }).catch(() => ({ files: [] }));
  const inside = listed.files.filter(
    (file) => file.kind === "file" && file.path !== path && isUnder(file.path, path),
  );
  return inside.length > 0 ? inside : [{ path }];
}

/** The workspace with different implementations of write, remove and rename. */
export function withFiles(workspace: Workspace, own: AnnouncedFiles): Workspace {
  return through(workspace, { files: through(workspace.files, own) });
}

/** Overrides properties of `behind` with those in `own`. */
function through<T extends object>(behind: T, own: Partial<T>): T {
  return new Proxy(behind, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof T];
      const value: unknown = Reflect.get(behind, name, behind);
      return typeof value === "function" ? value.bind(behind) : value;
    },
  });
}
