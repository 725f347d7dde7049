import { sentence } from "@treadle/protocol/sentences";
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { WorkspaceError, type FileDifference } from "../types.ts";
import { fromDisk } from "../paths.ts";
import type { ManifestEntry } from "../wire/requests.ts";
import { differing, differingFrom } from "./differing.ts";
import { treesOf, type KnownTrees } from "./git-trees.ts";
import { openObjectReader, type ObjectReader } from "./object-reader.ts";
import { writePack, type StoredObject } from "./pack-file.ts";
import { sizeOfFolder } from "./size-of-folder.ts";
import { openStoredObjects, type StoredObjects } from "./stored-objects.ts";

/**
 * Runs a script of git commands on the checkpoint store. Does not reject because of git's output or
 * exit code.
 */
export type RunGit = (
  script: string,
  input: string | Uint8Array,
) => Promise<{ code: number; output: Buffer; complaint: string }>;

/** Maximum length of a diff in bytes. Longer ones are cut: nobody reads them and no model should. */
const DIFF_LIMIT = 2 * 1024 * 1024;

/**
 * Maximum size of a file read through the guest, in bytes, and how many are read at once; git reads
 * longer ones.
 */
const [SHORT, AT_ONCE] = [1024 * 1024, 32];

/** Number of single-checkpoint packs that triggers a merge. */
const PACKS = 50;

/** Maximum size in bytes of files that are compared line by line: git's memory use for that is unbounded. */
const COMPARED = 4 * 1024 * 1024;

/** Number of bytes of a file that are read at once. */
export const PIECE = 32 * 1024 * 1024;

/**
 * Uses git as a store of trees: a git directory of Treadle's own beside the project, with plumbing commands only. Git
 * never decides what belongs to a tree and never changes a byte: Treadle lists every file, filters and attributes are
 * off, and no configuration of the host or the project is read.
 */
