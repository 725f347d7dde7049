import {
  EAFNOSUPPORT,
  ENOSYS,
  EPERM,
  FAMILIES,
  MAKES_FILE,
  MODE_CALLS,
  MODES_OF_OTHERS,
  NAMESPACES,
  NETLINK,
  NETLINK_KINDS,
  REFUSED,
  TERMINAL_INPUT,
  UNKNOWN,
} from "../host/syscall-filter.ts";

/** A rule in the engine's format. A call that matches all of `args` returns `errnoRet`. */
interface Rule {
  names: string[];
  action: "SCMP_ACT_ERRNO";
  errnoRet: number;
  args?: Condition[];
}

interface Condition {
  index: number;
  op: "SCMP_CMP_EQ" | "SCMP_CMP_GT" | "SCMP_CMP_MASKED_EQ";
  /** For MASKED_EQ this is the mask, and `valueTwo` the value to compare. */
  value: number;
  valueTwo?: number;
}

/**
 * Calls that engines refuse by default and Treadle's list does not name; its filter replaces theirs and must not be
 * weaker.
 */
const REFUSED_BY_ENGINES = [
  "create_module",
  "get_kernel_syms",
  "get_mempolicy",
  "kcmp",
  "mbind",
  "migrate_pages",
  "move_pages",
  "nfsservctl",
  "query_module",
  "set_mempolicy",
  "stime",
  "sysfs",
  "_sysctl",
  "uselib",
  "ustat",
  "vm86",
  "vm86old",
];

/**
 * SIGSTOP, which is refused in every system call that sends a signal. A stopped guest would not notice that its server
 * is gone, and nothing would end the container.
 */
const STOP_SIGNAL = 19;
const SENDS_SIGNAL: Record<string, number> = {
  kill: 1,
  tkill: 1,
  tgkill: 2,
  rt_sigqueueinfo: 1,
  rt_tgsigqueueinfo: 2,
  pidfd_send_signal: 1,
};

/**
 * The part of the argument that the kernel reads. Engines also compare the upper half, which must
 * not hide a match.
 */
const LOW_HALF = 0xffff_ffff;

const refuse = (names: string[], errnoRet: number, ...args: Condition[]): Rule => ({
  names,
  action: "SCMP_ACT_ERRNO",
  errnoRet,
  args: args.length > 0 ? args : undefined,
});

/**
 * The bits of a mask, one by one: rules can express "these bits are set", but not "any of these".
 */
const bitsOf = (mask: number): number[] =>
  Array.from({ length: 31 }, (_, bit) => 2 ** bit).filter((bit) => (mask & bit) !== 0);

/** Matches if these bits of an argument are set. */
const has = (index: number, bits: number): Condition => ({
  index,
  op: "SCMP_CMP_MASKED_EQ",
  value: bits,
  valueTwo: bits,
});

/** Conditions that match all numbers except these: rules cannot express "none of these". */
const allBut = (index: number, allowed: readonly number[]): Condition[] => {
  const last = Math.max(...allowed);
  const between = Array.from({ length: last }, (_, number) => number);
  return [
    ...between
      .filter((number) => !allowed.includes(number))
      .map((value): Condition => ({ index, op: "SCMP_CMP_EQ", value })),
    { index, op: "SCMP_CMP_GT", value: last },
  ];
};

/**
 * System calls refused in a container, in the format of the engine's `seccomp=` option. The list is
 * that of the local sandbox, so that an old engine, whose own filter allows io_uring and vsock,
 * refuses them too.
 */
export function containerFilter(): string {
  const netlink: Condition = { index: 0, op: "SCMP_CMP_EQ", value: NETLINK };
  const syscalls: Rule[] = [
    refuse([...Object.keys(REFUSED), ...REFUSED_BY_ENGINES], EPERM),
    refuse(Object.keys(UNKNOWN), ENOSYS),
    ...bitsOf(NAMESPACES).map((bit) => refuse(["clone", "unshare"], EPERM, has(0, bit))),
    ...Object.entries(MODE_CALLS).flatMap(([name, { mode, flags }]) =>
      bitsOf(MODES_OF_OTHERS).flatMap((bit) =>
        flags === undefined
          ? [refuse([name], EPERM, has(mode, bit))]
          : bitsOf(MAKES_FILE).map((made) =>
              refuse([name], EPERM, has(flags, made), has(mode, bit)),
            ),
      ),
    ),
    ...Object.entries(SENDS_SIGNAL).map(([name, index]) =>
      refuse([name], EPERM, {
        index,
        op: "SCMP_CMP_MASKED_EQ",
        value: LOW_HALF,
        valueTwo: STOP_SIGNAL,
      }),
    ),
    ...TERMINAL_INPUT.map((request) =>
      refuse(["ioctl"], EPERM, {
        index: 1,
        op: "SCMP_CMP_MASKED_EQ",
        value: LOW_HALF,
        valueTwo: request,
      }),
    ),
    ...allBut(0, [...FAMILIES, NETLINK]).map((family) => refuse(["socket"], EAFNOSUPPORT, family)),
    ...allBut(2, NETLINK_KINDS).map((kind) => refuse(["socket"], EAFNOSUPPORT, netlink, kind)),
  ];
  return JSON.stringify({ defaultAction: "SCMP_ACT_ALLOW", syscalls });
}
