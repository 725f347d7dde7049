import { monitorEventLoopDelay } from "node:perf_hooks";
import { toProjectPath } from "@treadle/protocol/project-path";
import type { Attempt } from "../attempt.ts";
import { well } from "../comes-back.ts";

const fill = (folder: string) =>
  `dd if=/dev/zero of=${folder}/fill bs=1M count=600 2>&1; rm -f ${folder}/fill`;

/** Attempts to use more of the machine than a project may. They run last, because some of them end the sandbox. */
export function exhaustions(): Attempt[] {
  return [
    ...["/tmp", "/home/user", "/run", "/dev/shm"].map((folder): Attempt => ({
      id: "A37",
      area: "exhaust",
      what: `memory by way of ${folder}`,
      act: fill(folder),
      always: /No space left|Permission denied|Read-only|No such file/,
    })),
    {
      id: "A37",
      area: "exhaust",
      what: "the server's descriptors, by thousands of connections",
      act: `node -e 'const n=require("net");const all=[];const count=()=>all.filter(s=>!s.destroyed&&!s.connecting).length;for(let i=0;i<1500;i++){const s=n.connect("/run/sbx/stream.sock");s.on("error",()=>{});s.resume();all.push(s)}const end=Date.now()+15000;setInterval(()=>{if(all.some(s=>s.connecting)||count()>256&&Date.now()<end)return;console.log("open",count());process.exit()},50)'`,
      always: /^open ([01]?\d?\d|2[0-4]\d|25[0-6])\n$/,
    },
    {
      id: "A37",
      area: "exhaust",
      what: "the server's time, by thousands of refused connections",
      async act(workspace) {
        const flood = workspace.run(
          `node -e 'const n=require("net");const port=+new URL(process.env.HTTP_PROXY).port;const end=Date.now()+1500;const one=()=>{if(Date.now()>end)return;const s=n.connect(port,"127.0.0.1",()=>s.write("CONNECT evil.com:443 HTTP/1.1\\r\\n\\r\\n"));s.resume();s.on("error",()=>{});s.on("close",one)};for(let i=0;i<200;i++)one();setTimeout(()=>process.exit(),2000)'`,
        );
        const answered = await workspace.files.list({ limit: 1 }).then(() => "answered\n");
        await flood;
        return answered + (await well(workspace));
      },
      always: /^answered\nwell\n$/,
    },
    {
      id: "A48",
      area: "exhaust",
      what: "the server, by a flood of questions about installs whose asker is gone",
      async act(workspace) {
        const flood = workspace.run(
          `echo '{"name":"a","dependencies":{"left-pad":"1.0.0"}}' > package.json; node -e 'const n=require("net");const ask=JSON.stringify({manager:"npm",args:["install"],folder:process.cwd()})+"\\n";const end=Date.now()+1500;let no=0;const one=()=>{if(Date.now()>end)return;const s=n.connect(process.env.TREADLE_INSTALL_SOCKET,()=>{s.write(no++%5?ask:"{\\"manager\\":5}\\n");setTimeout(()=>s.destroy(),no%7)});s.on("error",()=>{});s.on("close",one)};for(let i=0;i<100;i++)one();setTimeout(()=>process.exit(),2000)'; kill -9 -1`,
        );
        await flood.catch(() => undefined);
        return well(workspace);
      },
      always: /^well\n$/,
    },
    {
      id: "F20",
      area: "exhaust",
      what: "the list of files, by a thousand folders one inside the other and a file of 9 GB",
      async act(workspace) {
        const deep = toProjectPath(`treadle-deep-${"d".repeat(180)}`);
        const hole = toProjectPath("treadle-hole.bin");
        await workspace.run(
          `node -e 'for(let n=0;n<1000;n++){fs.mkdirSync("${deep}");process.chdir("${deep}")}'; truncate -s 9G ${hole}`,
        );
        const { files } = await workspace.files.list();
        await workspace.revision();
        const listed = files.filter(({ path }) => path === deep || path === hole).length;
        for (const path of [deep, hole]) await workspace.files.remove(path);
        return `listed ${listed}\n${await well(workspace)}`;
      },
      always: /^listed 2\nwell\n$/,
    },
    {
      id: "A106",
      area: "exhaust",
      what: "the server's share of the processor, by two hundred loops without end",
      async act(workspace) {
        const late = monitorEventLoopDelay({ resolution: 10 });
        late.enable();
        const loops = workspace.run(
          'for i in $(seq 200); do timeout 2 sh -c "while :; do :; done" & done; wait; true',
          { timeoutMs: 30_000 },
        );
        const answered = await workspace.files.list({ limit: 1 }).then(() => "answered\n");
        await loops;
        late.disable();
        // Reported without judging: on a busy machine a delay proves nothing about this sandbox.
        const waited = `one turn in ten waited for ${Math.round(late.percentile(90) / 1e6)} ms\n`;
        return answered + (await well(workspace)) + waited;
      },
      always: /^answered\nwell\n/,
    },
    {
      id: "A37",
      area: "exhaust",
      what: "memory",
      async act(workspace) {
        const exit = await workspace
          .run(
            `node --max-old-space-size=100000 -e 'const all=[];for(;;)all.push(Buffer.alloc(1<<26,1))'`,
            { timeoutMs: 30_000 },
          )
          .catch(() => undefined);
        const ended = exit?.kind === "exited" && exit.code === 0 ? "NOT ENDED\n" : "ended\n";
        return ended + (await well(workspace));
      },
      always: /^ended\nwell\n$/,
    },
    {
      id: "A38",
      area: "exhaust",
      what: "a life after stop, by double forks that hear no signal",
      async act(workspace) {
        await workspace.run(
          `(trap "" TERM HUP INT; setsid setsid sleep 7777 &); setsid bash -c 'trap "" TERM; (sleep 7777 &) ; exec sleep 7777' & env -i setsid sleep 7777 & sleep 7777`,
          { timeoutMs: 700 },
        );
        return (await workspace.run("pgrep -c -f 'sleep 777[7]'; true")).output;
      },
      always: /^0\n$/,
    },
    {
      id: "A37",
      area: "exhaust",
      what: "processes, by a fork bomb",
      async act(workspace) {
        const bomb = workspace.run("bomb() { bomb | bomb & }; bomb; sleep 30", {
          timeoutMs: 1_500,
        });
        await bomb.catch(() => undefined);
        return well(workspace);
      },
      always: /^well\n$/,
    },
    {
      id: "A38",
      area: "exhaust",
      what: "everything of the sandbox, killed from inside",
      async act(workspace) {
        await workspace.run("kill -9 -1", { timeoutMs: 5_000 }).catch(() => undefined);
        return well(workspace);
      },
      always: /^well\n$/,
    },
  ];
}
