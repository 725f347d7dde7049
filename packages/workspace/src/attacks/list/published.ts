import { literally, type AttackPlace, type Attempt } from "../attempt.ts";

/**
 * A script that prints how many abstract sockets of the attack place are visible. Others are not counted: the kernel
 * may list those that the sandbox's own guest is connected to.
 */
const SOCKETS = `
const fs = require("fs");
const names = fs.readFileSync("/proc/net/unix", "utf8").split("\\n").slice(1).map((line) => line.trim().split(/\\s+/)[7]).filter(Boolean);
console.log("seen", names.filter((name) => /treadle-attack-/.test(name)).length);
`;

const dial = (options: Record<string, unknown>) =>
  `node -e 'const s=require("net").connect(${JSON.stringify(options)});const say=w=>{console.log(w);process.exit()};s.setTimeout(2000,()=>say("timeout"));s.on("connect",()=>s.write("GET / HTTP/1.0\\r\\n\\r\\n"));s.on("data",d=>say(String(d)));s.on("error",e=>say(e.code))'`;

/**
 * A published app's attempts to reach anything beyond its release: its project, other releases,
 * other apps, the server.
 */
export function publishedBorders({ published, otherSecret }: AttackPlace): Attempt[] {
  const { project, workedOn, neighbour, neighbourPort, abstractSocket } = published;
  const never = literally(otherSecret, workedOn);
  const inside = (id: string, what: string, command: string, rest: Partial<Attempt>): Attempt => ({
    id,
    area: "published",
    what,
    act: async () => (await published.from!.run(command)).output,
    never,
    ...rest,
  });
  const database = `${neighbour}/data/app.db`;
  return [
    inside(
      "A141",
      "the files of its own project, as they are worked on",
      `cat ${project}/worked-on.txt ../../../files/worked-on.txt /proc/1/root${project}/worked-on.txt 2>&1; ls /home; echo end`,
      { always: /(No such|Permission)[^]*end/ },
    ),
    inside(
      "A141",
      "the files and data of another app, by every way to them",
      `cat ${database} /proc/*/root${database} /proc/*/cwd/../data/app.db 2>&1; for f in $(find / -name "app.db*" -not -path "/home/project/*" 2>/dev/null); do cat $f; done; echo end`,
      { always: /end/ },
    ),
    inside(
      "A142",
      "another app's database, opened and attached",
      `node -e 'const {DatabaseSync}=require("node:sqlite");for(const f of ["${database}","file:${database}?mode=ro","/home/project/../../..${database}"])try{const d=new DatabaseSync(f,{readOnly:true});console.log(d.prepare("select * from guests").all())}catch(e){console.log(e.code)}try{const d=new DatabaseSync(":memory:");d.exec("attach \\"${database}\\" as x");console.log(d.prepare("select * from x.guests").all())}catch(e){console.log(e.code)}' 2>&1; echo end`,
      { always: /(ERR_SQLITE_ERROR\s+){4}end/ },
    ),
    inside(
      "A142",
      "a link to another app's data, in the place of its own",
      `mkdir -p data; ln -sfn ${database} data/app.db; cat data/app.db 2>&1; echo end`,
      { always: /No such[^]*end/ },
    ),
    inside(
      "A143",
      "another app's server, at its port on every loopback",
      ["127.0.0.1", "::1", "localhost", "0.0.0.0"]
        .map((host) => dial({ host, port: neighbourPort }))
        .join("; "),
      { always: /^(E[A-Z]+\s+){4}$/ },
    ),
    inside(
      "A143",
      "the sockets by which the host speaks with sandboxes, by name and by path",
      `node -e '${SOCKETS.replaceAll("\n", " ")}'; ls -d /tmp/treadle-[0-9]* /var/tmp/treadle-[0-9]* 2>&1; ${dial({ path: `@${abstractSocket}` }).replace(`"@`, `"\\0`)}; echo end`,
      { always: /seen 0\n[^]*No such[^]*(ECONNREFUSED|ENOENT|EACCES|EPERM)\s+end/ },
    ),
    inside(
      "A144",
      "the processes of other apps, their environment and their memory",
      `cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -cx '[s]erver[.]cjs'; echo end`,
      { always: /^0\n/ },
    ),
    {
      id: "A144",
      area: "published",
      what: "and the other app answers all the same",
      act: async () => {
        const socket = await published.neighbourWorkspace!.connect(neighbourPort);
        return new Promise<string>((resolve) => {
          socket.on("data", (piece: Buffer) => resolve(piece.toString()));
          socket.on("error", (error) => resolve(error.message));
          socket.write("GET / HTTP/1.0\r\n\r\n");
        });
      },
      always: /200 OK[^]*neighbour-of-the-app/,
    },
  ];
}
