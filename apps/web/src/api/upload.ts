import type { ProjectPath } from "@treadle/protocol";
import { fileAddress, UNSEEN } from "./files.ts";
import { ApiFailure, failureOf } from "./request.ts";
import { words } from "../words/words.ts";

/** Bytes of one file that the server takes. */
export const UPLOAD_BYTES = 1024 * 1024 * 1024;

interface SendingOptions {
  /** Told how much of it was sent, from 0 to 1: `fetch` tells nothing of that. */
  onShare?: (share: number) => void;
  signal?: AbortSignal;
  /** The person has not looked into it: nothing that other programs obey is agreed to with it. */
  unseen?: boolean;
}

/**
 * Writes a new file of the project from bytes of any kind, which are read as they are sent.
 * @throws ApiFailure 409 where there is such a file already; nothing is replaced. `signal` ends it with an AbortError.
 */
export function uploadFile(
  project: string,
  path: ProjectPath,
  content: Blob,
  options: SendingOptions = {},
): Promise<void> {
  const address = fileAddress(project, path) + (options.unseen === true ? UNSEEN : "");
  return send("PUT", address, content, { "if-none-match": "*" }, options).then(() => {});
}

/**
 * A new project of a ZIP.
 * @throws ApiFailure that says what is wrong with it; nothing is left then
 */
export async function sendArchive(
  archive: Blob,
  name: string,
  options: SendingOptions,
): Promise<{ id: string }> {
  const address = `/api/import?name=${encodeURIComponent(name)}`;
  return JSON.parse(await send("POST", address, archive, {}, options)) as { id: string };
}

/** A project that was made of something that was exported elsewhere. */
export interface TakenProject {
  id: string;
  name: string;
  /** What a person should know of it, in sentences. */
  notes: string[];
}

/**
 * New projects of the chats that bolt.new or bolt.diy exported.
 * @throws ApiFailure that says what is wrong with it; those that were made before the one that failed stay
 */
export async function sendChats(chats: Blob, options: SendingOptions): Promise<TakenProject[]> {
  const answer = await send("POST", "/api/import/chat", chats, {}, options);
  return (JSON.parse(answer) as { projects: TakenProject[] }).projects;
}

/**
 * A new project of a log that Treadle exported: its conversation, without its files.
 * @throws ApiFailure that says which line cannot be read; nothing is left then
 */
export async function sendLog(log: Blob, options: SendingOptions): Promise<{ id: string }> {
  return JSON.parse(await send("POST", "/api/import/log", log, {}, options)) as { id: string };
}

function send(
  method: "PUT" | "POST",
  address: string,
  content: Blob,
  headers: Record<string, string>,
  { onShare, signal }: SendingOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(method, address);
    request.setRequestHeader("content-type", "application/octet-stream");
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onShare?.(total > 0 ? loaded / total : 0),
    );
    request.addEventListener("load", () => {
      if (request.status >= 200 && request.status < 300) return resolve(request.responseText);
      failureOf(new Response(request.responseText, { status: request.status })).then(
        reject,
        reject,
      );
    });
    request.addEventListener("error", () =>
      reject(new ApiFailure(0, "offline", words.api.unreachable)),
    );
    request.addEventListener("abort", () =>
      reject(new DOMException(words.api.uploadStopped, "AbortError")),
    );
    request.addEventListener("loadend", () => signal?.removeEventListener("abort", abort));
    if (signal?.aborted) return reject(new DOMException(words.api.uploadStopped, "AbortError"));
    signal?.addEventListener("abort", abort);
    request.send(content);
  });
}
