import type { ProjectPath } from "@treadle/protocol";
import { isUnder, movedPath } from "@treadle/protocol/project-path";
import type { FileWritten, Workspace } from "@treadle/workspace";
import type { Act } from "./authors.ts";

/** Files of a folder whose new or former place is known to be its author's. */
const LISTED = 20_000;
/** Of them so many are looked into, so that each is known by its version; the others are known by their size. */
const READ = 400;
/** Bytes of a file that a watcher tells the version of. */
const VERSIONED = 4 * 1024 * 1024;

/** What the person, or the model, does to files: announced before it is done, and noted before that is over. */
export interface AnnouncedFiles {
  /** As the workspace's `write`, or its `writeStream`. */
  write(
    path: ProjectPath,
    content: string | Uint8Array | AsyncIterable<Uint8Array>,
    options?: { ifVersion?: string; executable?: boolean },
  ): Promise<FileWritten>;
  /** @param check is asked first and may throw */
  remove(path: ProjectPath, check?: () => Promise<void>): Promise<void>;
  rename(from: ProjectPath, to: ProjectPath): Promise<void>;
}

/** All reject as the workspace does. */
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
      // What is uploaded may take long to come, and is put in its place only then.
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

/** The workspace as it is, with another way to write, remove and rename. */
export function withFiles(workspace: Workspace, own: AnnouncedFiles): Workspace {
  return through(workspace, { files: through(workspace.files, own) });
}

/** What stands in `own`, and all else of what is behind it. */
function through<T extends object>(behind: T, own: Partial<T>): T {
  return new Proxy(behind, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof T];
      const value: unknown = Reflect.get(behind, name, behind);
      return typeof value === "function" ? value.bind(behind) : value;
    },
  });
}
