import { createReadStream, statfsSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { runTar } from "./run-tar.ts";

/** Bytes of the disk that are left free. */
const LEFT_FREE = 64 * 1024 * 1024;

/**
 * Unpacks a backup into a folder; never more than the disk has room for, whatever the archive says of itself.
 * @param room bytes that it may take
 * @throws Error that says what is wrong; what was unpacked until then is left for the caller to remove
 */
export async function unpack(
  file: string,
  folder: string,
  room: number = roomOf(folder),
): Promise<void> {
  let size = 0;
  const { input, ended } = runTar(["-xpf", "-", "-C", folder], { ok: [0] });
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
  );
  const [flowed, unpacked] = await Promise.allSettled([flowing, ended]);
  // Where tar ended first, it says itself why, or had all of the archive: it does not read what stands behind its end.
  if (flowed.status === "rejected" && !isBroken(flowed.reason)) throw flowed.reason;
  if (unpacked.status === "rejected") throw unpacked.reason;
}

function roomOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize - LEFT_FREE;
}

const isBroken = (error: unknown) =>
  /^(?:EPIPE|ERR_STREAM)/.test((error as { code?: string }).code ?? "");
