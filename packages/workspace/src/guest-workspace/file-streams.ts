import { sentence } from "@treadle/protocol/sentences";
import type { ProjectPath } from "@treadle/protocol";
import { WorkspaceError, type FileStream, type FileWritten } from "../types.ts";
import type { Request } from "./guest-link.ts";

/**
 * Bytes of a file in one request. Longer buffers accumulate in the guest until they are
 * garbage-collected.
 */
const PIECE = 64 * 1024;
/** Longer content is written in pieces, so that neither side is blocked for long. */
const WHOLE = 64 * PIECE;
/**
 * Concurrent requests for one file: enough to keep the guest busy, few enough to need little
 * memory.
 */
const AHEAD = 16;

/** Opens a file of any size; reads its pieces on demand, a few ahead. */
export async function readFileStream(request: Request, path: ProjectPath): Promise<FileStream> {
  const { handle, size } = (await request("read-open", { path })).result;
  const ask = () => {
    const piece = request("read-next", { handle }).then(({ body }) => body);
    piece.catch(() => undefined);
    return piece;
  };
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await request("transfer-close", { handle }).catch(() => undefined);
  };
  async function* pieces(): AsyncGenerator<Uint8Array, void> {
    try {
      // The guest answers one file's requests in order.
      const coming = Array.from({ length: Math.min(AHEAD, Math.ceil(size / PIECE)) }, ask);
      let left = size;
      while (left > 0) {
        const piece = await coming.shift()!;
        if (piece.length === 0) throw cutShort(path);
        left -= piece.length;
        if (left > coming.length * PIECE) coming.push(ask());
        yield piece;
      }
    } finally {
      await close();
    }
  }
  return { size, pieces: pieces(), close };
}

/** Writes a file of any size atomically, from chunks of any size. */
export async function writeFileStream(
  request: Request,
  path: ProjectPath,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: { ifVersion?: string | undefined; executable?: boolean | undefined } = {},
): Promise<FileWritten> {
  const { executable, ifVersion } = options;
  const { handle } = (await request("draft-open", { path, executable })).result;
  /** Pending requests, oldest first; the guest answers one file's requests in order. */
  const under: Promise<unknown>[] = [];
  try {
    for await (const bytes of pieces)
      for (let at = 0; at < bytes.length; at += PIECE) {
        const sent = request("draft-append", { handle }, bytes.subarray(at, at + PIECE));
        sent.catch(() => undefined);
        under.push(sent);
        if (under.length === AHEAD) await under.shift();
      }
    await Promise.all(under);
    return (await request("draft-commit", { handle, ifVersion })).result;
  } finally {
    await request("transfer-close", { handle }).catch(() => undefined);
  }
}

/** Writes content that is in memory; in one request if it is short. */
export async function writeWhole(
  request: Request,
  path: ProjectPath,
  bytes: Uint8Array,
  options: { ifVersion?: string | undefined; executable?: boolean | undefined },
): Promise<FileWritten> {
  if (bytes.length > WHOLE) return writeFileStream(request, path, [bytes], options);
  return (await request("write", { path, ...options }, bytes)).result;
}

function cutShort(path: string): WorkspaceError {
  return new WorkspaceError(
    "failed",
    sentence("path-became-shorter", { path: JSON.stringify(path) }),
  );
}
