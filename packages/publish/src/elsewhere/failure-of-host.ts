import { visibleText } from "@treadle/protocol/safe-text";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { HostAnswer } from "./ask-host.ts";

/** Maximum length of a host's own message, in characters. */
const WORDS = 300;

/**
 * The body of a successful answer.
 * @throws ApiFailure if the request failed or the answer has an unexpected form
 */
export function bodyOf(name: string, answer: HostAnswer): Record<string, unknown> {
  if (answer.status < 200 || answer.status >= 300) throw failureOfHost(name, answer);
  const { body } = answer;
  if (typeof body === "object" && body !== null) return body as Record<string, unknown>;
  throw oddAnswer(name);
}

/** The state of the earlier release, and what to do. @param mayStand whether the new release may have arrived */
export const nextStep = (
  mayStand: boolean | undefined,
  otherwise: "before-unchanged" | "before-unchanged-fix" = "before-unchanged",
): Sentence => sentence(mayStand ? "arrival-unknown" : otherwise);

export const oddAnswer = (name: string) =>
  new ApiFailure(502, "host-odd", sentence("host-odd", { name }));

/**
 * A required field of an answer as text; numbers are converted.
 * @throws ApiFailure if the field is missing or empty
 */
export function textOf(name: string, body: Record<string, unknown>, field: string): string {
  const value = body[field];
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "number") return String(value);
  throw oddAnswer(name);
}

/** Converts a host's unsuccessful answer to an ApiFailure. */
export function failureOfHost(name: string, answer: HostAnswer): ApiFailure {
  const { status, mayStand } = answer;
  const words = wordsOf(answer.body);
  if (status === 401 || isWrongToken(answer.body))
    return mayStand ? lateToken(name) : wrongToken(name);
  const why = words === "" ? `${status}.` : `${words}${/[.!?…]$/.test(words) ? "" : "."}`;
  const values = { name, why, next: nextStep(mayStand, "before-unchanged-fix") };
  if (status === 403) return new ApiFailure(403, "host-refused", sentence("host-forbids", values));
  if (status === 404)
    return new ApiFailure(404, "host-unknown", sentence("host-finds-nothing", values));
  return new ApiFailure(502, "host-refused", sentence("host-rejected", values));
}

export const wrongToken = (name: string) =>
  new ApiFailure(409, "token", sentence("token-refused", { name }));

const lateToken = (name: string) =>
  new ApiFailure(409, "token", sentence("token-expired", { name, next: nextStep(true) }));

/** Whether a body reports a bad token: Vercel does so with 403, Cloudflare with 400 or 403 and its own error codes. */
function isWrongToken(body: unknown): boolean {
  const { error, errors } = (body ?? {}) as { error?: unknown; errors?: unknown };
  if ((error as { invalidToken?: unknown } | undefined)?.invalidToken === true) return true;
  const codes = Array.isArray(errors) ? errors.map((one) => (one as { code?: unknown }).code) : [];
  return codes.some((code) => [6003, 6111, 9109, 10000].includes(code as number));
}

/** The host's message, shortened and without control characters: whoever answers there chooses it (A103). */
function wordsOf(body: unknown): string {
  const { message, error, errors } = (body ?? {}) as Record<string, unknown>;
  const first = Array.isArray(errors) ? (errors[0] as { message?: unknown }) : undefined;
  const text = [
    first?.message,
    message,
    typeof error === "object" && error !== null ? (error as { message?: unknown }).message : error,
    typeof errors === "object" && !Array.isArray(errors) ? JSON.stringify(errors) : undefined,
  ].find((one): one is string => typeof one === "string" && one !== "");
  return visibleText(text ?? "")
    .replace(/\s+/g, " ")
    .slice(0, WORDS);
}
