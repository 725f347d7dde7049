import type { Condition, Part, Script, Step } from "@treadle/scripted-model";

/**
 * Distance between two positions at which the same answer is cut, and a position after its end.
 * Bytes of the stream.
 */
const [STRIDE, LONGEST] = [661, 12_000];
export const CUTS = Array.from({ length: Math.floor(LONGEST / STRIDE) }, (_, n) => 1 + n * STRIDE);
export const WRITTEN = "It is written anew, from the first line to the last.\n";

/**
 * Another program has taken its port and hangs up; the app uses the next port, as development
 * servers do.
 */
const APP = `
const { createServer } = require("node:http");
require("node:net").createServer((socket) => socket.destroy()).listen(5173, () => listen(5173));
function listen(port) {
  const page = "<!doctype html><title>App</title><h1>On port " + port + "</h1>";
  createServer((_, answer) => answer.setHeader("content-type", "text/html").end(page))
    .on("error", () => listen(port + 1))
    .listen(port);
}
`;

/** @param pattern text in lower case */
const about = (subject: "message" | "result", pattern: string): Condition => ({ type: "text", subject, pattern, not: false }); // prettier-ignore
const first: Condition = { type: "attempt", number: 1, orLater: false, not: false };
const call = (tool: string, input: Record<string, unknown>): Part => ({ type: "call", tool, input }); // prettier-ignore
const textPart = (text: string): Part => ({ type: "say", text });

const cut = (bytes: number): Step => ({
  name: `Cut after ${bytes}`,
  when: [about("message", `cut after ${bytes}.`), first],
  parts: [
    { type: "fault", fault: { kind: "cut", afterBytes: bytes } },
    textPart("I write it anew."),
    call("write_file", { path: `cut-${bytes}.txt`, content: WRITTEN }),
    call("run_command", { command: `echo begun ${bytes} >> ran.txt; echo ended ${bytes} >> ran.txt` }), // prettier-ignore
  ],
});

/** Answers that are cut off, that stall, and commands that hang. */
export const timeScript: Script = {
  name: "time",
  steps: [
    ...CUTS.map(cut),
    {
      name: "Stall",
      when: [about("message", "stall."), first],
      parts: [textPart("I think about it, and then"), { type: "fault", fault: { kind: "stall" } }],
    },
    {
      name: "Hang",
      when: [about("message", "hang.")],
      parts: [call("run_command", { command: "npm install left-hanging" })],
    },
    {
      name: "After it",
      when: [about("result", "it may wait for an answer")],
      parts: [call("run_command", { command: "pgrep -fc [l]eft-hanging; echo still here" })],
    },
    {
      name: "Taken",
      when: [about("message", "taken.")],
      parts: [
        call("write_file", { path: "app.cjs", content: APP }),
        call("start_server", { command: "node app.cjs" }),
      ],
    },
  ],
  otherwise: [textPart("It is as you said.")],
};
