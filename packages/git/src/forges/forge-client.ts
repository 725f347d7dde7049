import { sentence } from "@treadle/protocol/sentences";
import { visibleText } from "@treadle/protocol/safe-text";
import { ApiFailure } from "@treadle/common";
import { askForge, type ForgeAnswer } from "./ask-forge.ts";
import { GITEA } from "./gitea.ts";
import { GITHUB } from "./github.ts";
import { GITLAB } from "./gitlab.ts";
import type { Fields, Forge, ForgeCall, ForgeKind, ForgeServer } from "./types.ts";

/** Maximum length of a server's message that is passed on. */
const WORDS = 300;

/** The implementation of each API. */
export const FORGE: Record<ForgeKind, Forge> = { github: GITHUB, gitlab: GITLAB, gitea: GITEA };

/** Sends requests to one server with one token. */
export interface ForgeClient {
  forge: Forge;
  host: string;
  /**
   * Sends a request; the response may have any status.
   * @throws ApiFailure if there was none
   */
  send(call: ForgeCall): Promise<ForgeAnswer>;
  /**
   * The object in a successful response.
   * @throws ApiFailure as `failureOfForge`, and `git-odd`
   */
  object(call: ForgeCall): Promise<Fields>;
}

export function forgeClient(
  { kind, web, api }: ForgeServer,
  { token, local }: { token: string; local: boolean },
): ForgeClient {
  const forge = FORGE[kind];
  const host = new URL(web).host;
  const send = ({ method, path, body }: ForgeCall) =>
    askForge({ method, url: `${api}${path}`, body, local, headers: forge.headers(token) });
  return {
    forge,
    host,
    send,
    async object(call) {
      const answer = await send(call);
      if (isGood(answer)) return fieldsOf(answer, host);
      throw failureOfForge(answer, host);
    },
  };
}

export const isGood = ({ status }: ForgeAnswer) => status >= 200 && status < 300;

/** The JSON object in an answer. @throws ApiFailure `git-odd` if it is something else */
export function fieldsOf({ body }: ForgeAnswer, host: string): Fields {
  if (typeof body === "object" && body !== null) return body as Fields;
  throw oddAnswer(host);
}

export const oddAnswer = (host: string) =>
  new ApiFailure(502, "git-odd", sentence("git-api-odd", { host }));

/**
 * Why a server refused a request. `git-login`: the token is invalid. `git-scope`: it lacks a
 * permission. `git-not-found`: there is no such object, or the token may not see it. `git-busy`:
 * too many requests. `git-refused`: anything else, with the server's message.
 */
export function failureOfForge(answer: ForgeAnswer, host: string): ApiFailure {
  const { status, headers } = answer;
  if (status === 401) return new ApiFailure(409, "git-login", sentence("git-api-token", { host }));
  if (status === 429 || (status === 403 && headers["x-ratelimit-remaining"] === "0"))
    return new ApiFailure(429, "git-busy", sentence("git-api-busy", { host }));
  const why = wordsOf(answer) || String(status);
  if (status === 403)
    return new ApiFailure(403, "git-scope", sentence("git-api-scope", { host, why }));
  if (status === 404)
    return new ApiFailure(404, "git-not-found", sentence("git-api-missing", { host }));
  return new ApiFailure(502, "git-refused", sentence("git-api-refused", { host, why }));
}

/** The server's message as plain text (A103); empty if it gave none. */
function wordsOf({ body }: ForgeAnswer): string {
  const { message, error_description: description, errors, error } = (body ?? {}) as Fields;
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const candidates: unknown[] = [
    (first as Fields | undefined)?.["message"] ?? first,
    Array.isArray(message) ? message.join(" ") : message,
    description,
    error,
  ];
  const text = candidates.find((one): one is string => typeof one === "string" && one !== "");
  const isObject = text === undefined && typeof message === "object" && message !== null;
  return visibleText(isObject ? JSON.stringify(message) : (text ?? "")).slice(0, WORDS);
}
