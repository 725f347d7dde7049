import { createTreadle } from "./create-treadle.ts";
import {
  transcriptDifferences,
  type ReplayDifference,
  readTranscript,
  transcriptLines,
} from "@treadle/transcripts";
import { createPlayer, replayTranscript } from "@treadle/replay";
import type { TreadleOptions } from "./types.ts";

export interface ReplayOptions extends TreadleOptions {
  /**
   * Whether recorded results of commands, servers, pages and the web are used instead of running
   * them.
   */
  withRecordedWork: boolean;
  onTurn?: (turn: number, total: number) => void;
}

export interface ReplayReport {
  /** The version of Treadle that made the recording. */
  recordedWith: string;
  turns: number;
  differences: ReplayDifference[];
  /** Lines of the replay's own transcript, in the form of this version. */
  lines: () => Iterable<string>;
}

/**
 * Replays a transcript with this version of Treadle in a temporary data folder, and compares the
 * two.
 * @param text of the transcript's file
 * @throws TranscriptError if it cannot be read
 */
export async function replay(text: string, options: ReplayOptions): Promise<ReplayReport> {
  const { withRecordedWork, onTurn, ...rest } = options;
  const transcript = readTranscript(text);
  const player = createPlayer(transcript);
  const treadle = await createTreadle(rest, player, withRecordedWork);
  try {
    // Listens, since the looking browser needs the port.
    const { url } = await treadle.listen({ host: "127.0.0.1", port: 0 });
    const { length } = transcript.turns;
    const server = { ...treadle, url };
    const again = await replayTranscript(transcript, server, player, (n) => onTurn?.(n, length));
    return {
      recordedWith: transcript.treadle,
      turns: length,
      differences: transcriptDifferences(transcript, again),
      lines: () => transcriptLines(again),
    };
  } finally {
    await treadle.close();
  }
}
