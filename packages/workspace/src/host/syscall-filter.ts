/**
 * System calls refused in a sandbox, as a seccomp filter. No app needs them; they are where kernel
 * exploits happened, or where a project could access what is not its own (the keys of the server's
 * user). A deny list, not an allow list, so that new harmless calls of newer runtimes keep working.
 */

/** System call numbers on x64 and arm64; absent where the call does not exist. */
type Numbers = readonly [x64: number | undefined, arm64: number | undefined];

export const REFUSED: Record<string, Numbers> = {
  // The user's keyrings: in a user namespace without root, they are those of the server's user.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Programs and counters in the kernel.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  // Access to other processes of the same user, such as the guest: their memory and open files.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  // File events of a whole mount.
  fanotify_init: [300, 262],
  // Mounts and namespaces.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  setns: [308, 268],
  open_by_handle_at: [304, 265],
  // The machine itself.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  syslog: [103, 116],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  lookup_dcookie: [212, 18],
};

/** Refused as if the kernel did not support them: callers then fall back to older calls. */
export const UNKNOWN: Record<string, Numbers> = {
  // Its flags are in memory, which a filter cannot read; `clone` does the same.
  clone3: [435, 435],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  // Its mode is passed in memory, which a filter cannot read.
  openat2: [437, 437],
  // Default ACLs, which would grant others access to files that are created there later (A52).
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  fsetxattr: [190, 7],
  setxattrat: [463, 463],
};

/**
 * A system call that sets a file's mode: the index of that argument, and of the argument that has
 * to request a new file for the mode to matter.
 */
interface ModeCall {
  numbers: Numbers;
  mode: number;
  flags?: number;
}

/**
 * Blocks set-user-ID files. Outside the sandbox the project's user is the person, so another account of the machine
 * could run such a file with the person's rights.
 */
export const MODE_CALLS: Record<string, ModeCall> = {
  chmod: { numbers: [90, undefined], mode: 1 },
  fchmod: { numbers: [91, 52], mode: 1 },
  fchmodat: { numbers: [268, 53], mode: 2 },
  fchmodat2: { numbers: [452, 452], mode: 2 },
  creat: { numbers: [85, undefined], mode: 1 },
  mknod: { numbers: [133, undefined], mode: 1 },
  mknodat: { numbers: [259, 33], mode: 2 },
  open: { numbers: [2, undefined], mode: 2, flags: 1 },
  openat: { numbers: [257, 56], mode: 3, flags: 2 },
};
/** The setuid and setgid bits. */
export const MODES_OF_OTHERS = 0o6000;
/** O_CREAT and O_TMPFILE: without them, the mode argument is meaningless. */
export const MAKES_FILE = 0x40_0040;

const CLONE: Numbers = [56, 220];
const UNSHARE: Numbers = [272, 97];
const SOCKET: Numbers = [41, 198];
const IOCTL: Numbers = [16, 29];

/** Flags that create namespaces: mount, cgroup, uts, ipc, user, pid, net. */
export const NAMESPACES = 0x7e02_0000;
/** UNIX, IPv4 and IPv6; netlink is limited separately. */
export const FAMILIES = [1, 2, 10];
export const NETLINK = 16;
/** Routes, sockets of this namespace, device events: used by `ip`, `ss` and browsers. */
export const NETLINK_KINDS = [0, 4, 15];
/** Requests that inject input into a terminal. */
export const TERMINAL_INPUT = [0x5412, 0x541c];

const FILTERED: Record<string, Numbers> = {
  ...REFUSED,
  ...UNKNOWN,
  clone: CLONE,
  unshare: UNSHARE,
  socket: SOCKET,
  ioctl: IOCTL,
  ...Object.fromEntries(Object.entries(MODE_CALLS).map(([name, { numbers }]) => [name, numbers])),
};

/** The number of a filtered system call on a processor; undefined where it does not exist. */
export function syscallNumber(name: string, processor: string = process.arch): number | undefined {
  const known = ARCHITECTURES[processor as keyof typeof ARCHITECTURES];
  return known && FILTERED[name]?.[known.column];
}

export const EPERM = 1;
export const ENOSYS = 38;
export const EAFNOSUPPORT = 97;

const ALLOW = 0x7fff_0000;
const ERRNO = 0x0005_0000;

