/** Recorded turns: made into a transcript, and played again. */
export { exportTranscript } from "./export-transcript.ts";
export { createPlayer, type Player } from "./player.ts";
export { replayTranscript } from "./replay-transcript.ts";
