import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { ExchangeKind, RecordedPart } from "./types.ts";

/** Returns the next recorded answer to a request of a kind; undefined if the recording has none left. */
export type NextAnswer = (kind: ExchangeKind) => readonly RecordedPart[] | undefined;

/**
 * A model that answers as it was recorded, whatever it is asked. A request beyond the recording fails like a provider's
 * permanent refusal.
 */
export function playModel(
  { provider, modelId }: { provider: string; modelId: string },
  next: NextAnswer,
): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider,
    modelId,
    supportedUrls: {},
    async doGenerate() {
      throw refused({ message: "A recording only streams." });
    },
    async doStream({ providerOptions }) {
      const { goesOn, sumsUp } = providerOptions?.["treadle"] ?? {};
      const kind = sumsUp === true ? "summary" : goesOn === true ? "rest" : "step";
      const answer = next(kind);
      if (!answer) throw refused({ message: "The recording holds no further answer." });
      const [first] = answer;
      if (first?.type === "failed") throw refused(first);
      return { stream: played(answer) };
    },
  };
}

function played(answer: readonly RecordedPart[]): ReadableStream<LanguageModelV4StreamPart> {
  const left = [...answer];
  return new ReadableStream<LanguageModelV4StreamPart>({
    pull(controller) {
      const part = left.shift();
      if (!part) controller.close();
      else if (part.type === "broken") controller.error(new TypeError(String(part["message"])));
      else if (part.type === "error")
        controller.enqueue({ type: "error", error: refused(part["error"] as object) });
      else controller.enqueue(part as LanguageModelV4StreamPart);
    },
  });
}

function refused(failure: object): APICallError {
  const { message, statusCode, isRetryable, responseBody, retryAfter } = failure as Record<
    string,
    unknown
  >;
  return new APICallError({
    message: String(message),
    url: "",
    requestBodyValues: {},
    statusCode: typeof statusCode === "number" ? statusCode : 400,
    isRetryable: isRetryable === true,
    responseBody: typeof responseBody === "string" ? responseBody : undefined,
    responseHeaders: typeof retryAfter === "string" ? { "retry-after": retryAfter } : undefined,
  });
}