export function createGitStore(options: {
  gitDirectory: string;
  run: RunGit;
  /** Reads a file of the project; undefined if it is not a file, or longer than the limit. */
  read?(path: ProjectPath, limit: number): Promise<Uint8Array | undefined>;
}) {
  const { gitDirectory } = options;

  async function git(script: string, input: string | Uint8Array = ""): Promise<Buffer> {
    const { code, output, complaint } = await options.run(script, input);
    if (code === 0) return output;
    throw new WorkspaceError(
      /No space left/.test(complaint) ? "no-space" : "failed",
      sentence("checkpoint-store-failed", { why: complaint.trim() }),
    );
  }

  let stored: StoredObjects | undefined;
  const knownTrees: KnownTrees = new Map();
  let packs = 0;

  async function prepare(): Promise<StoredObjects> {
    if (stored) return stored;
    if (!existsSync(join(gitDirectory, "HEAD"))) {
      await git(
        `git init -q --bare --template= "$GIT_DIR" && mkdir -p "$GIT_DIR/info" "$GIT_DIR/objects/pack" &&
         printf '%s\\n' '* -text -filter -ident -working-tree-encoding' > "$GIT_DIR/info/attributes" &&
         git config gc.auto 0 && git config core.bare false && git config core.logAllRefUpdates false`,
      );
    }
    const folder = join(gitDirectory, "objects/pack");
    packs = existsSync(folder)
      ? readdirSync(folder).filter((name) => name.endsWith(".idx")).length
      : 0;
    return (stored = openStoredObjects(gitDirectory));
  }

  /**
   * Reads short files through the guest and stores them in packs of limited size: git would write
   * each as a separate file, which takes most of the time of a new project's first checkpoint.
   * @returns blobs that were read and are not stored yet, and the entries that git has to read:
   * links and long files
   */
  async function readShort(files: readonly ManifestEntry[]) {
    const left: ManifestEntry[] = [];
    let blobs: StoredObject[] = [];
    let held = 0;
    const readOne = async (entry: ManifestEntry) => {
      const { path, mode, hash } = entry;
      const bytes = mode === "120000" ? undefined : await options.read?.(path, SHORT);
      if (!bytes) return void left.push(entry);
      const head = `blob ${bytes.length}\0`;
      if (createHash("sha1").update(head).update(bytes).digest("hex") !== hash) throw changed(path);
      blobs.push({ type: "blob", hash, bytes });
      held += bytes.length;
    };
    for (let from = 0; from < files.length; from += AT_ONCE) {
      await Promise.all(files.slice(from, from + AT_ONCE).map(readOne));
      if (held < PIECE) continue;
      await writePack(gitDirectory, blobs);
      [blobs, held] = [[], 0];
    }
    return { blobs, left };
  }

  /** Makes git read and store files and links. */
  async function storeMany(fresh: readonly ManifestEntry[]): Promise<void> {
    const files = fresh.filter((entry) => entry.mode !== "120000");
    const links = fresh.filter((entry) => entry.mode === "120000");
    // A name with a line break has to be quoted C-style for --stdin-paths.
    const paths = Buffer.from(files.map((entry) => `${quote(entry.path)}\n`).join(""));
    const linked = Buffer.from(links.map((entry) => `./${entry.path}\0`).join(""));
    // Everything is passed over standard input: arguments are limited to 128 KB, which 2,000 names
    // exceed.
    const hash = "git hash-object -w --no-filters";
    const script = [
      "set -e -o pipefail",
      // Git leaves an unfinished file when the disk is full, which would stay full.
      `trap '[ $? = 0 ] || rm -f "$GIT_DIR"/objects/??/tmp_obj_*' EXIT`,
      files.length > 0 && `head -c ${paths.length} | ${hash} --stdin-paths`,
      links.length > 0 &&
        `head -c ${linked.length} | while IFS= read -r -d '' link; do readlink -n -- "$link" | ${hash} --stdin; done`,
      // Git leaves syncing to the system. Here, objects must be on the disk before the checkpoint
      // is reported.
      'sync -f "$GIT_DIR"',
    ];
    const output = await git(script.filter(Boolean).join("\n"), Buffer.concat([paths, linked]));
    const found = output.toString("latin1").split("\n");
    for (const [index, { path, hash: expected }] of [...files, ...links].entries())
      if (found[index] !== expected) throw changed(path);
  }

  /** The files of a tree, as listed by git. */
  async function readTree(tree: string): Promise<ManifestEntry[]> {
    await prepare();
    const text = (await git(`git ls-tree -r -z ${checkId(tree)}`)).toString();
    return text
      .split("\0")
      .filter(Boolean)
      .map((line) => {
        const tab = line.indexOf("\t");
        const [mode, , hash] = line.slice(0, tab).split(" ");
        return {
          path: fromDisk(line.slice(tab + 1)),
          mode: mode as ManifestEntry["mode"],
          hash: hash!,
        };
      });
  }

  /** Reads as much as possible without a process, and asks git once for the rest. */
  async function reading<T>(
    hashes: readonly string[],
    quick: (objects: ObjectReader, hash: string) => T | undefined,
    ask: (hashes: readonly string[]) => Promise<T[]>,
  ): Promise<T[]> {
    const objects = openObjectReader(gitDirectory);
    let found: (T | undefined)[];
    try {
      found = hashes.map((hash) => quick(objects, checkId(hash)));
    } finally {
      objects.close();
    }
    const left = hashes.filter((_, index) => found[index] === undefined);
    const asked = left.length === 0 ? [] : await ask(left);
    let next = 0;
    return found.map((one) => one ?? asked[next++]!);
  }

  return {
    /**
     * Stores the files of a manifest as they are on disk, and returns the tree's id once everything
     * is synced. Secret files are left out. Rejects with `failed` if a file has changed meanwhile.
     */
    async storeTree(manifest: readonly ManifestEntry[]): Promise<string> {
      const known = await prepare();
      const entries = manifest.filter((entry) => !entry.secret);
      const fresh = new Map<string, ManifestEntry>();
      for (const entry of entries) if (!known.has(entry.hash)) fresh.set(entry.hash, entry);
      const { trees, root } = treesOf(entries, knownTrees, known.has);
      const { blobs, left } = await readShort([...fresh.values()]);
      if (left.length > 0) await storeMany(left);
      const objects = [...blobs, ...trees];
      await writePack(gitDirectory, objects);
      if (objects.length > 0) packs++;
      known.add([...fresh.keys(), ...trees.map(({ hash }) => hash)]);
      return root;
    },

    /** Disk usage in bytes. */
    size: () => sizeOfFolder(gitDirectory),

    /** Whether there are so many packs that reading becomes slow. */
    isScattered(): boolean {
      return packs > PACKS;
    },

    /**
     * Repacks the objects of these trees into one pack, and deletes all others from the disk. A rejection loses nothing;
     * files not deleted then are deleted the next time.
     */
    async keepOnly(trees: readonly string[]): Promise<void> {
      const known = await prepare();
      const roots = `${[...new Set(trees.map(checkId))].join("\n")}\n`;
      const place = '"$GIT_DIR/objects/pack/pack"';
      // `pack-objects` syncs its output before it renames it.
      const script = `set -e -o pipefail
        trap '[ $? = 0 ] || rm -f "$GIT_DIR"/objects/pack/tmp_*' EXIT
        name=$(git rev-list --objects --stdin | git pack-objects -q --delta-base-offset ${place})
        git show-index < ${place}-"$name".idx | cut -d ' ' -f 2
        echo "$name"`;
      const lines = (trees.length === 0 ? "" : (await git(script, roots)).toString()).trim();
      const all = lines.split("\n").filter(Boolean);
      const name = all.pop() ?? "none";
      known.replace(all);
      await git(
        `set -e
         find "$GIT_DIR/objects" -type f ! -name 'pack-${checkName(name)}.*' -delete
         find "$GIT_DIR/objects" -mindepth 1 -type d -name '??' -empty -delete`,
      );
      packs = 0;
    },

    /**
     * Packs the objects of these trees into a folder of the store, for another project.
     * @returns the folder on this machine, from which the caller takes it
     */
    async copyOut(trees: readonly string[]): Promise<string> {
      await prepare();
      const roots = `${[...new Set(trees.map(checkId))].join("\n")}\n`;
      await git(
        `set -e -o pipefail
         rm -rf "$GIT_DIR/treadle-copy" && mkdir -p "$GIT_DIR/treadle-copy/pack"
         git rev-list --objects --stdin | git pack-objects -q --delta-base-offset "$GIT_DIR/treadle-copy/pack/pack" > /dev/null`,
        roots,
      );
      return join(gitDirectory, "treadle-copy");
    },

    readTree,

    /** The changes needed to turn a project's files into those of a tree. */
    async differences(manifest: readonly ManifestEntry[], tree: string) {
      const known = await prepare();
      const entries = manifest.filter((entry) => !entry.secret);
      treesOf(entries, knownTrees, known.has);
      const objects = openObjectReader(gitDirectory);
      try {
        const found = differingFrom(entries, knownTrees, checkId(tree), (hash) => {
          const object = objects.read(hash, PIECE);
          return object?.type === "tree" ? object.bytes : undefined;
        });
        if (found) return found;
      } finally {
        objects.close();
      }
      return differing(entries, await readTree(tree));
    },

    /** Sizes of blobs in bytes, in the order given. Rejects if one is missing. */
    blobSizes: (hashes: readonly string[]): Promise<number[]> =>
      reading(
        hashes,
        (objects, hash) => objects.sizeOf(hash),
        async (left) => {
          const asked = `${left.join("\n")}\n`;
          const all = await git("git cat-file --batch-check='%(objecttype) %(objectsize)'", asked);
          const lines = all.toString("latin1").split("\n");
          return left.map((hash, index) => {
            const size = /^blob (\d+)$/.exec(lines[index] ?? "")?.[1];
            if (size === undefined)
              throw new WorkspaceError("failed", sentence("checkpoint-store-lost", { hash }));
            return Number(size);
          });
        },
      ),

    /**
     * Reads a blob that is too long for memory. Each piece is read from the start of the blob,
     * which costs time but no memory.
     */
    async *readPieces(hash: string, size: number): AsyncGenerator<Buffer, void> {
      for (let at = 0; at < size; at += PIECE) {
        // The closed pipe kills git once the piece has been read.
        const script = `set +o pipefail; git cat-file blob ${checkId(hash)} | tail -c +${at + 1} | head -c ${PIECE}`;
        const piece = await git(script);
        if (piece.length !== Math.min(PIECE, size - at))
          throw new WorkspaceError("failed", sentence("checkpoint-store-lost", { hash }));
        yield piece;
      }
    },

    /** Contents by blob id, in the requested order; all of them are in memory. */
    readBlobs: (hashes: readonly string[]): Promise<Buffer[]> =>
      reading(
        hashes,
        (objects, hash) => {
          const object = objects.read(hash, PIECE);
          return object?.type === "blob" ? object.bytes : undefined;
        },
        async (left) => {
          const all = await git("git cat-file --batch", `${left.join("\n")}\n`);
          let at = 0;
          return left.map((hash) => {
            const line = all.indexOf(10, at);
            const [, type, size] = all.toString("latin1", at, line).split(" ");
            if (type !== "blob")
              throw new WorkspaceError("failed", sentence("checkpoint-store-lost", { hash }));
            const start = line + 1;
            at = start + Number(size) + 1;
            return all.subarray(start, start + Number(size));
          });
        },
      ),

    /**
     * Ids of a path's content in each of these trees; undefined if a tree has no such file. Rejects with `path` if the
     * path contains a line break.
     */
    async blobsAt(trees: readonly string[], path: string): Promise<(string | undefined)[]> {
      if (trees.length === 0) return [];
      if (path.includes("\n")) throw new WorkspaceError("path", sentence("path-without-history"));
      const asked = trees.map((tree) => `${checkId(tree)}:${path}\n`).join("");
      const all = await git("git cat-file --batch-check='%(objectname) %(objecttype)'", asked);
      return all
        .toString()
        .split("\n")
        .slice(0, trees.length)
        .map((line) => /^([0-9a-f]{40}) blob$/.exec(line)?.[1]);
    },

    async diff(a: string, b: string, path?: string): Promise<FileDifference[]> {
      await prepare();
      // Run outside of the project's files, whose attributes could exclude files from the
      // comparison, or block it (A75).
      const compare = `cd "$GIT_DIR" && git --literal-pathspecs -c core.bigFileThreshold=${COMPARED} diff-tree -r --no-renames --no-ext-diff --no-textconv --no-color`;
      const both = `${checkId(a)} ${checkId(b)}${path === undefined ? "" : ` -- ${shellWord(path)}`}`;
      const text = await git(`${compare} -p ${both} | head -c ${DIFF_LIMIT}`);
      const differences = readDifferences(text.toString());
      if (text.length < DIFF_LIMIT) return differences;
      // The output was cut in the middle of the last file, and more are missing. Those are reported as different
      // without a diff.
      differences.pop();
      const listed = new Set(differences.map(({ path }) => path));
      const all = readNames((await git(`${compare} --name-status -z ${both}`)).toString());
      const cut = ({ path }: FileDifference) => !listed.has(path);
      return [...differences, ...all.filter(cut)];
    },
  };
}

