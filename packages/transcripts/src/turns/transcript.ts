import { EXCHANGE_KINDS, type RecordedExchange } from "@treadle/agent";
import type { Evidence, RunOutcome, Verdict } from "@treadle/protocol";
import { z } from "zod";
import { createExchangeReader, exchangeLines } from "../recordings/kept-recordings.ts";
import type { AskedMessage, ModelFacts, RecordedSettings } from "../recordings/types.ts";

/** Version of the line format; a reader accepts no other. */
export const TRANSCRIPT_VERSION = 1;

/**
 * Runs of a project with everything needed to repeat them. The format is described in
 * docs/replay.md.
 */
export interface Transcript {
  /** The version of Treadle that recorded it. */
  treadle: string;
  name: string;
  /**
   * Lines of the project's log before the first turn, as in `log.jsonl`; empty if that was the
   * project's first.
   */
  before: object[];
  /** The project's files before the first turn. */
  files: FileContents;
  turns: TranscriptTurn[];
}

/** Files by path: text, bytes in base64, or `null` for a removed one. */
export type FileContents = Record<string, string | { base64: string } | null>;

export interface TranscriptTurn {
  asked: Omit<AskedMessage, "pictures">;
  /** Pictures of the message, in base64. */
  pictures: string[];
  model: ModelFacts;
  settings: RecordedSettings;
  /** Changes between the previous turn and this one. */
  changed: FileContents;
  exchanges: RecordedExchange[];
  calls: TranscriptCall[];
  /** The person's answers to questions, in order. */
  answers: TranscriptAnswer[];
  /** The final evidence of each look. */
  looks: Evidence[];
  end: TranscriptEnd;
}

export interface TranscriptCall {
  tool: string;
  input: Record<string, unknown>;
  status: string;
  title: string;
  result: string;
}

/** An approval applies to the question asked during the replay, so it contains no digest. */
export type TranscriptAnswer =
  | { kind: "approve"; always?: boolean | undefined }
  | { kind: "deny"; words?: string | undefined }
  | { kind: "words"; text: string };

export interface TranscriptEnd {
  outcome: RunOutcome;
  verdict?: Verdict | undefined;
  summary: string;
  steps: number;
  error?: string | undefined;
}

/** A transcript as JSON Lines. */
export function* transcriptLines(transcript: Transcript): Generator<string> {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  const { treadle, name, before, files, turns } = transcript;
  const known = new Set<string>();
  yield line({ transcript: TRANSCRIPT_VERSION, treadle, name });
  for (const one of before) yield line({ before: one });
  yield line({ files });
  for (const { exchanges, calls, answers, looks, end, ...turn } of turns) {
    yield line({ turn });
    for (const one of exchanges) for (const part of exchangeLines(one, known)) yield line(part);
    for (const call of calls) yield line({ call });
    for (const answer of answers) yield line({ answer });
    for (const look of looks) yield line({ look });
    yield line({ end });
  }
}

const Files = z.record(
  z.string(),
  z.union([z.string(), z.object({ base64: z.string() }), z.null()]),
);
const Named = z.looseObject({ type: z.string() });
const Turn = z.looseObject({
  asked: z.looseObject({ text: z.string() }),
  pictures: z.array(z.string()),
  model: z.looseObject({
    id: z.string(),
    provider: z.string(),
    modelId: z.string(),
    dialect: z.enum(["native", "artifact", "tags"]),
    takesTemperature: z.boolean(),
  }),
  settings: z.looseObject({
    hosts: z.array(z.string()),
    approvals: z.looseObject({
      mode: z.enum(["ask", "safe", "auto"]),
      always: z.array(z.looseObject({ kind: z.string(), what: z.array(z.string()) })),
    }),
    verdicts: z.enum(["thorough", "quick"]),
  }),
  changed: Files,
});
const Line = z.union([
  z.strictObject({ transcript: z.number(), treadle: z.string(), name: z.string() }),
  z.strictObject({ before: z.looseObject({}) }),
  z.strictObject({ files: Files }),
  z.strictObject({ turn: Turn }),
  z.strictObject({ piece: z.string(), value: z.unknown() }),
  z.strictObject({
    exchange: z.looseObject({
      kind: z.enum(EXCHANGE_KINDS),
      system: z.string(),
      tools: z.string(),
      messages: z.array(z.string()),
      answer: z.array(Named),
    }),
  }),
  z.strictObject({
    call: z.object({
      tool: z.string(),
      input: z.record(z.string(), z.unknown()),
      status: z.string(),
      title: z.string(),
      result: z.string(),
    }),
  }),
  z.strictObject({ answer: z.looseObject({ kind: z.enum(["approve", "deny", "words"]) }) }),
  z.strictObject({ look: z.looseObject({ revision: z.string(), parts: z.looseObject({}) }) }),
  z.strictObject({
    end: z.looseObject({ outcome: z.string(), summary: z.string(), steps: z.number() }),
  }),
]);

/** Thrown for an invalid transcript, with a sentence for people. */
export class TranscriptError extends Error {
  constructor(line: number, why: string) {
    super(`Line ${line} of the transcript cannot be read: ${why}.`);
    this.name = "TranscriptError";
  }
}

/** Parses a transcript. @throws TranscriptError that names the line */
export function readTranscript(text: string): Transcript {
  let transcript: Transcript | undefined;
  const reader = createExchangeReader();
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      transcript = take(transcript, Line.parse(JSON.parse(line)), reader);
    } catch (error) {
      const place = error instanceof z.ZodError ? error.issues[0]?.path.join(".") : undefined;
      const why = error instanceof z.ZodError || error instanceof SyntaxError;
      const words = place ? `it is not valid at ${place}` : "it is no line of a transcript";
      throw new TranscriptError(index + 1, why ? words : (error as Error).message);
    }
  }
  if (!transcript) throw new TranscriptError(1, "there is none");
  const open = transcript.turns.findIndex(({ end }) => (end as unknown) === undefined);
  if (open >= 0) throw new TranscriptError(text.split("\n").length, `turn ${open + 1} has no end`);
  return transcript;
}

function take(
  transcript: Transcript | undefined,
  line: z.infer<typeof Line>,
  reader: ReturnType<typeof createExchangeReader>,
): Transcript {
  if ("transcript" in line) {
    if (line.transcript !== TRANSCRIPT_VERSION) throw new Error("it is of another Treadle");
    return { treadle: line.treadle, name: line.name, before: [], files: {}, turns: [] };
  }
  if (!transcript) throw new Error("it comes before the first");
  if ("before" in line) transcript.before.push(line.before);
  else if ("files" in line) transcript.files = line.files;
  else if ("turn" in line)
    transcript.turns.push({
      ...(line.turn as unknown as TranscriptTurn),
      exchanges: [],
      calls: [],
      answers: [],
      looks: [],
      end: undefined as unknown as TranscriptEnd,
    });
  else if ("piece" in line) reader.read(line);
  else {
    const turn = transcript.turns.at(-1);
    if (!turn || turn.end) throw new Error("it is of no turn");
    if ("exchange" in line) turn.exchanges.push(reader.read(line)!);
    else if ("call" in line) turn.calls.push(line.call);
    else if ("answer" in line) turn.answers.push(line.answer as TranscriptAnswer);
    else if ("look" in line) turn.looks.push(line.look as unknown as Evidence);
    else turn.end = line.end as unknown as TranscriptEnd;
  }
  return transcript;
}
