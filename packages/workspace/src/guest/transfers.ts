import { sentence } from "@treadle/protocol/sentences";
import type { ProjectPath } from "@treadle/protocol";
import { WorkspaceError } from "../types.ts";
import type { createFiles, OpenDraft, OpenReader } from "./files.ts";

/** Maximum number of files transferred at once; each holds descriptors. */
const MAX_TRANSFERS = 64;
/** Bytes of a file in one response. */
const PIECE = 64 * 1024;

/**
 * Files transferred in pieces, each identified by the handle returned when it was opened. The host
 * has to close each.
 */
export function createTransfers(files: ReturnType<typeof createFiles>) {
  const readers = new Map<number, OpenReader>();
  const drafts = new Map<number, OpenDraft>();
  let last = 0;

  function next(): number {
    if (readers.size + drafts.size >= MAX_TRANSFERS)
      throw new WorkspaceError("failed", sentence("transfers-full", { limit: MAX_TRANSFERS }));
    return ++last;
  }
  function known<T>(all: Map<number, T>, handle: number): T {
    const found = all.get(handle);
    if (!found) throw new WorkspaceError("failed", sentence("transfer-ended"));
    return found;
  }

  return {
    async openReader(path: ProjectPath): Promise<{ handle: number; size: number }> {
      const reader = await files.reader(path);
      try {
        const handle = next();
        readers.set(handle, reader);
        return { handle, size: reader.size };
      } catch (error) {
        reader.close();
        throw error;
      }
    },
    read: (handle: number): Promise<Uint8Array> => known(readers, handle).read(PIECE),
    async openDraft(path: ProjectPath, executable?: boolean): Promise<{ handle: number }> {
      const draft = await files.draft(path, { executable });
      try {
        const handle = next();
        drafts.set(handle, draft);
        return { handle };
      } catch (error) {
        draft.discard();
        throw error;
      }
    },
    append: (handle: number, bytes: Uint8Array) => known(drafts, handle).append(bytes),
    commit: (handle: number, ifVersion?: string) => known(drafts, handle).commit(ifVersion),
    /** Ends a transfer, in whatever state; discards content that was not committed. */
    close(handle: number): void {
      readers.get(handle)?.close();
      readers.delete(handle);
      drafts.get(handle)?.discard();
      drafts.delete(handle);
    },
  };
}
