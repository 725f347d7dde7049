import { NOT_TRIED, type AttackPlace, type Attempt } from "../attempt.ts";

/** Sets all capabilities with the system call itself, if there is no program for it. */
const CAPABILITY = `python3 -c 'import os; os.setxattr("/tmp/cap", "security.capability", bytes.fromhex("01000002" + "ff" * 16))'`;

/** Every way to set a file's mode; lists files that have setuid or setgid afterwards. */
const RUNS_AS_ANOTHER = `
mkdir -p asother; cd asother
for mode in 4755 2755 6777; do
  touch a$mode; chmod $mode a$mode; cp /usr/bin/id i$mode && chmod $mode i$mode; install -m $mode /usr/bin/id j$mode
  node -e 'const fs=require("fs");const m=parseInt(process.argv[1],8);const all=[()=>fs.chmodSync("n",m),()=>fs.openSync("o"+m,"w",m),()=>fs.writeFileSync("w"+m,"",{mode:m}),()=>{const f=fs.openSync("f"+m,"w");fs.fchmodSync(f,m)}];fs.writeFileSync("n","");for(const one of all)try{one()}catch{}' $mode
done > /dev/null 2>&1
cd ..; find asother /tmp /home/user -type f -perm /6000 2> /dev/null | sed 's/^/GOT /'; test -f asother/a4755 && echo end; rm -rf asother`;

const TRIES = {
  "a mount": "mount -t tmpfs x /mnt",
  "a bind mount over a program": "mount --bind /bin/true /bin/false",
  "the system made writable again": "mount -o remount,rw /usr",
  "a user namespace": "unshare -U true",
  "a mount namespace": "unshare -Urm true",
  "a network namespace": "unshare -n true",
  "a control group of its own": "unshare -UrC mount -t cgroup -o memory x /tmp",
  "a root of its own": "chroot / true",
  "another account by sudo": "sudo -n true",
  "another account by su": "su -c true < /dev/null",
  "a sandbox in the sandbox": "bwrap --unshare-user --bind / / true",
  "a device": "mknod /tmp/disk b 254 0",
  "a file of root's": "touch mine && chown 0 mine",
  "namespaces of the first process": "nsenter -t 1 -m true",
  "a capability on a program": `cp /usr/bin/id /tmp/cap; if command -v python3; then ${CAPABILITY}; else setcap cap_sys_admin+ep /tmp/cap; fi`,
  "more processes, files or memory than given":
    "prlimit --nproc=unlimited:unlimited true || ulimit -Hn 1000000",
  "being spared when memory runs out": "echo -900 > /proc/self/oom_score_adj",
  "a higher priority":
    "nice -n -10 true 2>&1 | grep -q . && false || test $(nice -n -10 nice) -lt 0",
};

/** Attempts to gain more rights than the sandbox has. */
export function privileges(place: AttackPlace): Attempt[] {
  return [
    ...Object.entries(TRIES).map(([what, command]): Attempt => ({
      id: "",
      area: "privilege",
      what,
      act: `(${command}) > /dev/null 2>&1; case $? in 0) echo GOT;; 127) echo ${NOT_TRIED};; esac; rm -f mine /tmp/cap; echo end`,
      always: /^end\n$/,
    })),
    {
      id: "A52",
      area: "privilege",
      what: "a program that makes whoever runs it its owner, also outside",
      act: RUNS_AS_ANOTHER,
      always: /^end\n$/,
    },
    {
      id: "",
      area: "privilege",
      what: "capabilities, or a way to gain some",
      act: "grep -E '^(CapEff|CapPrm|CapBnd|NoNewPrivs)' /proc/self/status",
      always: /CapPrm:\s0+\n[^]*CapEff:\s0+\n[^]*NoNewPrivs:\s1\n/,
    },
    {
      id: "",
      area: "privilege",
      what: "the server's process, stopped, traced or slowed",
      act: `kill -STOP ${place.pid} 2>/dev/null && echo GOT; renice 19 ${place.pid} > /dev/null 2>&1 && echo GOT; head -c 1 /proc/${place.pid}/mem > /dev/null 2>&1 && echo GOT; echo end`,
      always: /^end\n$/,
    },
    {
      id: "",
      area: "privilege",
      what: "processes outside of this sandbox, by any number",
      act: `for p in /proc/[0-9]*; do test "$(readlink $p/ns/pid)" = "$(readlink /proc/self/ns/pid)" || test ! -r $p/ns/pid || test ! -e $p || echo GOT $p; done; echo end`,
      always: /^end\n$/,
    },
  ];
}
