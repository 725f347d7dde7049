import {
  APICallError,
  InvalidResponseDataError,
  LoadAPIKeyError,
  NoSuchModelError,
} from "@ai-sdk/provider";
import type { ErrorCode } from "@treadle/protocol";
import { NoOutputGeneratedError, RetryError, StreamProviderError } from "ai";
import { clipLine } from "../../text/clip.ts";
import { StalledError, StreamCutError, type ModelFailure } from "./model-failure.ts";
import { refusesPictures } from "./refuses-pictures.ts";
import { retryAfter } from "./retry-after.ts";

/** Codes and types that providers give for "no more money", as they spell them. */
const QUOTA = new Set([
  "insufficient_quota",
  "billing_hard_limit_reached",
  "billing_error",
  "insufficient_balance",
  "credits_exhausted",
]);
const OVERFLOW = new Set([
  "context_length_exceeded",
  "request_too_large",
  "string_above_max_length",
]);
const OVERLOADED = new Set(["overloaded_error", "overloaded", "server_overloaded", "UNAVAILABLE"]);
const RATE = new Set(["rate_limit_error", "rate_limit_exceeded", "RESOURCE_EXHAUSTED"]);
const KEY = new Set(["authentication_error", "invalid_api_key", "permission_error"]);
const UNKNOWN_MODEL = new Set(["model_not_found", "not_found_error"]);
const SERVER = new Set([
  "api_error",
  "server_error",
  "internal_error",
  "internal_server_error",
  "timeout_error",
]);
/** Some providers have no code of their own for these two (HTTP 400 with a message). */
const OVERFLOW_WORDS = /prompt is too long|maximum context length|context window|too many tokens/i;
const QUOTA_WORDS = /credit balance is too low|exceeded your current quota/i;
const DISCONNECTED = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ECONNABORTED"]);

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
  // A status below 400 means that the answer had begun and its connection broke.
  if (APICallError.isInstance(error) && (error.statusCode ?? 0) >= 400) {
    const body = bodyOf(parse(error.responseBody) ?? error.data);
    const found = byWords(body) ?? byStatus(error.statusCode ?? 0);
    const wait = retryAfter(error.responseHeaders);
    return describe(found, provider, body.message ?? error.message, wait);
  }
  if (StreamProviderError.isInstance(error)) {
    const body: Body = { message: error.message, words: [error.type, error.code].map(String) };
    const found =
      byWords(body) ??
      (error.statusCode === undefined ? "provider-down" : byStatus(error.statusCode));
    return describe(found, provider, error.message, undefined);
  }
  const body = bodyOf(error);
  const found = byWords(body);
  if (found) return describe(found, provider, body.message, undefined);
  return classifyConnection(
    error,
    provider,
    begun || (APICallError.isInstance(error) && error.statusCode !== undefined),
    hasAddress,
  );
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

interface Body {
  message?: string;
  words: string[];
}

/** The message and the codes of an error body, however the provider nests it. */
function bodyOf(value: unknown): Body {
  const body: Body = { words: [] };
  let current: unknown = value;
  for (let depth = 0; depth < 3 && typeof current === "object" && current !== null; depth++) {
    const record = current as Record<string, unknown>;
    for (const key of ["code", "type", "status"])
      if (typeof record[key] === "string") body.words.push(record[key]);
    if (typeof record["message"] === "string") body.message ??= record["message"];
    current = record["error"];
    if (typeof current === "string") body.message ??= current;
  }
  return body;
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function byWords({ words, message = "" }: Body): ErrorCode | undefined {
  const has = (set: Set<string>) => words.some((word) => set.has(word));
  if (has(QUOTA) || QUOTA_WORDS.test(message)) return "quota";
  if (has(OVERFLOW) || OVERFLOW_WORDS.test(message)) return "context-overflow";
  if (has(OVERLOADED)) return "overloaded";
  if (has(RATE)) return "rate-limited";
  if (has(KEY)) return "key-wrong";
  if (has(UNKNOWN_MODEL)) return "model-unknown";
  return has(SERVER) ? "provider-down" : undefined;
}

function byStatus(status: number): ErrorCode {
  if (status === 401 || status === 403) return "key-wrong";
  if (status === 402) return "quota";
  if (status === 404) return "model-unknown";
  if (status === 413) return "context-overflow";
  if (status === 429) return "rate-limited";
  if (status === 503 || status === 529) return "overloaded";
  return status === 408 || status === 409 || status >= 500 ? "provider-down" : "provider-refused";
}

/** What may be said of a request that cannot be answered as it is. */
const OF_REQUEST = new Set<ErrorCode>(["provider-refused", "provider-down", "model-unknown"]);

function describe(
  code: ErrorCode,
  provider: string,
  said: string | undefined,
  wait: number | undefined,
): ModelFailure {
  const failed = sentence(code, provider, said, wait);
  return said !== undefined && OF_REQUEST.has(code) && refusesPictures(said)
    ? { ...failed, refusesPictures: true }
    : failed;
}

function sentence(
  code: ErrorCode,
  provider: string,
  said: string | undefined,
  wait: number | undefined,
): ModelFailure {
  const words = said ? ` It said: ${clipLine(said, 300).replace(/[.…]?$/, ".")}` : "";
  const timed = wait === undefined ? {} : { retryAfterMs: wait };
  switch (code) {
    case "quota":
      return failure(
        code,
        `${provider} refuses because the account has no credit left. Add credit there, or choose another model.`,
        false,
      );
    case "context-overflow":
      return failure(
        code,
        `The conversation no longer fits into this model. Choose one with a larger context, or begin a new project from this one.`,
        false,
      );
    case "overloaded":
      return {
        ...failure(
          code,
          `${provider} is overloaded. Try again in a moment, or choose another model.`,
          true,
        ),
        ...timed,
      };
    case "rate-limited":
      return {
        ...failure(
          code,
          `${provider} limits the rate of requests. Try again later, or choose another model.`,
          true,
        ),
        ...timed,
      };
    case "key-wrong":
      // What the provider says here may repeat a part of the key.
      return failure(
        code,
        `${provider} did not accept the key. Check it under the model's name or in the environment.`,
        false,
      );
    case "model-unknown":
      return failure(
        code,
        `${provider} does not know this model. Choose another one.${words}`,
        false,
      );
    case "provider-down":
      return { ...failure(code, `${provider} has a problem on its side.${words}`, true), ...timed };
    default:
      return failure("provider-refused", `${provider} refused the request.${words}`, false);
  }
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
