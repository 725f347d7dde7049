import type { Sentence } from "@treadle/protocol/sentences";
import type { ProjectPath } from "@treadle/protocol";
import { fileAddress, UNSEEN } from "./files.ts";
import { ApiFailure, failureOf } from "./request.ts";
import { words } from "../words/words.ts";

/** Maximum size of an uploaded file, in bytes. */
export const UPLOAD_BYTES = 1024 * 1024 * 1024;

interface SendingOptions {
  /** Called with the fraction sent, from 0 to 1. `fetch` cannot report this. */
  onShare?: (share: number) => void;
  signal?: AbortSignal;
  /** Set if the person has not read the file: uploading rules or scripts then does not approve them. */
  unseen?: boolean;
}

/**
 * Creates a file in the project from bytes of any kind, streaming them.
 * @throws ApiFailure 409 if the file exists; it is never replaced. Aborting through `signal` throws an AbortError.
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
 * Creates a project from a ZIP archive.
 * @throws ApiFailure describing the problem; nothing is left behind
 */
export async function sendArchive(
  archive: Blob,
  name: string,
  options: SendingOptions,
): Promise<{ id: string }> {
  const address = `/api/import?name=${encodeURIComponent(name)}`;
  return JSON.parse(await send("POST", address, archive, {}, options)) as { id: string };
}

/** A project created from an import. */
export interface ImportedProject {
  id: string;
  name: string;
  /** Notes for the person. */
  notes: Sentence[];
}

/**
 * Creates projects from chats exported by bolt.new or bolt.diy.
 * @throws ApiFailure describing the problem; projects created before the failure stay
 */
export async function sendChats(chats: Blob, options: SendingOptions): Promise<ImportedProject[]> {
  const answer = await send("POST", "/api/import/chat", chats, {}, options);
  return (JSON.parse(answer) as { projects: ImportedProject[] }).projects;
}

/**
 * Creates a project from a log that Treadle exported: the conversation without files.
 * @throws ApiFailure naming the line that cannot be parsed; nothing is left behind
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
