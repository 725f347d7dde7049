import { disk, type Disk } from "./disk.ts";

/**
 * The system's disk, whose n-th operation (from 1) fails with a code, and every later one too
 * unless `once` is set.
 */
export function failingDisk(
  at: number,
  code: string,
  { once = false } = {},
): { disk: Disk; count(): number } {
  let count = 0;
  const step = () => {
    count++;
    if (once ? count !== at : count < at) return;
    throw Object.assign(new Error(`${code}: made to fail`), { code });
  };
  return {
    count: () => count,
    disk: {
      open(path, flags, mode) {
        step();
        return disk.open(path, flags, mode);
      },
      makeFolder(path) {
        step();
        disk.makeFolder(path);
      },
      write(fd, bytes) {
        step();
        // A full disk first takes the bytes that still fit.
        return disk.write(fd, bytes.subarray(0, Math.max(1, bytes.length >> 1)));
      },
      async sync(fd) {
        step();
        await disk.sync(fd);
      },
      // Closing and removing work even on a full or failing disk.
      close: disk.close,
      rename(from, to) {
        step();
        disk.rename(from, to);
      },
      remove: disk.remove,
    },
  };
}
