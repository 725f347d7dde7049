import type { ErrorCode } from "@treadle/protocol";
import { isOverflow } from "./overflow-words.ts";
import type { ProviderReport } from "./provider-report.ts";

/** One way in which a provider reports a failure. All conditions of a row must hold. */
interface FailureRow {
  code: ErrorCode;
  /** Matching HTTP statuses; absent: any status, or none. */
  statuses?: readonly number[];
  /** Matches one of the provider's codes. */
  codes?: RegExp;
  /** Matches the provider's message. */
  words?: RegExp | ((words: string) => boolean);
}

const NO_CREDIT =
  /\b(?:credit|balance|funds?)\b[^.]{0,40}\b(?:too low|insufficient|exhausted|not enough|run out|negative)|\binsufficient[ _](?:balance|credits?|funds|quota)|\b(?:no|any|out of|all(?: available)?|more) credits\b|spending limit|\bAPI usage limits?\b|\b(?:past due|unpaid|arrears?)\b|\brecharge\b|exceeded your current quota|check your plan and billing/i;
const BAD_KEY =
  /\b(?:(?:api|access|subscription|auth\w*|security|bearer)[ _-]?(?:key|token)|credentials?|signature)\b[^.]{0,60}\b(?:not (?:valid|found|have)|n['o]t have|invalid|incorrect|wrong|expired|missing|revoked|disabled|required|leaked|compromised)|\bunregistered callers\b|\b(?:invalid|incorrect|expired|missing|wrong|no)\b[^.]{0,20}\b(?:api[ _-]?(?:key|token)|access token|subscription key|credentials)\b/i;
const NO_MODEL =
  /\bmodel\b[^.]{0,80}\b(?:not (?:found|exist|available|supported|loaded)|n['o]t exist|unknown|invalid|decommissioned|deprecated|no longer)|\b(?:unknown|invalid|no such|not a valid) model\b|\bno models? (?:loaded|found)\b|\baccess to the model\b/i;
const TOO_LARGE_FOR_RATE = /\brequest too large\b|\breduce your (?:message|prompt|input)/i;

/**
 * The meaning of a report; the first matching row applies. Codes come first, as they are meant for programs. Then come
 * statuses, with sentences if some providers use one status for several failures. Sentences alone come last.
 */
const ROWS: readonly FailureRow[] = [
  // By codes. A few providers number theirs: 1113, 1211, 1261, 1301, 1302, 1305 (z.ai), 3505 (Mistral).
  {
    code: "quota",
    codes:
      /insufficient_(?:quota|balance|credits|funds)|billing|credits?_exhausted|exceeded_current_quota|payment_required|^arrearage$|^1113$/i,
  },
  {
    code: "context-overflow",
    codes:
      /context_(?:length|size|window)|prompt_(?:too_long|tokens)|tokens?_limit|^request_too_large$|^1261$/i,
  },
  { code: "context-overflow", codes: /^string_above_max_length$/, words: isOverflow },
  {
    code: "provider-refused",
    codes:
      /content_(?:policy|filter)|policy_?violation|moderation|^invalid_prompt$|data_inspection|unsupported_country|^1301$/i,
  },
  {
    code: "key-wrong",
    codes:
      /api_key|^authentication_error$|^UNAUTHENTICATED$|invalid_authentication|^(?:ExpiredToken|UnrecognizedClient|InvalidSignature|IncompleteSignature)(?:Exception)?$|^InvalidClientTokenId$/i,
  },
  { code: "context-overflow", statuses: [413, 429], words: TOO_LARGE_FOR_RATE },
  {
    code: "rate-limited",
    codes:
      /^RESOURCE_EXHAUSTED$|^rate_?limit|throttl|^ServiceQuotaExceeded|too_?many_?requests|^1302$/i,
  },
  {
    code: "overloaded",
    codes:
      /overloaded|^UNAVAILABLE$|unavailable(?:_error|Exception)$|^slow_down$|capacity_exceeded|NotReadyException$|^(?:1305|3505)$/i,
  },
  {
    code: "model-unknown",
    codes:
      /model_(?:not_found|decommissioned|not_available)|^invalid_model$|^DeploymentNotFound$|^1211$/i,
  },
  // Failures that are recognised by their status.
  { code: "key-wrong", statuses: [401] },
  { code: "quota", statuses: [402] },
  { code: "quota", statuses: [403, 412, 429], words: NO_CREDIT },
  { code: "context-overflow", statuses: [403, 500], words: isOverflow },
  { code: "key-wrong", statuses: [403], words: BAD_KEY },
  { code: "model-unknown", statuses: [403], words: NO_MODEL },
  // Moderation, a blocked region, or a proxy of the local network: the provider's message says which.
  { code: "provider-refused", statuses: [403, 451] },
  { code: "model-unknown", statuses: [404] },
  { code: "context-overflow", statuses: [413] },
  { code: "rate-limited", statuses: [429] },
  { code: "overloaded", statuses: [498, 503, 529] },
  { code: "provider-down", statuses: [408, 409, 424, 425] },
  // Failures that are recognised by their text.
  { code: "quota", words: NO_CREDIT },
  { code: "context-overflow", words: isOverflow },
  { code: "key-wrong", words: BAD_KEY },
  { code: "model-unknown", codes: /^not_?found(?:_error)?$|ResourceNotFound/i },
  { code: "model-unknown", statuses: [400, 422], words: NO_MODEL },
  // Model servers report every error as one of the server (`api_error`), whatever its status.
  { code: "provider-refused", statuses: [400, 405, 406, 415, 422] },
  {
    code: "provider-refused",
    codes:
      /invalid_request|INVALID_ARGUMENT|FAILED_PRECONDITION|BadRequest|ValidationException|validationException/,
  },
  {
    code: "provider-down",
    codes:
      /^(?:api|server|internal(?:_server)?|timeout|stream)_?(?:error|stream_?error)$|InternalServer|ModelStreamError|ModelTimeout|ModelError|^(?:INTERNAL|DEADLINE_EXCEEDED)$/i,
  },
];

/** The failure that a provider's report describes; undefined if it describes none. */
export function failureOf(report: ProviderReport): ErrorCode | undefined {
  const found = ROWS.find((row) => fits(row, report))?.code;
  if (found !== undefined || report.status === undefined) return found;
  return report.status >= 500 ? "provider-down" : "provider-refused";
}

function fits({ statuses, codes, words }: FailureRow, report: ProviderReport): boolean {
  if (statuses && !(report.status !== undefined && statuses.includes(report.status))) return false;
  if (codes && !report.codes.some((code) => codes.test(code))) return false;
  if (!words) return true;
  return typeof words === "function" ? words(report.words) : words.test(report.words);
}
