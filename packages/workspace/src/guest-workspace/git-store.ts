import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WorkspaceError, type FileDifference } from "../types.ts";
import type { ManifestEntry } from "../wire/types.ts";
import { LAUNCH_ENV, sandboxCommand } from "./sandbox-command.ts";

/** Diffs longer than this are cut; nobody reads them and no model should. */
const DIFF_LIMIT = 2 * 1024 * 1024;

/**
 * Git as a store of trees: a git directory of Treadle's own beside the project, plumbing only. Git never decides what
 * belongs to a tree and never changes a byte of it: we name every file, filters and attributes are off, and no
 * configuration of the host or the project is read. Each call runs in a short-lived sandbox of its own with the project
 * read-only and no network.
 */
export function createGitStore(options: {
  directory: string;
  gitDirectory: string;
  uid: number;
  plain: boolean;
}) {
  const { directory, gitDirectory } = options;

  function git(script: string, input: string | Uint8Array = ""): Promise<Buffer> {
    const env = {
      PATH: LAUNCH_ENV.PATH,
      HOME: "/nonexistent",
      LANG: "C.UTF-8",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_DIR: options.plain ? gitDirectory : "/run/git",
      GIT_AUTHOR_NAME: "Treadle",
      GIT_AUTHOR_EMAIL: "treadle@localhost",
      GIT_COMMITTER_NAME: "Treadle",
      GIT_COMMITTER_EMAIL: "treadle@localhost",
    };
    const command = options.plain
      ? { file: "bash", args: ["-c", script], cwd: directory, env }
      : {
          ...sandboxCommand({
            binds: [
              { source: directory, target: "/home/project" },
              { source: gitDirectory, target: "/run/git", writable: true },
            ],
            directory: "/home/project",
            env,
            uid: options.uid,
            command: ["bash", "-c", script],
          }),
          cwd: "/",
          env: LAUNCH_ENV,
        };
    return new Promise((resolve, reject) => {
      const child = spawn(command.file, command.args, { cwd: command.cwd, env: command.env });
      const out: Buffer[] = [];
      let complaint = "";
      child.stdout.on("data", (bytes: Buffer) => out.push(bytes));
      child.stderr.on("data", (bytes: Buffer) => (complaint = (complaint + bytes).slice(-2_000)));
      child.on("error", (error) => reject(new WorkspaceError("failed", `git: ${error.message}`)));
      child.on("close", (code) => {
        if (code === 0) resolve(Buffer.concat(out));
        else
          reject(
            new WorkspaceError(
              /No space left/.test(complaint) ? "no-space" : "failed",
              `the checkpoint store could not be used: ${complaint.trim()}`,
            ),
          );
      });
      child.stdin.on("error", () => undefined);
      child.stdin.end(input);
    });
  }

  /** Blobs that are stored already; the file lists them, since asking git costs a process each time. */
  let stored: Set<string> | undefined;
  const storedFile = join(gitDirectory, "treadle-blobs");

  async function prepare(): Promise<Set<string>> {
    if (stored) return stored;
    if (!existsSync(join(gitDirectory, "HEAD"))) {
      await git(
        `git init -q --bare "$GIT_DIR" && mkdir -p "$GIT_DIR/info" &&
         printf '%s\\n' '* -text -filter -ident -working-tree-encoding' > "$GIT_DIR/info/attributes" &&
         git config gc.auto 0 && git config core.bare false && git config core.logAllRefUpdates false`,
      );
    }
    stored = new Set(existsSync(storedFile) ? readFileSync(storedFile, "utf8").split("\n") : []);
    return stored;
  }

  return {
    /** Stores the files of a manifest as they are on disk, and gives the tree's id. Secret files stay out. */
    async storeTree(manifest: ManifestEntry[]): Promise<string> {
      const known = await prepare();
      const entries = manifest.filter((entry) => !entry.secret);
      const fresh = new Map<string, ManifestEntry>();
      for (const entry of entries) if (!known.has(entry.hash)) fresh.set(entry.hash, entry);
      const files = [...fresh.values()].filter((entry) => entry.mode !== "120000");
      const links = [...fresh.values()].filter((entry) => entry.mode === "120000");
      // A name with a line break cannot go through --stdin-paths; quoting it C-style is what git itself reads there.
      const paths = Buffer.from(files.map((entry) => `${quote(entry.path)}\n`).join(""));
      const linked = Buffer.from(links.map((entry) => `./${entry.path}\0`).join(""));
      const index = entries.map((e) => `${e.mode} ${e.hash} 0\t${e.path}\0`).join("");
      // All of it over standard input, one after the other: an argument may have 128 KB at most, which 2,000 names are.
      const script = [
        "set -e -o pipefail",
        "export GIT_INDEX_FILE=$(mktemp -u)",
        files.length > 0 &&
          `head -c ${paths.length} | git hash-object -w --no-filters --stdin-paths > /dev/null`,
        links.length > 0 &&
          `head -c ${linked.length} | while IFS= read -r -d '' link; do readlink -n -- "$link" | git hash-object -w --stdin --no-filters > /dev/null; done`,
        "git update-index -z --index-info",
        "git write-tree",
        'rm -f "$GIT_INDEX_FILE"',
      ];
      const tree = await git(
        script.filter(Boolean).join("\n"),
        Buffer.concat([paths, linked, Buffer.from(index)]),
      );
      for (const hash of fresh.keys()) known.add(hash);
      mkdirSync(gitDirectory, { recursive: true });
      writeFileSync(storedFile, [...known].join("\n"));
      return tree.toString().trim();
    },

    /** The files of a tree. */
    async readTree(tree: string): Promise<ManifestEntry[]> {
      await prepare();
      const text = (await git(`git ls-tree -r -z ${checkId(tree)}`)).toString();
      return text
        .split("\0")
        .filter(Boolean)
        .map((line) => {
          const tab = line.indexOf("\t");
          const [mode, , hash] = line.slice(0, tab).split(" ");
          return { path: line.slice(tab + 1), mode: mode as ManifestEntry["mode"], hash: hash! };
        });
    },

    /** Contents by blob id, in the order asked for. */
    async readBlobs(hashes: string[]): Promise<Buffer[]> {
      if (hashes.length === 0) return [];
      const all = await git("git cat-file --batch", `${hashes.map(checkId).join("\n")}\n`);
      let at = 0;
      return hashes.map((hash) => {
        const line = all.indexOf(10, at);
        const [, type, size] = all.toString("latin1", at, line).split(" ");
        if (type !== "blob")
          throw new WorkspaceError("failed", `the checkpoint store lost ${hash}`);
        const start = line + 1;
        at = start + Number(size) + 1;
        return all.subarray(start, start + Number(size));
      });
    },

    async diff(a: string, b: string): Promise<FileDifference[]> {
      await prepare();
      const text = await git(
        `git diff-tree -r -p --no-renames --no-ext-diff --no-textconv --no-color ${checkId(a)} ${checkId(b)} | head -c ${DIFF_LIMIT}`,
      );
      return readDifferences(text.toString());
    },
  };
}