export type GitStore = ReturnType<typeof createGitStore>;

function checkId(id: string): string {
  if (!/^[0-9a-f]{40}$/.test(id))
    throw new WorkspaceError(
      "missing",
      sentence("checkpoint-not-named", { id: JSON.stringify(id) }),
    );
  return id;
}

/** Returns the name if it is that of a pack, or `none`. Throws otherwise. */
function checkName(name: string): string {
  if (!/^(?:[0-9a-f]{40,64}|none)$/.test(name))
    throw new WorkspaceError("failed", sentence("checkpoint-pack-unnamed"));
  return name;
}

const changed = (path: string) =>
  new WorkspaceError("failed", sentence("checkpoint-file-changed", { path }));

const shellWord = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Quotes an unusual name as git does. */
function quote(path: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what has to be quoted
  if (!/[\u0000-\u001f"\\]/.test(path)) return path;
  const octal = (byte: number) => `\\${byte.toString(8).padStart(3, "0")}`;
  const plain = (byte: number) => byte > 0x1f && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
  const bytes = [...Buffer.from(path)];
  return `"${bytes.map((byte) => (plain(byte) ? String.fromCharCode(byte) : octal(byte))).join("")}"`;
}

const KINDS: Record<string, FileDifference["kind"]> = { A: "added", D: "removed" };

/** Parses the names of differing files, with an empty diff each. */
function readNames(text: string): FileDifference[] {
  const parts = text.split("\0");
  const found: FileDifference[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2)
    found.push({
      path: fromDisk(parts[at + 1]!),
      kind: KINDS[parts[at]!] ?? "changed",
      binary: false,
      diff: "",
      cut: true,
    });
  return found;
}

function readDifferences(text: string): FileDifference[] {
  const found: FileDifference[] = [];
  // Splits at line feeds only: a pattern's line ends would also match other characters, which a
  // file may contain (A102).
  for (const part of `\n${text}`.split("\ndiff --git ").slice(1)) {
    const lines = part.split("\n");
    const header = lines.findIndex((line) => line.startsWith("@@"));
    const head = header === -1 ? lines : lines.slice(0, header);
    const named = (prefix: string) => {
      const line = head
        .find((entry) => entry.startsWith(`${prefix} `))
        ?.slice(4)
        .replace(/\t$/, "");
      return line === undefined || line === "/dev/null" ? undefined : unquote(line).slice(2);
    };
    const first = unquote(
      lines[0]!.startsWith('"')
        ? lines[0]!.slice(0, lines[0]!.indexOf('" ') + 1)
        : lines[0]!.slice(0, (lines[0]!.length - 1) / 2),
    ).slice(2);
    found.push({
      path: fromDisk(named("+++") ?? named("---") ?? first),
      kind: head.some((line) => line.startsWith("new file"))
        ? "added"
        : head.some((line) => line.startsWith("deleted file"))
          ? "removed"
          : "changed",
      binary: head.some((line) => line.startsWith("Binary files")),
      diff: header === -1 ? "" : lines.slice(header).join("\n").replace(/\n$/, ""),
    });
  }
  return found;
}

function unquote(name: string): string {
  if (!name.startsWith('"')) return name;
  const raw = name
    .slice(1, -1)
    .replace(/\\(\d{3}|.)/g, (_, code: string) =>
      /^\d/.test(code)
        ? String.fromCharCode(Number.parseInt(code, 8))
        : ({ n: "\n", t: "\t", r: "\r" }[code] ?? code),
    );
  return Buffer.from(raw, "latin1").toString();
}
