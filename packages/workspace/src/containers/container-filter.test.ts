import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REFUSED, UNKNOWN } from "../host/syscall-filter.ts";
import { containerFilter } from "./container-filter.ts";

const { defaultAction, syscalls } = JSON.parse(containerFilter()) as {
  defaultAction: string;
  syscalls: { names: string[]; errnoRet: number; args?: { index: number; value: number }[] }[];
};

test("refuses a container what the local sandbox refuses, and allows everything else", () => {
  expect(defaultAction).toBe("SCMP_ACT_ALLOW");
  const always = syscalls.filter(({ args }) => args === undefined).flatMap(({ names }) => names);
  expect(always).toEqual(
    expect.arrayContaining([...Object.keys(REFUSED), ...Object.keys(UNKNOWN)]),
  );
});

test("refuses a namespace by each of its flags, also in combination", () => {
  const flags = syscalls.filter(({ names }) => names.includes("clone"));
  const all = flags.reduce((sum, { args }) => sum | args![0]!.value, 0);
  expect(all).toBe(0x7e02_0000);
  expect(flags).toHaveLength(7);
});

test("refuses setuid and setgid modes", () => {
  const refused = (name: string, ...given: number[]) =>
    syscalls.some(
      ({ names, args }) =>
        names.includes(name) &&
        args?.every(({ index, value }) => ((given[index] ?? 0) & value) === value),
    );
  for (const mode of [0o4755, 0o2755]) {
    expect(refused("chmod", 0, mode)).toBe(true);
    expect(refused("fchmodat", 3, 0, mode)).toBe(true);
    expect(refused("openat", 3, 0, 0x41, mode)).toBe(true);
    expect(refused("openat", 3, 0, 0x41_0001, mode)).toBe(true);
    expect(refused("openat", 3, 0, 1, mode)).toBe(false);
  }
  expect(refused("chmod", 0, 0o1777)).toBe(false);
  expect(refused("openat", 3, 0, 0x41, 0o755)).toBe(false);
});

test("refuses sockets of all families except UNIX, IPv4, IPv6 and some of netlink", () => {
  const refused = (family: number, kind: number) =>
    syscalls.some(
      ({ names, args = [] }) =>
        names.includes("socket") &&
        args.every(({ index, value, ...rest }) => {
          const given = index === 0 ? family : kind;
          return (rest as { op?: string }).op === "SCMP_CMP_GT" ? given > value : given === value;
        }),
    );
  for (const family of [1, 2, 10]) expect([family, refused(family, 0)]).toEqual([family, false]);
  for (const family of [0, 3, 9, 11, 15, 17, 31, 38, 40, 2 ** 32 + 40])
    expect([family, refused(family, 0)]).toEqual([family, true]);
  for (const kind of [0, 4, 15]) expect([kind, refused(16, kind)]).toEqual([kind, false]);
  for (const kind of [1, 3, 9, 12, 14, 16, 2 ** 32 + 12])
    expect([kind, refused(16, kind)]).toEqual([kind, true]);
});

test("refuses stop signals, whatever the upper half of the number contains; allows other signals", () => {
  const refused = (name: string, ...given: bigint[]) =>
    (JSON.parse(containerFilter()) as { syscalls: Refusal[] }).syscalls.some(
      ({ names, args }) =>
        names.includes(name) &&
        args?.every(
          ({ index, value, valueTwo }) =>
            ((given[index] ?? 0n) & BigInt(value)) === BigInt(valueTwo ?? value),
        ),
    );
  for (const name of ["kill", "tkill", "rt_sigqueueinfo", "pidfd_send_signal"]) {
    expect(refused(name, 7n, 19n)).toBe(true);
    expect(refused(name, 7n, (1n << 32n) + 19n)).toBe(true);
    for (const other of [0n, 9n, 15n, 18n, 20n]) expect(refused(name, 7n, other)).toBe(false);
  }
  for (const name of ["tgkill", "rt_tgsigqueueinfo"]) {
    expect(refused(name, 7n, 7n, 19n)).toBe(true);
    expect(refused(name, 7n, 19n, 9n)).toBe(false);
  }
});

test("the profile that nodes of a cluster are given is the same", () => {
  const file = new URL("../../../../deploy/kubernetes-seccomp.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(containerFilter()));
});

interface Refusal {
  names: string[];
  args?: { index: number; value: number; valueTwo?: number }[];
}
