import { rmSync, statSync, writeFileSync } from "node:fs";

/** Machine code of `prctl(PR_SET_DUMPABLE, 0)` followed by a return, for each processor. */
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
 * Builds a shared library that only calls `prctl` when it is loaded: two segments and a symbol table without symbols.
 * Node cannot make system calls, and a compiler may not be installed.
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
  // One segment for reading, writing (the loader writes addresses into the table) and executing;
  // the stack is not executable.
  segment(0, 1, 7, 0, SIZE, 0x1000);
  segment(1, 2, 6, DYNAMIC_AT, 16 * 7, 8);
  segment(2, 0x6474_e551, 6, 0, 0, 16);
  file.write(code.words, CODE_AT, "hex");
  // A hash table with one bucket for one symbol; the symbol and the names are zeros after it.
  for (const [index, value] of [1, 1, 0, 0].entries())
    file.writeUInt32LE(value, TABLES_AT + 4 * index);
  const [names, symbols] = [TABLES_AT + 0x20, TABLES_AT + 0x40];
  // DT_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SYMENT, DT_INIT, end.
  put64(DYNAMIC_AT, 4, TABLES_AT, 5, names, 6, symbols, 10, 1, 11, 24, 12, CODE_AT, 0, 0);
  return file;
}

/**
 * Closes this process's memory and open files to other processes of the same user. Programs in the
 * sandbox run under the guest's user id, and could otherwise write to `/proc/<guest>/mem` or take
 * its connection to the host. Processes that the guest starts are unaffected: executing a program
 * resets the flag.
 * @returns whether it succeeded
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
    // Node reports that the library is not an add-on, but only after loading it; the call has been
    // made by then.
  } finally {
    rmSync(file, { force: true });
  }
  return statSync("/proc/self/mem").uid !== process.getuid?.();
}
