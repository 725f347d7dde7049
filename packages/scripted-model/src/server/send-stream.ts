import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import type { Plan } from "../play/types.ts";
import type { AnswerFacts, Wire } from "../wires/types.ts";
import { createCutter, type Chunking } from "./chunks.ts";
import { createMetronome, type Pace } from "./pace.ts";

export interface StreamOptions {
  pace: Pace;
  /** Absent: one write an event. */
  chunking?: Chunking;
  /** Aborted when the client has gone or the server closes. */
  signal: AbortSignal;
}

/** Streams the plan with its break, if any. Resolves when nothing more will be sent. */
export async function sendStream(
  response: ServerResponse,
  wire: Wire,
  plan: Plan,
  answer: AnswerFacts,
  options: StreamOptions,
): Promise<void> {
  const { signal } = options;
  const cut = options.chunking === undefined ? undefined : createCutter(options.chunking);
  const metronome = createMetronome(options.pace, signal);

  let left = plan.severed?.bytes ?? Infinity;
  const write = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text, "utf8").subarray(0, left);
    left -= bytes.length;
    const pieces = cut === undefined ? [bytes] : cut(bytes);
    for (const piece of pieces) {
      if (signal.aborted) return;
      if (!response.write(piece)) await once(response, "drain", { signal }).catch(() => undefined);
      // Without yielding in between, writes are merged and their boundaries do not reach the
      // client.
      if (pieces.length > 1) await turn();
    }
  };

  response.socket?.setNoDelay(true);
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  });
  response.flushHeaders();
  await metronome.begin();
  let frames = 0;
  for (const frame of wire.frames(plan, answer)) {
    if (signal.aborted) return;
    await write(frame.text);
    await metronome.played(frame.characters);
    frames += 1;
    if (left <= 0 && plan.severed !== undefined) {
      left = Infinity;
      return makeBreak(response, wire, plan.severed.fault, frames, write, signal);
    }
  }
  if (plan.ending.type === "finish") {
    response.end();
    return;
  }
  await makeBreak(response, wire, plan.ending.fault, frames, write, signal);
}

async function makeBreak(
  response: ServerResponse,
  wire: Wire,
  fault: Extract<Plan["ending"], { type: "break" }>["fault"],
  frames: number,
  write: (text: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  switch (fault.kind) {
    case "error-event":
      await write(wire.errorFrame(fault, frames));
      response.end();
      return;
    case "reset":
      // Waits until data has been sent: a reset discards what is still in the socket.
      while (!signal.aborted && response.writableLength > 0) await turn();
      response.socket?.resetAndDestroy();
      return;
    case "stall":
      if (!signal.aborted) await once(signal, "abort");
      return;
    default:
      response.end();
  }
}
