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
/** Characters of a provider's own words in a sentence for a person. */
const QUOTED_CHARS = 300;

/**
 * What a thrown error of a model call means.
 * @param provider its name as people know it.
 * @param begun whether the answer had begun to come.
 * @param hasAddress whether it is reached at an address that somebody set: only that can be looked at.
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
  if (own) return failure("output-limit", own.message, false);
  if (error instanceof StalledError)
    return failure(
      "stalled",
      `${error.message} Nothing of what was unfinished has been done.`,
      true,
    );
  if (
    error instanceof StreamCutError ||
    NoOutputGeneratedError.isInstance(error) ||
    InvalidResponseDataError.isInstance(error)
  )
    return failure(
      "stream-cut",
      `The answer of ${provider} broke off. What was unfinished has not been done.`,
      true,
    );
  if (LoadAPIKeyError.isInstance(error))
    return failure(
      "key-wrong",
      `There is no key for ${provider}. Add one under the model's name or in the environment.`,
      false,
    );
  if (NoSuchModelError.isInstance(error))
    return failure("model-unknown", `${provider} has no model called ${error.modelId}.`, false);
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

/** What the provider itself said; undefined if it said nothing, as where a connection broke. */
function reportOf(error: unknown): ProviderReport | undefined {
  if (APICallError.isInstance(error)) {
    const { statusCode = 0, responseHeaders: headers, responseBody, data, message } = error;
    // A status below 400 means that the answer had begun and its connection broke.
    if (statusCode < 400) return undefined;
    const report = readReport(responseBody ?? data, { status: statusCode, headers });
    return isPage(report.words) || report.words === "" ? { ...report, words: message } : report;
  }
  if (StreamProviderError.isInstance(error)) {
    const { type, code, statusCode: status, data, message } = error;
    const report = readReport([data, { type, code, message }], { status });
    return failureOf(report) ? report : { ...report, codes: [...report.codes, "stream_error"] };
  }
  // A provider's error within a stream comes as it is, or inside the library's complaint about its form.
  const sent = TypeValidationError.isInstance(error) ? error.value : error;
  const report = readReport(sent);
  if (failureOf(report) || sent instanceof Error || report.words === "")
    return failureOf(report) ? report : undefined;
  return { ...report, codes: [...report.codes, "stream_error"] };
}

/** A gateway's page of HTML says less than its status. */
const isPage = (words: string) => /^\s*<(?:!doctype|html|head|body)\b/i.test(words);

/** A limit of ours, wherever in the chain of causes it stands: libraries wrap what breaks a stream. */
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
  if (begun)
    return failure(
      "stream-cut",
      `The connection to ${provider} broke off. What was unfinished has not been done.`,
      true,
    );
  if (codes.some((code) => DISCONNECTED.has(code)))
    return failure("provider-down", `${provider} closed the connection before it answered.`, true);
  const why =
    codes[0] ?? (error instanceof Error ? clipLine(error.message, 200) : "no reason given");
  return failure(
    "provider-down",
    hasAddress
      ? `${provider} cannot be reached (${why}). Check its address and that it runs.`
      : `${provider} cannot be reached from this machine (${why}). Check its connection to the internet; the key was not checked.`,
    true,
  );
}

/** What happened, for each code that a provider's report can mean; the provider's own words follow. */
const SENTENCES: Partial<Record<ErrorCode, (provider: string) => string>> = {
  quota: (provider) =>
    `${provider} refuses because the account has no credit left. Add credit there, or choose another model.`,
  "context-overflow": () =>
    "The conversation no longer fits into this model. Choose one with a larger context, or begin a new project from this one.",
  overloaded: (provider) =>
    `${provider} is overloaded. Try again in a moment, or choose another model.`,
  "rate-limited": (provider) =>
    `${provider} limits the rate of requests. Try again later, or choose another model.`,
  "key-wrong": (provider) =>
    `${provider} did not accept the key. Check it under the model's name or in the environment.`,
  "model-unknown": (provider) => `${provider} does not know this model. Choose another one.`,
  "provider-down": (provider) => `${provider} has a problem on its side.`,
  "provider-refused": (provider) => `${provider} refused the request.`,
};
const RETRYABLE = new Set<ErrorCode>(["overloaded", "rate-limited", "provider-down"]);
/** What may be said of a request that cannot be answered as it is. */
const OF_REQUEST = new Set<ErrorCode>(["provider-refused", "provider-down", "model-unknown"]);
/** A limit that is reached for the day: to wait for seconds, as Google asks all the same, does not help. */
const OF_DAY = /per_?day|daily/i;

function describe(code: ErrorCode, provider: string, report: ProviderReport): ModelFailure {
  const { words, waitMs, status, limits } = report;
  const quoted = words && ` It said: ${clipLine(words, QUOTED_CHARS).replace(/[.…]?$/, ".")}`;
  const sentence = SENTENCES[code]?.(provider) ?? `${provider} refused the request.`;
  const isOver = code === "rate-limited" && limits.some((limit) => OF_DAY.test(limit));
  return {
    ...failure(code, `${sentence}${quoted}`, RETRYABLE.has(code) && !isOver),
    words,
    ...(status === undefined ? {} : { status }),
    ...(waitMs === undefined || !RETRYABLE.has(code) ? {} : { retryAfterMs: waitMs }),
    ...(OF_REQUEST.has(code) && refusesPictures(words) ? { refusesPictures: true } : {}),
  };
}

function failure(code: ErrorCode, message: string, retryable: boolean): ModelFailure {
  return { code, message, retryable };
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
