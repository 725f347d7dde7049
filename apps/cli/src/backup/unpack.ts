import { createReadStream, statfsSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { runTar } from "./run-tar.ts";

/** Number of bytes of the disk that are left free. */
const LEFT_FREE = 64 * 1024 * 1024;

/**
 * Unpacks a backup into a folder, never using more than the available space, whatever sizes the archive declares.
 * @param options.room bytes that it may use
 * @param options.signal stops it
 * @throws Error that explains the problem; the caller removes what was unpacked so far
 */
export async function unpack(
  file: string,
  folder: string,
  { room = roomOf(folder), signal }: { room?: number; signal?: AbortSignal } = {},
): Promise<void> {
  let size = 0;
  const { input, ended } = runTar(["-xpf", "-", "-C", folder], { ok: [0], signal });
  const flowing = pipeline(
    createReadStream(file),
    createGunzip(),
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        size += piece.byteLength;
        if (size > room) throw new Error("unpacked, it is larger than the free space on the disk");
        yield piece;
      }
    },
    input,
    ...(signal ? [{ signal }] : []),
  );
  const [flowed, unpacked] = await Promise.allSettled([flowing, ended]);
  // If tar ends first, it either reports an error itself or has read the whole archive: it ignores data after the
  // archive's end.
  if (flowed.status === "rejected" && !isBroken(flowed.reason)) throw flowed.reason;
  if (unpacked.status === "rejected") throw unpacked.reason;
}

function roomOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize - LEFT_FREE;
}

const isBroken = (error: unknown) =>
  /^(?:EPIPE|ERR_STREAM)/.test((error as { code?: string }).code ?? "");
