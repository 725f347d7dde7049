import { visibleText } from "@treadle/protocol/safe-text";
import { ApiFailure } from "@treadle/common";
import type { HostAnswer } from "./ask-host.ts";

/** Characters of a host's own words that are told. */
const WORDS = 300;

/** What an answer holds where it went well. @throws ApiFailure where it did not, or is none that such a host gives */
export function bodyOf(name: string, answer: HostAnswer): Record<string, unknown> {
  if (answer.status < 200 || answer.status >= 300) throw failureOfHost(name, answer);
  const { body } = answer;
  if (typeof body === "object" && body !== null) return body as Record<string, unknown>;
  throw oddAnswer(name);
}

/** What has become of what was there before, and what to do. @param mayStand the release may be what people get by now */
export const whatStands = (mayStand: boolean | undefined, again = "send it again") =>
  mayStand
    ? "It is not known whether the release has arrived: look there, or send it again."
    : `What was there before is unchanged; ${again}.`;

export const oddAnswer = (name: string) =>
  new ApiFailure(502, "host-odd", `${name} does not answer as its documentation says. Is the address right?`); // prettier-ignore

/** A text of an answer that has to be there. @throws ApiFailure */
export function textOf(name: string, body: Record<string, unknown>, field: string): string {
  const value = body[field];
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "number") return String(value);
  throw oddAnswer(name);
}

/** Why a host did not do it, as a sentence for people. */
export function failureOfHost(name: string, answer: HostAnswer): ApiFailure {
  const { status, mayStand } = answer;
  const words = wordsOf(answer.body);
  if (status === 401 || isWrongToken(answer.body))
    return mayStand ? lateToken(name) : wrongToken(name);
  const why = words === "" ? ` (${status}).` : `: ${words}${/[.!?…]$/.test(words) ? "" : "."}`;
  const fail = (message: string, code = "host-refused", as = 502) =>
    new ApiFailure(as, code, `${message}${why} ${whatStands(mayStand, "send it again once that is fixed")}`); // prettier-ignore
  if (status === 403)
    return fail(`${name} knows the token, but does not allow it this`, "host-refused", 403);
  if (status === 404) return fail(`${name} does not find what was named`, "host-unknown", 404);
  return fail(`${name} rejected it`);
}

export const wrongToken = (name: string) =>
  new ApiFailure(409, "token", `${name} does not accept the token. Make a new one there and type it again; what was there before is unchanged.`); // prettier-ignore

const lateToken = (name: string) =>
  new ApiFailure(409, "token", `${name} no longer accepts the token. Make a new one there and type it again. ${whatStands(true)}`); // prettier-ignore

/** Vercel says so with 403, Cloudflare with 400 and 403 and numbers of its own. */
function isWrongToken(body: unknown): boolean {
  const { error, errors } = (body ?? {}) as { error?: unknown; errors?: unknown };
  if ((error as { invalidToken?: unknown } | undefined)?.invalidToken === true) return true;
  const codes = Array.isArray(errors) ? errors.map((one) => (one as { code?: unknown }).code) : [];
  return codes.some((code) => [6003, 6111, 9109, 10000].includes(code as number));
}

/** Whoever answers there says what stands in it (A103). */
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
