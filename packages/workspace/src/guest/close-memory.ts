import { rmSync, statSync, writeFileSync } from "node:fs";

/** `prctl(PR_SET_DUMPABLE, 0)` and back, in each processor's own words. */
const CODE: Partial<Record<string, { machine: number; words: string }>> = {
  // mov eax,157; mov edi,4; xor esi,esi; xor edx,edx; xor r10d,r10d; xor r8d,r8d; syscall; ret
  x64: { machine: 62, words: "b89d000000bf0400000031f631d24531d24531c00f05c3" },
  // mov x8,#167; mov x0,#4; mov x1,#0; mov x2,#0; mov x3,#0; mov x4,#0; svc #0; ret
  arm64: {
    machine: 183,
    words: "e81480d2800080d2010080d2020080d2030080d2040080d2010000d4c0035fd6",
  },
};

const CODE_AT = 0x200;
const TABLES_AT = 0x300;
const DYNAMIC_AT = 0x400;
const SIZE = 0x500;

/**
 * A shared library that does this as it is loaded, and nothing else: two segments, a symbol table with no symbol in it.
 * Node has no way to call the kernel, and a compiler is not to be had everywhere.
 */
function library(): Buffer | undefined {
  const code = CODE[process.arch];
  if (!code) return undefined;
  const file = Buffer.alloc(SIZE);
  const put64 = (at: number, ...values: number[]) =>
    values.forEach((value, index) => file.writeBigUInt64LE(BigInt(value), at + 8 * index));
  file.write("7f454c460201010000000000000000000300", 0, "hex");
  file.writeUInt16LE(code.machine, 0x12);
  file.writeUInt32LE(1, 0x14);
  put64(0x18, 0, 0x40, 0);
  for (const [at, value] of [
    [0x34, 64],
    [0x36, 56],
    [0x38, 3],
    [0x3a, 64],
  ] as const)
    file.writeUInt16LE(value, at);
  const segment = (
    index: number,
    kind: number,
    flags: number,
    at: number,
    size: number,
    align: number,
  ) => {
    const place = 0x40 + 56 * index;
    file.writeUInt32LE(kind, place);
    file.writeUInt32LE(flags, place + 4);
    put64(place + 8, at, at, at, size, size, align);
  };
  // Read, written (the loader notes addresses in the table) and executed would be one segment; a stack is not executed.
  segment(0, 1, 7, 0, SIZE, 0x1000);
  segment(1, 2, 6, DYNAMIC_AT, 16 * 7, 8);
  segment(2, 0x6474_e551, 6, 0, 0, 16);
  file.write(code.words, CODE_AT, "hex");
  // A hash table with one bucket for one symbol; the symbol and the names are zeros behind it.
  for (const [index, value] of [1, 1, 0, 0].entries())
    file.writeUInt32LE(value, TABLES_AT + 4 * index);
  const [names, symbols] = [TABLES_AT + 0x20, TABLES_AT + 0x40];
  // DT_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SYMENT, DT_INIT, end.
  put64(DYNAMIC_AT, 4, TABLES_AT, 5, names, 6, symbols, 10, 1, 11, 24, 12, CODE_AT, 0, 0);
  return file;
}

/**
 * Closes the memory and the open files of this process to the others of its user: whatever runs in a sandbox has the
 * guest's own number, and could write to `/proc/<guest>/mem`, or take its connection to the host, otherwise. What the
 * guest starts is not touched: a program that is executed begins anew.
 * @returns whether it is done
 */
export function closeMemory(temporary: string): boolean {
  const bytes = library();
  if (!bytes) return false;
  const file = `${temporary}/.treadle-close-memory-${process.pid}.node`;
  try {
    writeFileSync(file, bytes, { flag: "wx", mode: 0o500 });
  } catch {
    return false;
  }
  try {
    process.dlopen({ exports: {} }, file);
  } catch {
    // It is no add-on, as Node says once it has loaded it; what it does was done by then.
  } finally {
    rmSync(file, { force: true });
  }
  return statSync("/proc/self/mem").uid !== process.getuid?.();
}