export type GitStore = ReturnType<typeof createGitStore>;

function checkId(id: string): string {
  if (!/^[0-9a-f]{40}$/.test(id))
    throw new WorkspaceError("missing", `${JSON.stringify(id)} is no checkpoint`);
  return id;
}

/** Git's own quoting of unusual names. */
function quote(path: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what has to be quoted
  if (!/[\u0000-\u001f"\\]/.test(path)) return path;
  const octal = (byte: number) => `\\${byte.toString(8).padStart(3, "0")}`;
  const plain = (byte: number) => byte > 0x1f && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
  const bytes = [...Buffer.from(path)];
  return `"${bytes.map((byte) => (plain(byte) ? String.fromCharCode(byte) : octal(byte))).join("")}"`;
}

function readDifferences(text: string): FileDifference[] {
  const found: FileDifference[] = [];
  for (const part of text.split(/^diff --git /m).slice(1)) {
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
      path: named("+++") ?? named("---") ?? first,
      kind: head.some((line) => line.startsWith("new file"))
        ? "added"
        : head.some((line) => line.startsWith("deleted file"))
          ? "removed"
          : "changed",
      binary: head.some((line) => line.startsWith("Binary files")),
      diff: header === -1 ? "" : lines.slice(header).join("\n").trimEnd(),
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
