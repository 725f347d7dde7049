import { fromBase64, toBase64 } from "../ui/base64.ts";
import type { ProjectPath, TabChanges, TabFile, ToTab } from "@treadle/protocol";
import type { FileSystemTree, WebContainer } from "@webcontainer/api";

type Files = Extract<ToTab, { type: "files" }>;

/** Names of folders created by tools, whose contents are not part of the project. */
export type IgnoredFolders = Extract<ToTab, { type: "hello" }>["leftOut"];

/** The container's files, and which of them the server knows. */
export class ContainerFiles {
  readonly #container: WebContainer;
  readonly #ignoredFolders: IgnoredFolders;
  /** The files as the server has them. */
  readonly #known = new Map<string, string>();
  /** Number of the server's last update. */
  #number = 0;

  constructor(container: WebContainer, ignoredFolders: IgnoredFolders) {
    this.#container = container;
    this.#ignoredFolders = ignoredFolders;
  }

  async apply({ number, whole: isComplete, files, removed }: Files): Promise<void> {
    this.#number = number;
    const { fs } = this.#container;
    for (const path of removed) {
      this.#known.delete(path);
      await fs.rm(path, { force: true, recursive: true });
    }
    for (const { path, base64 } of files) this.#known.set(path, base64);
    if (isComplete) return this.#container.mount(treeOf(files));
    for (const { path, base64 } of files) {
      const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      if (folder !== "") await fs.mkdir(folder, { recursive: true });
      await fs.writeFile(path, fromBase64(base64));
    }
  }

  /** Reads a file as base64. @returns undefined if it does not exist */
  async read(path: string): Promise<string | undefined> {
    return this.#container.fs.readFile(path).then(toBase64, () => undefined);
  }

  /**
   * The files changed and removed since the server's last update or the last call; the server counts as knowing them.
   */
  async changes(): Promise<TabChanges> {
    const found = new Set<string>();
    const files: TabFile[] = [];
    for await (const path of this.#walk("")) {
      const base64 = await this.read(path);
      if (base64 === undefined) continue;
      found.add(path);
      if (this.#known.get(path) === base64) continue;
      this.#known.set(path, base64);
      files.push({ path: path as ProjectPath, base64 });
    }
    const removed = [...this.#known.keys()].filter((path) => !found.has(path)) as ProjectPath[];
    for (const path of removed) this.#known.delete(path);
    return { number: this.#number, files, removed };
  }

  /**
   * Counts file writes from now on, except in dependencies. @returns a function that stops counting and returns the
   * number
   */
  countWrites(): () => number {
    const written = new Set<string>();
    const watcher = this.#container.fs.watch(".", { recursive: true }, (_event, name) => {
      const path = String(name);
      if (!/(?:^|\/)(?:node_modules|\.git)(?:\/|$)/.test(path)) written.add(path);
    });
    return () => {
      watcher.close();
      return written.size;
    };
  }

  async *#walk(folder: string): AsyncIterable<string> {
    const entries = await this.#container.fs.readdir(folder || ".", { withFileTypes: true });
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (this.#ignoredFolders.anywhere.includes(entry.name)) continue;
      if (folder === "" && this.#ignoredFolders.atRoot.includes(entry.name)) continue;
      if (entry.isDirectory()) yield* this.#walk(path);
      else if (entry.isFile()) yield path;
    }
  }
}

function treeOf(files: readonly TabFile[]): FileSystemTree {
  const tree: FileSystemTree = {};
  for (const { path, base64 } of files) {
    const names = path.split("/");
    const name = names.pop() ?? "";
    let folder = tree;
    for (const one of names) {
      const inside = (folder[one] ??= { directory: {} });
      if (!("directory" in inside)) break;
      folder = inside.directory;
    }
    folder[name] = { file: { contents: fromBase64(base64) } };
  }
  return tree;
}
