import { NOT_TRIED, type Attempt } from "../attempt.ts";
import { syscallNumber } from "../../host/syscall-filter.ts";

/**
 * `EPERM`, `EACCES`, `ENOSYS`, `EAFNOSUPPORT`: refused by the filter. Any other result comes from
 * the call itself.
 */
const REFUSED = /^refused (1|13|38|97)\n$/;

/** System calls with arguments that would have an effect if the call were allowed. */
const CALLS: [what: string, call: string, ...words: (number | string)[]][] = [
  ["keys of the user who runs the server", "keyctl", 11, -4, 0, 0, 0],
  ["a key added to that user's", "add_key", '"user"', '"x"', '"x"', 1, -4],
  ["a key asked for by the kernel's helper", "request_key", '"user"', '"x"', '"x"', -3],
  ["a program in the kernel (bpf)", "bpf", 0, '"\\0" x 128', 72],
  ["counters of the processor", "perf_event_open", '"\\0" x 128', 0, -1, -1, 0],
  ["page faults handled by hand (userfaultfd)", "userfaultfd", 1],
  ["another process, traced", "ptrace", 16, 1, 0, 0],
  ["another process's memory, read", "process_vm_readv", 1, 0, 0, 0, 0, 0],
  ["another process's memory, written", "process_vm_writev", 1, 0, 0, 0, 0, 0],
  ["an open file of another process", "pidfd_getfd", 0, 0, 0],
  ["the files of a whole mount watched", "fanotify_init", 0, 0],
  ["the io_uring rings", "io_uring_setup", 1, '"\\0" x 128'],
  ["the kernel's log", "syslog", 3, '"\\0" x 64', 64],
  ["a mount by the new calls", "fsopen", '"tmpfs"', 0],
  ["a mount tree by the new calls", "open_tree", -100, '"/"', 1],
  ["a namespace by clone", "clone", 0x1000_0011, 0, 0, 0, 0],
  ["a namespace by clone3, whose flags no filter sees", "clone3", '"\\0" x 88', 88],
  ["a namespace by unshare", "unshare", 0x1002_0000],
  ["another process's namespace", "setns", 0, 0],
  ["a file by its handle, past every mount", "open_by_handle_at", -100, '"\\0" x 16', 0],
  ["a module of the kernel", "finit_module", 0, '""', 0],
  ["another kernel", "kexec_load", 0, 0, 0, 0],
  ["the clock", "clock_settime", 0, '"\\0" x 16'],
  ["words typed into a terminal (TIOCSTI)", "ioctl", 0, 0x5412, '"x"'],
];

const SOCKETS: [what: string, family: number, type: number, protocol: number][] = [
  ["the machine below this one (vsock)", 40, 1, 0],
  ["raw packets of the network", 17, 3, 0x300],
  ["the kernel's ciphers (AF_ALG)", 38, 5, 0],
  ["the kernel's firewall (netlink)", 16, 3, 12],
  ["the kernel's audit (netlink)", 16, 3, 9],
  ["bluetooth", 31, 1, 0],
  ["the kernel's keys of IPsec", 15, 3, 2],
  ["raw IP", 2, 3, 1],
];

function ask(call: string, words: (number | string)[]): string {
  const number = syscallNumber(call);
  if (number === undefined) return `echo ${NOT_TRIED}`;
  // A string that the call writes to needs a variable of its own.
  const names = words.map((word, index) =>
    typeof word === "string" ? `$v${index}` : String(word),
  );
  const set = words
    .map((word, index) => (typeof word === "string" ? `my $v${index} = ${word};` : ""))
    .join("");
  const program = `${set} my $r = syscall(${[number, ...names].join(", ")}); print $r >= 0 ? "GOT $r\\n" : "refused " . ($! + 0) . "\\n"`;
  return `command -v perl > /dev/null || { echo ${NOT_TRIED}; exit; }; perl -e '${program}'`;
}

/**
 * System calls that have been used to escape from sandboxes, or that bypass the network's limits.
 */
export function kernelCalls(): Attempt[] {
  return [
    ...CALLS.map(([what, call, ...words]): Attempt => ({
      id: "",
      area: "kernel",
      what,
      act: ask(call, words),
      always: REFUSED,
    })),
    ...SOCKETS.map(([what, ...words]): Attempt => ({
      id: "A31",
      area: "kernel",
      what,
      act: ask("socket", words),
      always: REFUSED,
    })),
    {
      id: "",
      area: "kernel",
      what: "a filter of calls is in force",
      act: "grep -E '^Seccomp:' /proc/self/status",
      always: /Seccomp:\s2/,
    },
  ];
}
