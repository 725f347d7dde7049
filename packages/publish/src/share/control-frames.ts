import type { Transform } from "node:stream";
import { createFrameFilter } from "@treadle/common";

/** Opcodes from here on keep a WebSocket open or end it; those below are messages (RFC 6455, 5.2). */
const FIRST_CONTROL = 8;

/** Of what a client says in a WebSocket, passes on pings, pongs and closes, and none of its messages. */
export const controlFrames = (): Transform =>
  createFrameFilter(({ opcode }) => opcode >= FIRST_CONTROL).stream;
