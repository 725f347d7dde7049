import type { Transform } from "node:stream";
import { createFrameFilter } from "@treadle/common";

/** First opcode of control frames; those below are messages (RFC 6455, 5.2). */
const FIRST_CONTROL = 8;

/** Passes on a WebSocket client's pings, pongs and closes, and drops its messages. */
export const controlFrames = (): Transform =>
  createFrameFilter(({ opcode }) => opcode >= FIRST_CONTROL).stream;
