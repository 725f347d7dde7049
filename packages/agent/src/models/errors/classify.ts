import { asMessage, sentence, type Sentence, type SentenceCode } from "@treadle/protocol/sentences";
import {
  APICallError,
  InvalidResponseDataError,
  LoadAPIKeyError,
  NoSuchModelError,
  TypeValidationError,
} from "@ai-sdk/provider";
import type { ErrorCode } from "@treadle/protocol";
import { NoOutputGeneratedError, RetryError, StreamProviderError } from "ai";
import { clipLine } from "../../text/clip.ts";
import { failureOf } from "./failure-table.ts";
import {
  AnswerLimitError,
  StalledError,
  StreamCutError,
  type ModelFailure,
} from "./model-failure.ts";
import { readReport, type ProviderReport } from "./provider-report.ts";
import { refusesPictures } from "./refuses-pictures.ts";

const DISCONNECTED = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ECONNABORTED"]);
/** Maximum characters of a provider's own message in a sentence for a person. */
const QUOTED_CHARS = 300;

/**
 * Classifies an error thrown by a model call.
 * @param provider its display name
 * @param begun whether the answer had begun to arrive
 * @param hasAddress whether a person set its address, so that checking the address is sensible advice
 */
export function classifyError(
  error: unknown,
  provider: string,
  begun: boolean,
  hasAddress = true,
): ModelFailure {
  if (RetryError.isInstance(error))
    return classifyError(error.lastError, provider, begun, hasAddress);
  const own = limitIn(error);
  if (own) return failure("output-limit", own.sentence, false);
  if (error instanceof StalledError)
    return failure("stalled", sentence("model-stalled", { seconds: error.seconds }), true);
  if (
    error instanceof StreamCutError ||
    NoOutputGeneratedError.isInstance(error) ||
    InvalidResponseDataError.isInstance(error)
  )
    return failure("stream-cut", sentence("answer-cut", { provider }), true);
  if (LoadAPIKeyError.isInstance(error))
    return failure("key-wrong", sentence("provider-without-key", { provider }), false);
  if (NoSuchModelError.isInstance(error))
    return failure(
      "model-unknown",
      sentence("model-not-offered", { provider, model: error.modelId }),
      false,
    );
  const report = reportOf(error);
  const code = report && failureOf(report);
  if (report && code) return describe(code, provider, report);
  return classifyConnection(
    error,
    provider,
    begun || (APICallError.isInstance(error) && error.statusCode !== undefined),
    hasAddress,
  );
}

/** The provider's own report; undefined if there is none, such as after a broken connection. */
function reportOf(error: unknown): ProviderReport | undefined {
  if (APICallError.isInstance(error)) {
    const { statusCode = 0, responseHeaders: headers, responseBody, data, message } = error;
    // With a status below 400, the answer had begun and its connection broke.
    if (statusCode < 400) return undefined;
    const report = readReport(responseBody ?? data, { status: statusCode, headers });
    return isPage(report.words) || report.words === "" ? { ...report, words: message } : report;
  }
  if (StreamProviderError.isInstance(error)) {
    const { type, code, statusCode: status, data, message } = error;
    const report = readReport([data, { type, code, message }], { status });
    return failureOf(report) ? report : { ...report, codes: [...report.codes, "stream_error"] };
  }
  // A provider's error within a stream arrives unchanged, or inside the library's error about its form.
  const sent = TypeValidationError.isInstance(error) ? error.value : error;
  const report = readReport(sent);
  if (failureOf(report) || sent instanceof Error || report.words === "")
    return failureOf(report) ? report : undefined;
  return { ...report, codes: [...report.codes, "stream_error"] };
}

/** Whether the text is an HTML page of a gateway, which says less than the status. */
const isPage = (words: string) => /^\s*<(?:!doctype|html|head|body)\b/i.test(words);

/** Finds Treadle's own limit error in the chain of causes: libraries wrap what breaks a stream. */
function limitIn(error: unknown): AnswerLimitError | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    if (current instanceof AnswerLimitError) return current;
    current = current.cause;
  }
  return undefined;
}

function classifyConnection(
  error: unknown,
  provider: string,
  begun: boolean,
  hasAddress: boolean,
): ModelFailure {
  const codes = errorCodes(error);
  if (begun) return failure("stream-cut", sentence("answer-cut", { provider }), true);
  if (codes.some((code) => DISCONNECTED.has(code)))
    return failure("provider-down", sentence("provider-closed", { provider }), true);
  const why =
    codes[0] ?? (error instanceof Error ? clipLine(error.message, 200) : "no reason given");
  return failure(
    "provider-down",
    sentence(hasAddress ? "provider-unreachable" : "provider-unreachable-from-here", {
      provider,
      why,
    }),
    true,
  );
}

/** The sentence for each code that a provider's report can mean. */
const SENTENCES = {
  quota: "provider-quota",
  overloaded: "provider-overloaded",
  "rate-limited": "provider-rate-limited",
  "key-wrong": "provider-key-wrong",
  "model-unknown": "provider-model-unknown",
  "provider-down": "provider-problem",
} as const satisfies Partial<Record<ErrorCode, SentenceCode>>;

const isNamed = (code: ErrorCode): code is keyof typeof SENTENCES => Object.hasOwn(SENTENCES, code);

function happened(code: ErrorCode, provider: string): Sentence {
  if (code === "context-overflow") return sentence("provider-context-overflow");
  return sentence(isNamed(code) ? SENTENCES[code] : "provider-refused", { provider });
}

const RETRYABLE = new Set<ErrorCode>(["overloaded", "rate-limited", "provider-down"]);
/** Failures for which the advice is about the request itself. */
const OF_REQUEST = new Set<ErrorCode>(["provider-refused", "provider-down", "model-unknown"]);
/**
 * Matches limits per day, for which waiting seconds does not help, even if the provider suggests it, as Google does.
 */
const OF_DAY = /per_?day|daily/i;

function describe(code: ErrorCode, provider: string, report: ProviderReport): ModelFailure {
  const { words, waitMs, status, limits } = report;
  const what = happened(code, provider);
  const quoted = words && clipLine(words, QUOTED_CHARS).replace(/[.…]?$/, ".");
  const explanation = quoted ? sentence("with-provider-words", { what, quoted }) : what;
  const isOver = code === "rate-limited" && limits.some((limit) => OF_DAY.test(limit));
  return {
    ...failure(code, explanation, RETRYABLE.has(code) && !isOver),
    words,
    ...(status === undefined ? {} : { status }),
    ...(waitMs === undefined || !RETRYABLE.has(code) ? {} : { retryAfterMs: waitMs }),
    ...(OF_REQUEST.has(code) && refusesPictures(words) ? { refusesPictures: true } : {}),
  };
}

function failure(code: ErrorCode, what: Sentence, retryable: boolean): ModelFailure {
  return { code, ...asMessage(what), retryable };
}

/** System error codes along the chain of causes. */
function errorCodes(error: unknown): string[] {
  const codes: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 5 && typeof current === "object" && current !== null; depth++) {
    const { code, cause, errors } = current as {
      code?: unknown;
      cause?: unknown;
      errors?: unknown[];
    };
    if (typeof code === "string") codes.push(code);
    current = cause ?? errors?.[0];
  }
  return codes;
}
