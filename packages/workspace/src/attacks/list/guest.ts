import { WorkspaceError, type Workspace } from "../../types.ts";
import { well } from "../comes-back.ts";
import { NOT_TRIED, type Attempt } from "../attempt.ts";
import { fuzzGuestFrames } from "../hostile-guest.ts";

/** Runs a command for each process of the guest and its launchers. */
const eachGuest = (command: string) =>
  `for p in $(grep -lz guest.mjs /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3); do test "$p" = $$ || { ${command}; }; done 2>/dev/null; echo end`;

/** Pids of the guest, as seen by the project's own programs. */
const GUEST =
  '$(grep -lz guest.mjs /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3 | while read p; do case "$(readlink /proc/$p/exe)" in *bash|*/sh|*/dash) ;; *) test "$p" = 1 || echo $p;; esac; done)';

/**
 * Opens connections to one of the guest's sockets without end: garbage, incomplete frames, and
 * requests whose client disconnects at once.
 */
const FLOOD = (path: string, frame: string) => `
test -S "${path}" || { echo ${NOT_TRIED}; exit; }
node -e '
const net = require("net"), say = ${frame};
let open = 0, made = 0;
const next = () => {
  while (open < 64 && made < 3000) {
    const n = made++; open++;
    const s = net.connect(process.argv[1], () => { s.write(say[n % say.length]); if (n % 3) s.destroy(); else setTimeout(() => s.destroy(), 50); });
    s.on("data", (d) => { if (!/^{"(act|text)"/.test(d)) console.log("GOT", String(d).slice(0, 80)); });
    s.on("error", () => 0).on("close", () => { open--; made < 3000 ? next() : open || process.exit(); });
  }
};
next(); setTimeout(() => process.exit(), 15000);
' "${path}"`;
const ODD_ASKS = `["{}\\n", "x".repeat(300000), "{\\"manager\\":\\"npm\\",\\"args\\":[\\"view\\"],\\"folder\\":\\"/home/project\\",\\"tool\\":\\"1.0.0\\"}\\n", "\\n\\n\\0", "{\\"manager\\":\\"npm\\",\\"args\\":[],\\"folder\\":\\"/../../etc\\",\\"tool\\":\\"x\\"}\\n"]`;

/** Runs the attack, and then checks that the workspace has a working sandbox again; the attacked sandbox may end. */
const thenWell = (command: string) => async (from: Workspace) => {
  const { output } = await from
    .run(command, { quietMs: 20_000, timeoutMs: 40_000 })
    .catch((error: unknown) => {
      if (error instanceof WorkspaceError && error.code === "sandbox") return { output: "" };
      throw error;
    });
  if (output.includes(NOT_TRIED)) return NOT_TRIED;
  return `${output.includes("GOT") ? output : ""}${await well(from)}`;
};

/** Attempts to control the guest, or to take its place, by programs of the project, which run as the same user. */
export function guestTakeovers(): Attempt[] {
  return [
    {
      id: "A49",
      area: "guest",
      what: "the guest's memory, written through /proc",
      act: eachGuest(`test "$p" != 1 && ( : >> /proc/$p/mem ) && echo GOT $p`),
      always: /^end\n$/,
    },
    {
      id: "A49",
      area: "guest",
      what: "the guest's open files and its environment",
      act: eachGuest(
        `test "$p" != 1 && { ls /proc/$p/fd | grep -q . && echo GOT files; head -c 1 /proc/$p/environ | grep -q . && echo GOT words; head -c 1 /proc/$p/maps | grep -q . && echo GOT maps; }`,
      ),
      always: /^end\n$/,
    },
    {
      id: "A49",
      area: "guest",
      what: "the guest's debugger, opened by a signal",
      act: `${eachGuest(`test "$p" != 1 && kill -USR1 $p`)}; for i in 1 2 3 4 5; do sleep 0.1; (exec 3<> /dev/tcp/127.0.0.1/9229) 2>/dev/null && echo GOT; done; echo done`,
      always: /^end\ndone\n$/,
    },
    {
      id: "A49",
      area: "guest",
      what: "a connection in the guest's place",
      act: `node -e 'const s=require("net").connect("/run/sbx/guest.sock");s.on("data",()=>console.log("GOT")).on("error",()=>{}).on("close",()=>{console.log("end");process.exit()});s.write(Buffer.alloc(64));setTimeout(()=>{console.log("end");process.exit()},3000)'`,
      always: /^end\n$/,
    },
    {
      id: "A49",
      area: "guest",
      what: "connections without end at the guest's second door, in the place of what the server dials",
      act: thenWell(FLOOD("/run/sbx/stream.sock", '["0".repeat(32), "x", "\\u0000".repeat(64)]')),
      always: /^well\n$/,
    },
    {
      id: "A48",
      area: "guest",
      what: "questions about installs without end, odd ones, and such whose asker is gone",
      act: thenWell(FLOOD("$TREADLE_INSTALL_SOCKET", ODD_ASKS)),
      always: /^well\n$/,
    },
    {
      id: "A48",
      area: "guest",
      what: "the guest's open files and its priority taken away",
      act: thenWell(
        `for p in ${GUEST}; do prlimit --pid $p --nofile=3:3 --fsize=0:0; renice 19 $p; chrt -i -p 0 $p; done > /dev/null 2>&1; for i in 1 2 3; do ls > /dev/null; done; echo end`,
      ),
      always: /^well\n$/,
    },
    {
      id: "A48",
      area: "guest",
      what: "the guest ended, with all that the server waits for from it",
      act: thenWell(`sleep 30 & kill -9 ${GUEST}; echo end`),
      always: /^well\n$/,
    },
    {
      id: "A48",
      area: "guest",
      what: "frames of a guest that was taken over: names that lead out, answers of another kind, noise",
      act: fuzzGuestFrames,
      always: /^held\n$/,
    },
  ];
}
