import { createHash } from "node:crypto";
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { wrapLanguageModel } from "ai";
import { isRecord } from "../../text/is-record.ts";
import type { ExchangeKind, RecordedExchange, RecordedPart, RecordedRequest } from "./types.ts";

/**
 * The same model; `onExchange` receives each streamed request with its answer, once, when the answer has ended, broken
 * off or been cancelled. `onExchange` must not throw.
 */
export function recordModel(
  model: LanguageModelV4,
  onExchange: (exchange: RecordedExchange) => void,
): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      async wrapStream({ doStream, params }) {
        const answer = createAnswer();
        let isOver = false;
        const end = () => {
          if (isOver) return;
          isOver = true;
          onExchange({ kind: kindOf(params), request: requestOf(params), answer: answer.parts });
        };
        try {
          const { stream, ...rest } = await doStream();
          return { ...rest, stream: watched(stream, answer, end) };
        } catch (error) {
          answer.add({ type: "failed", ...failureOf(error) });
          end();
          throw error;
        }
      },
    },
  });
}

/** Passes a stream on at the speed at which it is read, and records its parts. */
function watched(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  answer: ReturnType<typeof createAnswer>,
  end: () => void,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = stream.getReader();
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            answer.add(partOf(value));
            return controller.enqueue(value);
          }
          end();
          controller.close();
        } catch (error) {
          answer.add({ type: "broken", ...failureOf(error) });
          end();
          controller.error(error);
        }
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Parts that do not belong to the answer itself. */
const LEFT_OUT = new Set(["raw", "response-metadata"]);

/** Collects the parts of an answer; consecutive pieces of one text are joined. */
function createAnswer() {
  const parts: RecordedPart[] = [];
  return {
    parts,
    add(part: RecordedPart) {
      if (LEFT_OUT.has(part.type)) return;
      const last = parts.at(-1);
      const { delta, ...rest } = part;
      if (typeof delta === "string" && last?.type === part.type && last["id"] === part["id"])
        Object.assign(last, rest, { delta: `${String(last["delta"])}${delta}` });
      else parts.push({ ...part });
    },
  };
}

function partOf(part: LanguageModelV4StreamPart): RecordedPart {
  if (part.type === "stream-start") return { type: part.type, warnings: [] };
  if (part.type === "error") return { type: part.type, error: failureOf(part.error) };
  return plain(part) as RecordedPart;
}

/** The facts of a failure, without the request. */
function failureOf(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  if (!APICallError.isInstance(error)) return { message };
  const { statusCode, isRetryable, responseBody, responseHeaders } = error;
  const retryAfter = responseHeaders?.["retry-after"];
  return plain({ message, statusCode, isRetryable, responseBody, retryAfter }) as object;
}

function kindOf({ providerOptions }: LanguageModelV4CallOptions): ExchangeKind {
  const { goesOn, sumsUp } = providerOptions?.["treadle"] ?? {};
  return sumsUp === true ? "summary" : goesOn === true ? "rest" : "step";
}

function requestOf(params: LanguageModelV4CallOptions): RecordedRequest {
  const { prompt, tools = [], maxOutputTokens, temperature } = params;
  const isSystem = (message: (typeof prompt)[number]) => message.role === "system";
  return {
    system: prompt.flatMap((one) => (one.role === "system" ? [one.content] : [])).join("\n\n"),
    tools: tools.map((tool) => plain(tool)),
    messages: prompt
      .filter((message) => !isSystem(message))
      .map(({ role, content }) => ({ role, content: plain(content) })),
    maxOutputTokens,
    temperature,
  };
}

/** Marks for a provider's cache, which do not change what the model reads. */
const CACHE_MARKS = new Set(["cacheControl", "cachePoint"]);

/** Converts a value to plain JSON: bytes become their hash and size, and undefined fields are dropped. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return bytesOf(value);
  if (value instanceof URL) return value.href;
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  const isFile = value["type"] === "data";
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      if (one === undefined || CACHE_MARKS.has(name)) return [];
      const isBytes = isFile && name === "data" && typeof one === "string";
      return [[name, isBytes ? bytesOf(Buffer.from(one, "base64")) : plain(one)]];
    }),
  );
}

const bytesOf = (bytes: Uint8Array) => ({
  sha256: createHash("sha256").update(bytes).digest("hex"),
  bytes: bytes.byteLength,
});
