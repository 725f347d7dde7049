import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Opening } from "../go-on/opening.ts";
import { createSeam, type Joined } from "../go-on/seam.ts";

type Part = LanguageModelV4StreamPart;

/** How calls are written in a model's text. */
export interface DialectGrammar {
  /** Parses the text of an answer and emits its parts. */
  read(out: TextOut): TextReader;
  /** The unfinished content at the end of a text. */
  openingOf(text: string): Opening | undefined;
}

export interface TextReader {
  write(text: string): void;
  end(): void;
}

/** Receives the parts that a reader has parsed. */
export interface TextOut {
  /** Emits text that belongs to no call. */
  writeText(text: string): void;
  /** Emits any other part. */
  put(part: Part): void;
  /**
   * The id of the n-th call, counted from 0; unique over steps and turns, because results are matched by it. Several
   * calls of one action append a number: `3.1`.
   */
  callId(ordinal: number | string): string;
  /** The id of the n-th group of calls. */
  groupId(ordinal: number): string;
}

/** An answer in text, parsed across the requests of which it consists. */
export interface TextAnswer {
  /** The answer as the model wrote it, without repetitions. */
  readonly text: string;
  /** Parses the stream of one request. */
  read(): TransformStream<Part, Part>;
}

let made = 0;

export function createTextAnswer(name: string, { read, openingOf }: DialectGrammar): TextAnswer {
  const id = `${name}-${Date.now().toString(36)}-${++made}`;
  let controller: TransformStreamDefaultController<Part>;
  let text = "";
  let texts = 0;
  let isTalking = false;
  /** The call whose arguments are being written. */
  let open: string | undefined;
  let group: string | undefined;

  const stopTalking = () => {
    if (isTalking) controller.enqueue({ type: "text-end", id: `${id}.text-${texts}` });
    isTalking = false;
  };
  const writeText = (delta: string) => {
    if (!isTalking) controller.enqueue({ type: "text-start", id: `${id}.text-${++texts}` });
    isTalking = true;
    controller.enqueue({ type: "text-delta", id: `${id}.text-${texts}`, delta });
  };
  const put = (part: Part) => {
    stopTalking();
    if (part.type === "tool-input-start") open = part.id;
    if (part.type === "tool-call") open = undefined;
    controller.enqueue(part);
  };
  let readers = 0;
  /** @param again the call and the group that are written again */
  const begin = (
    again: { call?: string | undefined; group?: string | undefined } = {},
  ): TextReader => {
    const number = readers++;
    const prefix = number === 0 ? id : `${id}-${number}`;
    return read({
      writeText,
      put,
      callId: (ordinal) => (ordinal === 0 && again.call) || `${prefix}-${ordinal}`,
      groupId: (ordinal) =>
        (group =
          (ordinal === 0 && again.group) ||
          `${name}-${number === 0 ? "" : `${number}-`}${ordinal}`),
    });
  };
  let reader = begin();

  const take = (joined: Joined, opening: Opening | undefined) => {
    if (!("text" in joined)) return;
    const { type, text: written } = joined;
    // A call that the previous reader left open is written again, or not run.
    if (type === "apart") reader = begin();
    if (type === "anew" && opening) {
      text = text.slice(0, opening.from);
      reader = begin({ call: open, group });
      reader.write(opening.around + opening.tags);
    }
    text += written;
    reader.write(written);
  };

  return {
    get text() {
      return text;
    },
    read() {
      const opening = openingOf(text);
      const seam = text === "" ? undefined : createSeam(text, opening);
      return new TransformStream({
        start(begun) {
          controller = begun;
        },
        transform(part) {
          switch (part.type) {
            case "text-start":
            case "text-end":
              return;
            case "text-delta":
              return take(seam?.write(part.delta) ?? { type: "on", text: part.delta }, opening);
            case "finish":
              if (seam) take(seam.end(), opening);
              // An answer that the output limit cut off may be continued.
              if (part.finishReason.unified !== "length") reader.end();
              stopTalking();
              break;
            default:
          }
          controller.enqueue(part);
        },
      });
    },
  };
}
