import type { ProjectPath, TabChanges, TabFile, ToTab } from "@treadle/protocol";
import { isIgnored, leadsThroughForeign } from "../ignored.ts";
import { checkPath } from "../paths.ts";
import { WorkspaceError, type Workspace } from "../types.ts";

/** Maximum number of base64 characters in one message; a large project takes several. */
const MESSAGE_CHARACTERS = 4 * 1024 * 1024;

/** Synchronizes the tab's files with the project's. Changes are sent in order, before any command that may read them. */
export interface TabFiles {
  /** Sends all files to a new container. */
  all(): Promise<void>;
  /** Call when these files may have changed. */
  changed(paths: Iterable<ProjectPath>): void;
  /** Call when any file may have changed. */
  anyChanged(): void;
  /** Resolves when all changes until now have been sent. */
  settled(): Promise<void>;
  /** Copies files that a command changed in the tab to the project. */
  takeBack(changes: TabChanges): Promise<void>;
}

export function createTabFiles(
  files: Workspace["files"],
  send: (message: ToTab) => void,
  onFailure: (error: unknown) => void,
): TabFiles {
  /** Versions that the tab has; undefined if there is no tab, or nothing was sent to it. */
  let known: Map<ProjectPath, string> | undefined;
  let number = 0;
  /** For each path, the number of the message that last contained it. */
  const reported = new Map<ProjectPath, number>();
  let order: Promise<void> = Promise.resolve();
  const dirty = new Set<ProjectPath>();

  const inOrder = (act: () => Promise<void>): Promise<void> => {
    order = order.then(act).catch(onFailure);
    return order;
  };

  async function read(path: ProjectPath): Promise<(TabFile & { version: string }) | undefined> {
    try {
      const { bytes, version } = await files.read(path);
      return { path, version, base64: Buffer.from(bytes).toString("base64") };
    } catch (error) {
      const gone = ["missing", "not-a-file", "path"];
      if (error instanceof WorkspaceError && gone.includes(error.code)) return undefined;
      throw error;
    }
  }

  async function notify(paths: Iterable<ProjectPath>, isWhole: boolean): Promise<void> {
    if (isWhole) {
      known = new Map();
      reported.clear();
    }
    if (!known) return;
    let message: Extract<ToTab, { type: "files" }> = next(isWhole);
    let size = 0;
    try {
      for (const path of paths) {
        if (leadsThroughForeign(path)) continue;
        const file = await read(path);
        if (file?.version === known.get(path)) continue;
        if (!file) {
          known.delete(path);
          reported.set(path, message.number);
          message.removed.push(path);
          continue;
        }
        known.set(path, file.version);
        reported.set(path, message.number);
        message.files.push({ path, base64: file.base64 });
        size += file.base64.length;
        if (size < MESSAGE_CHARACTERS) continue;
        send(message);
        message = next(false);
        size = 0;
      }
    } finally {
      // The paths read before the failure are known, so they must be sent.
      if (message.whole || message.files.length + message.removed.length > 0) send(message);
    }
  }

  const next = (isWhole: boolean): Extract<ToTab, { type: "files" }> => ({
    type: "files",
    number: ++number,
    whole: isWhole || undefined,
    files: [],
    removed: [],
  });

  async function all(): Promise<ProjectPath[]> {
    const { files: listed } = await files.list();
    return listed.filter(({ kind }) => kind === "file").map(({ path }) => path);
  }

  /** Sends these paths; those of a failed message are sent again with the next. */
  async function tellAll(paths: readonly ProjectPath[], isWhole: boolean): Promise<void> {
    dirty.clear();
    try {
      await notify(paths, isWhole);
    } catch (error) {
      for (const path of paths) dirty.add(path);
      throw error;
    }
  }

  const flush = () => inOrder(() => tellAll([...dirty], false));

  return {
    all: () =>
      inOrder(async () => {
        await tellAll(await all(), true);
      }),
    changed(paths) {
      if (!known) return;
      for (const path of paths) dirty.add(path);
      void flush();
    },
    anyChanged() {
      if (!known) return;
      void inOrder(async () =>
        tellAll([...new Set([...dirty, ...known!.keys(), ...(await all())])], false),
      );
    },
    settled: () => (known && dirty.size > 0 ? flush() : order),
    async takeBack({ number: seen, files: written, removed }) {
      // Whether a command in the tab created an ignored file, which is not the project's own of that name.
      const isMade = (path: ProjectPath) =>
        isIgnored(path) && (leadsThroughForeign(path) || known?.has(path) !== true);
      // A newer change of the project wins: it has already been sent to the tab.
      const isOlder = (path: ProjectPath) => (reported.get(path) ?? 0) > seen;
      for (const { path: given, base64 } of written) {
        const path = checkPath(String(given));
        if (isMade(path) || isOlder(path)) continue;
        const content = Buffer.from(String(base64), "base64");
        try {
          const ifVersion = known?.get(path) ?? "absent";
          known?.set(path, (await files.write(path, content, { ifVersion })).version);
        } catch (error) {
          if (!(error instanceof WorkspaceError) || error.code !== "conflict") throw error;
          // The project's file changed meanwhile. It is kept and sent to the tab.
          known?.delete(path);
          dirty.add(path);
          void flush();
        }
      }
      for (const given of removed) {
        const path = checkPath(String(given));
        if (isMade(path) || isOlder(path)) continue;
        known?.delete(path);
        await files.remove(path).catch((error: unknown) => {
          if (!(error instanceof WorkspaceError) || error.code !== "missing") throw error;
        });
      }
    },
  };
}
