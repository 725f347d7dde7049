import { literally, type AttackPlace, type Attempt } from "../attempt.ts";

/**
 * A script that searches the memory of every other process of the sandbox; the secret is only assembled in the
 * searching process.
 */
const SEARCH = (secret: string) => `
const fs = require("fs");
const needle = Buffer.from(${JSON.stringify(secret.slice(0, 9))} + ${JSON.stringify(secret.slice(9))});
let searched = 0;
for (const pid of fs.readdirSync("/proc").filter((name) => /^\\d+$/.test(name) && +name !== process.pid)) {
  let memory;
  try { memory = fs.openSync("/proc/" + pid + "/mem", "r"); } catch { continue; }
  for (const line of fs.readFileSync("/proc/" + pid + "/maps", "utf8").split("\\n")) {
    const found = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line);
    if (!found) continue;
    const from = Number("0x" + found[1]);
    const size = Math.min(Number("0x" + found[2]) - from, 1 << 26);
    const bytes = Buffer.alloc(size);
    try { fs.readSync(memory, bytes, 0, size, from); } catch { continue; }
    searched += size;
    if (bytes.includes(needle)) console.log("FOUND in", pid);
  }
}
console.log("searched", searched > 0);
`;

/** Attempts to read what belongs to others: the server's keys, the host's files, other projects. */
export function readings(place: AttackPlace): Attempt[] {
  const { otherDirectory: other, pid } = place;
  return [
    {
      id: "A33",
      area: "read",
      what: "keys of the server in any environment or command line",
      act: "env; cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'; echo end",
      always: /PATH=[^]*end/,
      never: literally(place.secret, "TREADLE_TEST_KEY", `=${place.home}\n`),
    },
    {
      id: "A33",
      area: "read",
      what: "keys of the server in the memory of any process",
      act: `node -e '${SEARCH(place.secret)}'`,
      always: /searched/,
      never: /FOUND/,
    },
    {
      id: "A33",
      area: "read",
      what: "the server's process",
      act: `cat /proc/${pid}/environ /proc/${pid}/mem 2>&1; kill -0 ${pid} 2>&1; echo end`,
      always: /No such[^]*No such[^]*No such[^]*end/,
    },
    {
      id: "",
      area: "read",
      what: "processes of the host",
      act: "ls /proc | grep -c '^[0-9]'",
      always: /^\d\d?\n$/,
    },
    {
      id: "",
      area: "read",
      what: "files that the server has open",
      act: "ls -l /proc/*/fd 2>/dev/null | grep -o ' -> /.*' | grep -vE -e '-> /(dev|proc|home/project|tmp)(/|$)'; echo end",
      always: /^end\n$/,
    },
    {
      id: "",
      area: "read",
      what: "password files and logins of the host",
      act: "cat /etc/shadow /etc/gshadow /root/.npmrc /root/.ssh/* /proc/1/root/etc/shadow 2>&1; echo end",
      always: /end/,
      never: /root:[$*!]|_auth|registry=|PRIVATE KEY/,
    },
    {
      id: "",
      area: "read",
      what: "folders of the host",
      act: "ls -d /work /host /mnt/* /media/* /srv/* /boot/* /var/lib/docker /var/lib/containerd /var/lib/postgresql /var/log/journal /root/.??* 2>/dev/null; echo end",
      always: /^end\n$/,
    },
    {
      id: "A19",
      area: "read",
      what: "another project's files, by any path",
      act: `cat ${other}/private.txt ../other/private.txt ../../other/files/private.txt /proc/1/root${other}/private.txt /proc/*/cwd/private.txt /proc/*/root/${other}/private.txt 2>&1; find / -xdev -name private.txt 2>/dev/null; echo end`,
      always: /end/,
      never: new RegExp(`${literally(place.otherSecret).source}|^/.*private.txt$`, "m"),
    },
    {
      id: "A20",
      area: "read",
      what: "the host through a planted link",
      act: `ln -sfn ${other} planted; ln -sfn /proc/1/root${other} planted-too; cat planted/private.txt planted-too/private.txt 2>&1; rm planted planted-too; echo end`,
      always: /end/,
      never: literally(place.otherSecret),
    },
    {
      id: "",
      area: "read",
      what: "the server's database, keys and sockets",
      act: "find / -xdev \\( -name '*.sqlite*' -o -name 'treadle.db*' -o -name secrets.key -o -name docker.sock -o -name system_bus_socket -o -name '.s.PGSQL*' \\) 2>/dev/null; echo end",
      always: /^end\n$/,
    },
    {
      id: "",
      area: "read",
      what: "the kernel's own memory and log",
      act: "for f in /proc/kcore /dev/mem /dev/kmem /dev/port /dev/kmsg /proc/kmsg; do head -c 16 $f 2>/dev/null | grep -q . && echo GOT $f; done; dmesg > /dev/null 2>&1 && echo GOT dmesg; grep -m1 -vE '^0+ ' /proc/kallsyms 2>/dev/null; echo end",
      always: /^end\n$/,
    },
    {
      id: "",
      area: "read",
      what: "disks and devices",
      act: "find /dev -mindepth 1 \\( -type b -o -type c \\) 2>/dev/null | grep -vE '^/dev/(null|zero|full|u?random|tty|ptmx|console|pts/.*)$'; echo end",
      always: /^end\n$/,
    },
  ];
}
