import { expect, it } from "vitest";
import { syscallFilter, syscallNumber } from "./syscall-filter.ts";

const AUDIT = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
const ALLOW = "allow";

/** Runs the filter as the kernel would, for the kinds of instructions that it contains. */
function answer(processor: "x64" | "arm64", call: number, args: number[] = [], audit?: number) {
  const bytes = syscallFilter(processor)!;
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call >>> 0, 0);
  data.writeUInt32LE(audit ?? AUDIT[processor], 4);
  for (const [index, value] of args.entries()) data.writeUInt32LE(value >>> 0, 16 + 8 * index);
  let loaded = 0;
  for (let at = 0; ;) {
    const [code, yes, no, constant] = [
      bytes.readUInt16LE(at * 8),
      bytes.readUInt8(at * 8 + 2),
      bytes.readUInt8(at * 8 + 3),
      bytes.readUInt32LE(at * 8 + 4),
    ];
    at++;
    if (code === 0x20) loaded = data.readUInt32LE(constant);
    else if (code === 0x15) at += loaded === constant ? yes : no;
    else if (code === 0x35) at += loaded >= constant ? yes : no;
    else if (code === 0x45) at += (loaded & constant) !== 0 ? yes : no;
    else if (code === 0x06) return constant === 0x7fff_0000 ? ALLOW : constant & 0xffff;
    else throw new Error(`step ${at} is of no known kind`);
  }
}

for (const processor of ["x64", "arm64"] as const) {
  const numberOf = (name: string) => syscallNumber(name, processor)!;

  it(`${processor}: refuses keys, programs in the kernel, mounts and namespaces`, () => {
    for (const name of ["keyctl", "bpf", "mount", "setns", "perf_event_open", "syslog"])
      expect([name, answer(processor, numberOf(name))]).toEqual([name, 1]);
    for (const name of ["clone3", "io_uring_setup", "setxattr", "fsetxattr", "lsetxattr"])
      expect([name, answer(processor, numberOf(name))]).toEqual([name, 38]);
  });

  it(`${processor}: allows processes and threads, but no namespaces`, () => {
    expect(answer(processor, numberOf("clone"), [0x0120_0011])).toBe(ALLOW);
    expect(answer(processor, numberOf("clone"), [0x003d_0f00])).toBe(ALLOW);
    expect(answer(processor, numberOf("clone"), [0x1000_0011])).toBe(1);
    expect(answer(processor, numberOf("unshare"), [0x400])).toBe(ALLOW);
    expect(answer(processor, numberOf("unshare"), [0x4000_0000])).toBe(1);
  });

  it(`${processor}: allows the sockets that apps use`, () => {
    const socket = (...args: number[]) => answer(processor, numberOf("socket"), args);
    expect([socket(1, 1), socket(2, 1), socket(10, 2), socket(16, 3, 0)]).toEqual(
      Array.from({ length: 4 }, () => ALLOW),
    );
    expect([socket(40, 1), socket(17, 3), socket(38, 5), socket(16, 3, 12)]).toEqual(
      Array.from({ length: 4 }, () => 97),
    );
  });

  it(`${processor}: allows terminals, but not injecting input`, () => {
    expect(answer(processor, numberOf("ioctl"), [0, 0x5413])).toBe(ALLOW);
    expect(answer(processor, numberOf("ioctl"), [0, 0x5412])).toBe(1);
  });

  it(`${processor}: refuses setuid and setgid modes`, () => {
    const MADE = 0x41;
    for (const mode of [0o4755, 0o2755, 0o106_000])
      for (const [name, args] of [
        ["fchmod", [3, mode]],
        ["fchmodat", [3, 0, mode]],
        ["fchmodat2", [3, 0, mode]],
        ["mknodat", [3, 0, mode]],
        ["openat", [3, 0, MADE, mode]],
        ["openat", [3, 0, 0x41_0001, mode]],
      ] as const)
        expect([name, answer(processor, numberOf(name), [...args])]).toEqual([name, 1]);
    expect(answer(processor, numberOf("fchmod"), [3, 0o1777])).toBe(ALLOW);
    expect(answer(processor, numberOf("openat"), [3, 0, MADE, 0o755])).toBe(ALLOW);
    // No file is created, so the argument is not a mode.
    expect(answer(processor, numberOf("openat"), [3, 0, 1, 0o6777])).toBe(ALLOW);
    expect(answer(processor, numberOf("openat2"))).toBe(38);
  });

  it(`${processor}: allows everything else, and reports other processors' calls as unknown`, () => {
    for (const call of [0, 1, 3, 63, 202, 257, 439, 500])
      expect([call, answer(processor, call)]).toEqual([call, ALLOW]);
    expect(answer(processor, 1, [], 0x4000_0003)).toBe(38);
    expect(answer(processor, numberOf("mount"), [], 0x4000_0003)).toBe(38);
  });
}

it("x64: cannot be bypassed with the second set of numbers", () =>
  expect(answer("x64", 0x4000_0000 + 250)).toBe(38));

it("returns no filter for an unknown processor", () =>
  expect(syscallFilter("riscv64")).toBe(undefined));
