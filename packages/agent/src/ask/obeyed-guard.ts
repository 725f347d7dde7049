import type { Workspace } from "@treadle/workspace";
import { hooksChanged, isManifest, withHooksOf } from "./hooks-changed.ts";
import { isObeyedPath } from "./obeyed-path.ts";

/** Files that are looked at, and bytes of one: what is beyond is no rule that anybody wrote. */
const LISTED = 20_000;
const BYTES = 1_000_000;

/** A file as it stands; without bytes where it is none (a link), or too long to be put back. */
interface Standing {
  version: string;
  bytes?: Uint8Array;
}

const decoder = new TextDecoder();
const textOf = (standing: Standing | undefined) =>
  standing?.bytes ? decoder.decode(standing.bytes) : "";

/**
 * Files that something outside the sandbox obeys, as they were before commands ran; of a package.json, only the scripts
 * that run unasked where it is installed. What a command or a server made of
 * one is put back before anybody obeys it (A24, A32): what a command writes cannot be known beforehand, and the person
 * was not asked about it.
 */
export interface ObeyedGuard {
  /** Remembers what stands before the first command, and before each other what the person agreed to since. */
  begin(): Promise<void>;
  /** The person agreed to this content of the file, or wrote it; an empty version: that it goes. */
  agreed(path: string, version: string): void;
  /** Text of a package.json as it was remembered; undefined where it was not. */
  stood(path: string): string | undefined;
  /** What stands otherwise than it was, and nobody agreed to. */
  changed(): Promise<string[]>;
  /** Puts these back. @returns those that could be */
  putBack(paths: readonly string[]): Promise<string[]>;
}

export function createObeyedGuard(workspace: Workspace): ObeyedGuard {
  let before: Map<string, Standing> | undefined;
  const agreed = new Map<string, string>();

  async function standing(): Promise<Map<string, Standing>> {
    const { files } = await workspace.files.list({ limit: LISTED });
    const found = new Map<string, Standing>();
    for (const { path, kind } of files)
      if (kind !== "folder" && (isObeyedPath(path) || isManifest(path)))
        found.set(path, await read(path, kind));
    return found;
  }

  async function read(path: string, kind: string): Promise<Standing> {
    try {
      return await workspace.files.read(path, { limit: BYTES });
    } catch {
      return { version: `(${kind})` };
    }
  }

  /** Whether it became something else that is obeyed. */
  function differs(path: string, was: Standing | undefined, stands: Standing | undefined): boolean {
    if (was?.version === stands?.version) return false;
    // What cannot be read may hold such scripts.
    if (isObeyedPath(path) || (stands && !stands.bytes)) return true;
    return hooksChanged(textOf(was), textOf(stands));
  }

  async function settle(known: Map<string, Standing>): Promise<void> {
    for (const [path, version] of agreed) {
      if (!isObeyedPath(path) && !isManifest(path)) continue;
      const stands = await read(path, "file");
      if (stands.version === version) known.set(path, stands);
    }
  }

  return {
    async begin() {
      if (before) return settle(before);
      before = await standing();
    },
    agreed: (path, version) => void agreed.set(path, version),
    stood(path) {
      if (!before) return undefined;
      return textOf(before.get(path));
    },
    async changed() {
      if (!before) return [];
      const now = await standing();
      const changed: string[] = [];
      for (const path of new Set([...before.keys(), ...now.keys()])) {
        const stands = now.get(path);
        if (!differs(path, before.get(path), stands)) continue;
        if (agreed.get(path) !== (stands?.version ?? "")) changed.push(path);
        else if (stands) before.set(path, stands);
        else before.delete(path);
      }
      return changed.toSorted();
    },
    async putBack(paths) {
      const done: string[] = [];
      for (const path of paths) {
        const was = before?.get(path);
        try {
          const stands = isObeyedPath(path) ? undefined : await read(path, "file");
          if (stands?.bytes) {
            const { version } = stands;
            const kept = withHooksOf(textOf(was), textOf(stands));
            if (kept !== undefined) await workspace.files.write(path, kept, { ifVersion: version });
            done.push(path);
            continue;
          }
          // First away with it: what stands there now may be a link.
          await workspace.files.remove(path).catch(() => {});
          if (was?.bytes) await workspace.files.write(path, was.bytes);
          if (!was || was.bytes) done.push(path);
        } catch {
          // It is told as what it is: not put back.
        }
      }
      return done;
    },
  };
}
