import type { AttackPlace, Attempt } from "@treadle/workspace";

/** A command of a program in place of the browser, with required and forbidden output. */
export interface TakenAttempt extends Pick<Attempt, "id" | "what" | "always" | "never"> {
  command: string;
  /** The resource control that it needs; skipped if the machine has none. */
  needs?: "pids" | "memory";
}

const NODE = "/run/browser/node";

const asks = (request: string) =>
  `printf '${request}\\r\\n\\r\\n' | timeout 5 bash -c 'exec 3<> /dev/tcp/127.0.0.1/9001; cat >&3; head -c 400 <&3'; echo`;

/** System calls that could escape from a sandbox, also as root of a user namespace, which Chromium may create. */
const CALLS = `
for call in 250:11:-4:0:0:0 321:0:0:0 298:0:0:-1:-1:0 323:1 425:1:0 304:-100:0:0 313:0:0:0 246:0:0:0:0 103:3:0:64 438:0:0:0; do
  for as in "" "unshare -Ur"; do
    $as perl -e 'my @a = map { $_ + 0 } split /:/, shift; my $r = syscall(shift @a, @a); print $r >= 0 ? "GOT $r\n" : "refused " . ($! + 0) . "\n"' $call
  done
done; echo end`;

/** @param place the secrets and files that the attempts try to reach */
export const takenAttempts = (place: AttackPlace): TakenAttempt[] => [
  {
    id: "A33",
    what: "to read the server's keys, wherever a process has them",
    command: `cat /proc/*/environ /proc/*/cmdline /proc/${place.pid}/mem 2>/dev/null | tr '\\0' '\\n'; env; echo end`,
    always: /PATH=[^]*end\n/,
    never: new RegExp(`${place.secret || "nothing"}|TREADLE_TEST_KEY`),
  },
  {
    id: "A19",
    what: "to read projects and what the server keeps",
    command: `cat ${place.otherDirectory}/private.txt /proc/1/root${place.otherDirectory}/private.txt; ls -A ${place.stateDirectory} ${place.home} /home /root /work /srv /var/lib/docker 2>/dev/null; find / -xdev -name 'treadle.db*' 2>/dev/null; echo end`,
    always: /end\n/,
    never: new RegExp(`${place.otherSecret || "nothing"}|checkpoints|treadle\\.db|\\.ssh`),
  },
  {
    id: "",
    what: "to read logins of the machine, its disks and devices",
    command:
      "cat /etc/shadow /root/.npmrc /root/.ssh/* 2>/dev/null; find /dev -mindepth 1 \\( -type b -o -type c \\) 2>/dev/null | grep -vE '^/dev/(null|zero|full|u?random|tty|ptmx|console|pts/.*)$'; echo end",
    always: /^end\n/,
  },
  {
    id: "A31",
    what: "to reach a service of this machine, past its way out",
    command: `${["127.0.0.1", "::1", ...place.addresses]
      .map(
        (host) =>
          `curl -gsS -m 3 --noproxy '*' http://${host.includes(":") ? `[${host}]` : host}:${place.servicePort}/`,
      )
      .join("; ")}; echo end`,
    always: /end\n/,
    never: /a service of the host/,
  },
  {
    id: "A62",
    what: "to reach by its way out what no page may: this machine, other previews, other ports, the registry, names with no dot",
    command: [
      `CONNECT 127.0.0.1:${place.servicePort} HTTP/1.1`,
      "CONNECT evil.com:443 HTTP/1.1",
      "CONNECT registry.npmjs.org:443 HTTP/1.1",
      "CONNECT other.localhost:4173 HTTP/1.1",
      "CONNECT attack.localhost:22 HTTP/1.1",
      `GET http://127.0.0.1:${place.servicePort}/ HTTP/1.1\\r\\nHost: attack.localhost:4173`,
      "GET http://other.localhost:4173/ HTTP/1.1\\r\\nHost: attack.localhost:4173",
      "GET http://attack.localhost:4173/ HTTP/1.1\\r\\nHost: other.localhost:4173",
      "GET http://wpad/wpad.dat HTTP/1.1\\r\\nHost: wpad",
    ]
      .map(asks)
      .concat("echo end")
      .join("\n"),
    always: /HTTP[^]*end\n/,
    never: /HTTP\/1\.. 2|a service of the host|the other preview/,
  },
  {
    id: "A68",
    what: "another protocol on its way out: HTTP/2, two requests that are read as one",
    command: [
      asks("PRI * HTTP/2.0\\r\\n\\r\\nSM"),
      asks(
        "GET http://attack.localhost:4173/ HTTP/1.1\\r\\nHost: attack.localhost:4173\\r\\nConnection: Upgrade, HTTP2-Settings\\r\\nUpgrade: h2c\\r\\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA",
      ),
      asks(
        "POST http://attack.localhost:4173/ HTTP/1.1\\r\\nHost: attack.localhost:4173\\r\\nContent-Length: 4\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\nGET http://other.localhost:4173/ HTTP/1.1\\r\\nHost: other.localhost:4173",
      ),
      "echo end",
    ].join("\n"),
    always: /end\n/,
    never: /101 Switching|the other preview/,
  },
  {
    id: "A49",
    what: "to stop, trace or end processes that are not its own",
    command: `for p in ${place.pid} $(seq 2 40); do test -e /proc/$p || kill -STOP $p 2>/dev/null && test ! -e /proc/$p && echo GOT $p; done; ls /proc | grep -c '^[0-9]'; echo end`,
    always: /^\d\d?\nend\n/,
  },
  {
    id: "",
    what: "to change what the next browser is started with, the system, or its way out",
    command:
      'for f in /run/browser/shared/* /run/browser/node /etc/passwd /usr/bin/env /proc/sys/kernel/core_pattern; do (: >> "$f") 2>/dev/null && echo GOT $f; rm -f "$f" 2>/dev/null && echo GONE $f; done; touch /run/browser/shared/x /usr/x /etc/x 2>/dev/null && echo GOT; echo end',
    always: /^end\n/,
  },
  {
    id: "",
    what: "the system made writable, or a device, as root of a namespace of its own",
    command:
      "unshare -Urm bash -c 'mount -o remount,rw,bind /usr && touch /usr/x && echo GOT usr; mount -o remount,rw,bind /run/browser/shared && touch /run/browser/shared/x && echo GOT shared; mknod /tmp/d b 254 0 && echo GOT device; mount -t proc x /tmp && echo core > /tmp/sys/kernel/core_pattern && echo GOT core; mount -t sysfs x /tmp && ls /tmp/fs/cgroup/* > /dev/null && echo GOT groups' 2>/dev/null; echo end",
    always: /^end\n/,
  },
  {
    id: "",
    what: "calls of the kernel that broke out of sandboxes, as root of a namespace of its own as well",
    command: process.arch === "x64" ? CALLS : "echo refused 1; echo end",
    always: /refused[^]*end\n/,
    never: /GOT|refused (?!1\n|13\n|38\n)/,
  },
  {
    id: "A50",
    what: "more memory than its share",
    needs: "memory",
    command: `${NODE} -e 'const a=[];for(let i=0;i<24;i++)a.push(Buffer.alloc(1<<28,1));console.log("GOT",a.length)'; echo end`,
    always: /end\n/,
    never: /^GOT/m,
  },
  {
    id: "A50",
    what: "more processes than its share",
    needs: "pids",
    command: `${NODE} -e 'const{spawn}=require("child_process");const all=[];let n=0;for(let i=0;i<800;i++){try{const c=spawn("sleep",["30"]);c.on("error",()=>0);if(c.pid){n++;all.push(c)}}catch{}}for(const c of all)c.kill("SIGKILL");console.log(n<450?"few":"GOT "+n)'; echo end`,
    always: /^few\nend\n/,
  },
  {
    id: "A51",
    what: "the disk of this machine",
    command:
      "for d in /tmp /dev/shm /home /run; do head -c 2G /dev/zero > $d/big 2>/dev/null; s=$(stat -c %s $d/big 2>/dev/null || echo 0); test $s -gt 600000000 && echo GOT $d $s; rm -f $d/big; done; echo end",
    always: /^end\n/,
  },
];
