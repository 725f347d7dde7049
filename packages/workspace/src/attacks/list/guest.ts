import type { Attempt } from "../attempt.ts";
import { fuzzGuestFrames } from "../hostile-guest.ts";

/** Does something for each process that runs the guest, or stands before it. */
const eachGuest = (command: string) =>
  `for p in $(grep -lz guest.mjs /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3); do test "$p" = $$ || { ${command}; }; done 2>/dev/null; echo end`;

/** The guest is of the project's own user: what runs beside it tries to become it, or has become it. */
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
      id: "A48",
      area: "guest",
      what: "frames of a guest that was taken over: names that lead out, answers of another kind, noise",
      act: fuzzGuestFrames,
      always: /^held\n$/,
    },
  ];
}
