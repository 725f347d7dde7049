import { codedWords } from "../words/coded-words.ts";
import type { ApiError } from "@treadle/protocol";
import { loadLaterWords, words } from "../words/words.ts";

/** A failed request, with a sentence for the person. `status` is 0 if the server did not answer. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "ApiFailure";
    this.status = status;
    this.code = code;
  }
}

/**
 * Sends a request to the API on this origin.
 * @throws ApiFailure with the server's own sentence, or one saying that it did not answer
 */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiFailure(0, "offline", words.api.unreachable);
  }
  if (!response.ok) throw await failureOf(response);
  return response;
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await request(path, signal ? { signal } : {});
  return (await response.json()) as T;
}

/** Sends JSON; resolves with the response's JSON, or undefined if it has no body. */
export async function sendJson<T = void>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await request(path, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body ?? {}),
  });
  const text = await response.text();
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** The error described by a failed response. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const { status } = response;
  try {
    const body = (await response.json()) as Partial<ApiError>;
    if (typeof body.error?.message === "string") return await failureWith(status, body.error);
  } catch {
    // Not JSON: a proxy between the page and the server answered.
  }
  if (status === 401 || status === 403)
    return new ApiFailure(status, "signed-out", words.api.signedOut);
  return new ApiFailure(status, "unknown", words.api.answeredWith({ status }));
}

/** An error of the server in the page's language. */
export async function failureWith(
  status: number,
  { code, message, messageCode }: ApiError["error"],
): Promise<ApiFailure> {
  if (messageCode) await loadLaterWords().catch(() => {});
  return new ApiFailure(status, code, codedWords(message, messageCode));
}

/** The message of any error, for the person; the text of a thrown value that is not an Error. */
export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Formats a URL's query string, without values that are undefined. */
export const queryText = (values: object): string =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString();
