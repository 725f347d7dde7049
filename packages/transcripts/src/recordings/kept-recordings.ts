import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RecordedExchange, RecordedMessage } from "@treadle/agent";
import { dropOldest } from "@treadle/common/drop-oldest";
import type { Recording, RecordingHead } from "./types.ts";

/** Recorded runs stored for each project; a new one replaces the oldest. */
const RECORDINGS = 50;
/**
 * Maximum size of one recording, in bytes; a longer run is not recorded further and cannot be
 * exported.
 */
const RECORDING_BYTES = 24 * 1024 * 1024;

const FOLDER = "recordings";
const isName = (name: string) => /^[a-z0-9]{1,40}\.jsonl$/.test(name);

/** Records one run. */
export interface RunRecorder {
  /** Call once, before the first exchange, unless the run is resumed. */
  begin(head: RecordingHead): void;
  add(exchange: RecordedExchange): void;
  /**
   * Resolves when everything added is written, or cannot be. A resumed run has another recorder,
   * which appends to the same file.
   */
  settled(): Promise<void>;
  /**
   * Ends the recording. Resolves when everything is written; never rejects. @param checkpoint the files at the end of
   * the run
   */
  end(checkpoint: string): Promise<void>;
}

/**
 * Records a run into a file beside the project's files. Each part of the requests is written once,
 * however often it was sent, so that a recording grows linearly. A full disk ends the recording and
 * not the run.
 * @param projectFolder the project's folder beside its files
 */
export function recordRun(projectFolder: string, run: string): RunRecorder {
  const folder = join(projectFolder, FOLDER);
  const name = `${run}.jsonl`;
  const known = new Set<string>();
  let bytes = 0;
  let writing: Promise<void> = isName(name)
    ? Promise.resolve()
    : Promise.reject(new Error("no name"));
  writing.catch(() => {});
  const write = (lines: object[]) => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    bytes += Buffer.byteLength(text);
    const isTooMuch = bytes > RECORDING_BYTES;
    writing = writing.then(async () => {
      if (isTooMuch) throw new Error("The recording is too large.");
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await appendFile(join(folder, name), text, { mode: 0o600 });
    });
    writing.catch(() => {});
  };

  const settled = () => writing.catch(() => {});

  return {
    begin: (head) => write([{ head }]),
    add: (exchange) => write(exchangeLines(exchange, known)),
    settled,
    async end(checkpoint) {
      write([{ end: checkpoint }]);
      await settled();
      await dropOldest(folder, RECORDINGS, isName).catch(() => {});
    },
  };
}

/** A run's recording, or undefined if it is missing or incomplete. */
export async function readRecording(
  projectFolder: string,
  run: string,
): Promise<Recording | undefined> {
  const name = `${run}.jsonl`;
  if (!isName(name)) return undefined;
  const text = await readFile(join(projectFolder, FOLDER, name), "utf8").catch(() => "");
  const reader = createExchangeReader();
  let head: RecordingHead | undefined;
  let end: string | undefined;
  const exchanges: RecordedExchange[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const read = JSON.parse(line) as { head?: RecordingHead; end?: string };
    head ??= read.head;
    end = read.end ?? end;
    const exchange = reader.read(read);
    if (exchange) exchanges.push(exchange);
  }
  return head && { head, exchanges, end };
}

/** A request with its parts replaced by their hashes. */
interface ExchangeLine {
  kind: RecordedExchange["kind"];
  system: string;
  tools: string;
  messages: string[];
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
  answer: RecordedExchange["answer"];
}

/** An exchange as lines: first its parts that are not in `known`, which are then added to it. */
export function exchangeLines(
  { kind, request, answer }: RecordedExchange,
  known: Set<string>,
): object[] {
  const lines: object[] = [];
  const piece = (value: unknown): string => {
    const hash = createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
    if (!known.has(hash)) lines.push({ piece: hash, value });
    known.add(hash);
    return hash;
  };
  const { system, tools, messages, maxOutputTokens, temperature } = request;
  const exchange: ExchangeLine = {
    kind,
    system: piece(system),
    tools: piece(tools),
    messages: messages.map(piece),
    maxOutputTokens,
    temperature,
    answer,
  };
  return [...lines, { exchange }];
}

/** Parses such lines in order, and returns an exchange at the line that completes it. */
export function createExchangeReader(): { read(line: object): RecordedExchange | undefined } {
  const pieces = new Map<string, unknown>();
  const at = (hash: string) => {
    if (!pieces.has(hash)) throw new Error(`It names a part ${hash} that it does not hold.`);
    return pieces.get(hash);
  };
  return {
    read(line) {
      const { piece, value, exchange } = line as {
        piece?: string;
        value?: unknown;
        exchange?: ExchangeLine;
      };
      if (piece !== undefined) pieces.set(piece, value);
      if (!exchange) return undefined;
      const { kind, system, tools, messages, maxOutputTokens, temperature, answer } = exchange;
      return {
        kind,
        request: {
          system: at(system) as string,
          tools: at(tools) as unknown[],
          messages: messages.map((hash) => at(hash) as RecordedMessage),
          maxOutputTokens,
          temperature,
        },
        answer,
      };
    },
  };
}