const ARCHITECTURES = {
  x64: { audit: 0xc000_003e, column: 0 },
  arm64: { audit: 0xc000_00b7, column: 1 },
} as const;

/** One instruction of the kernel's filter machine: code, jump if true, jump if false, constant. */
type Step = [code: number, yes: number, no: number, constant: number];

const load = (offset: number): Step => [0x20, 0, 0, offset];
const give = (value: number): Step => [0x06, 0, 0, value];
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
/** Offsets of the call's number, the processor and the low halves of the arguments. */
const NUMBER = 0;
const PROCESSOR = 4;
const ARGUMENT = (index: number) => 16 + 8 * index;

/**
 * Exceptions for a browser's own sandbox: user, process and network namespaces, and a root in an
 * empty folder.
 */
const FOR_INNER_SANDBOX = { namespaces: 0x7000_0000, calls: ["chroot"] };

/**
 * The filter for this processor in the format of bubblewrap's `--seccomp`; undefined for an
 * unsupported processor. Calls of another architecture (32-bit programs) are reported as unknown.
 * @param inner for programs that create a narrower sandbox for code that they run, as browsers do
 */
export function syscallFilter(
  processor: string = process.arch,
  { inner = false } = {},
): Buffer | undefined {
  const namespaces = inner ? NAMESPACES & ~FOR_INNER_SANDBOX.namespaces : NAMESPACES;
  const known = ARCHITECTURES[processor as keyof typeof ARCHITECTURES];
  if (!known) return undefined;
  const { audit, column } = known;
  const number = (numbers: Numbers) => numbers[column];
  const steps: Step[] = [load(PROCESSOR), [EQUAL, 1, 0, audit], give(ERRNO | ENOSYS), load(NUMBER)];
  // The second set of call numbers on some x64 kernels would bypass all checks below.
  if (processor === "x64") steps.push([AT_LEAST, 0, 1, 0x4000_0000], give(ERRNO | ENOSYS));

  const when = (numbers: Numbers, then: Step[]) => {
    const call = number(numbers);
    if (call !== undefined) steps.push([EQUAL, 0, then.length, call], ...then);
  };
  for (const [name, numbers] of Object.entries(REFUSED))
    if (!inner || !FOR_INNER_SANDBOX.calls.includes(name)) when(numbers, [give(ERRNO | EPERM)]);
  for (const numbers of Object.values(UNKNOWN)) when(numbers, [give(ERRNO | ENOSYS)]);
  for (const numbers of [CLONE, UNSHARE])
    when(numbers, [
      load(ARGUMENT(0)),
      [ANY_BIT, 0, 1, namespaces],
      give(ERRNO | EPERM),
      give(ALLOW),
    ]);
  for (const { numbers, mode, flags } of Object.values(MODE_CALLS))
    when(numbers, [
      ...(flags === undefined
        ? []
        : ([load(ARGUMENT(flags)), [ANY_BIT, 1, 0, MAKES_FILE], give(ALLOW)] satisfies Step[])),
      load(ARGUMENT(mode)),
      [ANY_BIT, 0, 1, MODES_OF_OTHERS],
      give(ERRNO | EPERM),
      give(ALLOW),
    ]);
  when(IOCTL, [
    load(ARGUMENT(1)),
    ...TERMINAL_INPUT.flatMap((request): Step[] => [[EQUAL, 0, 1, request], give(ERRNO | EPERM)]),
    give(ALLOW),
  ]);
  when(SOCKET, [
    load(ARGUMENT(0)),
    ...FAMILIES.flatMap((family): Step[] => [[EQUAL, 0, 1, family], give(ALLOW)]),
    [EQUAL, 1, 0, NETLINK],
    give(ERRNO | EAFNOSUPPORT),
    load(ARGUMENT(2)),
    ...NETLINK_KINDS.flatMap((kind): Step[] => [[EQUAL, 0, 1, kind], give(ALLOW)]),
    give(ERRNO | EAFNOSUPPORT),
  ]);
  steps.push(give(ALLOW));

  const bytes = Buffer.alloc(steps.length * 8);
  for (const [index, [code, yes, no, constant]] of steps.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(yes, index * 8 + 2);
    bytes.writeUInt8(no, index * 8 + 3);
    bytes.writeUInt32LE(constant >>> 0, index * 8 + 4);
  }
  return bytes;
}
