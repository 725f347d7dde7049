import { toProjectPath } from "@treadle/protocol/project-path";
import { existsSync } from "node:fs";
import type { Attempt } from "../attempt.ts";

const FILES = [
  "/usr/x",
  "/etc/x",
  "/x",
  "/run/treadle/guest/guest.mjs",
  "/run/treadle/npm/package.json",
  "/run/treadle/node/bin/node",
  "/etc/passwd",
  "/etc/hosts",
  "/dev/x",
];
const KERNEL = [
  "/proc/sys/kernel/hostname",
  "/proc/sys/kernel/core_pattern",
  "/proc/sys/kernel/modprobe",
  "/proc/sys/vm/overcommit_memory",
  "/proc/sys/fs/binfmt_misc/register",
  "/proc/sysrq-trigger",
  "/proc/irq/default_smp_affinity",
  "/sys/kernel/uevent_helper",
  "/sys/fs/cgroup/release_agent",
];

const write = (paths: string[]) =>
  `for f in ${paths.join(" ")}; do (echo x >> $f) 2>/dev/null && echo WROTE $f; done; echo end`;

/** Attempts to write what must stay unchanged: the system, the machine's settings, Treadle's own programs. */
export function writings(): Attempt[] {
  return [
    {
      id: "",
      area: "write",
      what: "system, programs and accounts",
      act: write(FILES),
      always: /^end\n$/,
    },
    {
      id: "",
      area: "write",
      what: "settings of the host's kernel",
      act: write(KERNEL),
      always: /^end\n$/,
    },
    {
      id: "A22",
      area: "write",
      what: "a file of the system through a hard link",
      act: "ln /usr/bin/env hard 2>/dev/null && (echo x >> hard) 2>/dev/null && echo WROTE; ln /run/treadle/node/bin/node hard2 2>/dev/null && echo LINKED; rm -f hard hard2; echo end",
      always: /^end\n$/,
    },
    {
      id: "A34",
      area: "write",
      what: "the host, by a package's postinstall script",
      async act(workspace) {
        const name = `treadle-evil-${process.pid}-${Date.now()}`;
        const scripts = { postinstall: `echo x > /tmp/${name}; echo x > ../escaped; id > ran.txt` };
        const manifest = JSON.stringify({ name: "evil", version: "1.0.0", scripts });
        await workspace.files.write(toProjectPath("evil/package.json"), manifest);
        await workspace.run("cd evil && npm install --foreground-scripts");
        const { output } = await workspace.run("cat evil/ran.txt escaped; rm -rf evil escaped");
        return `${output}${existsSync(`/tmp/${name}`) ? "WROTE" : "end"}\n`;
      },
      always: /uid=\d[^]*x\nend/,
      never: /WROTE/,
    },
  ];
}
