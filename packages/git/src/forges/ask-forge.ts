import { request as requestHttp, type IncomingHttpHeaders } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { reachGit, readGitAddress } from "../address.ts";

/** Limits of a response: bytes and milliseconds. */
const ANSWER_BYTES = 1024 * 1024;
const LATE_MS = 30_000;

/** A request to a server's API. */
export interface ForgeRequest {
  method: "GET" | "POST" | "PATCH";
  url: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: object | URLSearchParams | FormData | undefined;
  /** Whether the person allowed an address of this machine or its network. */
  local: boolean;
}

/** An answer with any status. */
export interface ForgeAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined if it was not JSON. */
  body: unknown;
}

/**
 * Sends a request to the API of a git server, at the address that its name resolves to (A39). Follows no redirect, since
 * the token would go along.
 * @throws ApiFailure `git-local`, `git-plain` or `git-unreachable`, like git's own requests
 */
export async function askForge(asked: ForgeRequest): Promise<ForgeAnswer> {
  const { url, method, local } = asked;
  const place = readGitAddress(url.replace(/\?.*$/, ""));
  const address = await reachGit(place, local);
  const family = address.includes(":") ? 6 : 4;
  const lookup: LookupFunction = (_host, { all }, answer) =>
    all ? answer(null, [{ address, family }]) : answer(null, address, family);
  const { body, headers } = await encode(asked);
  const ask = place.kind === "http" ? requestHttp : requestHttps;
  const { host } = place;
  return new Promise((resolve, reject) => {
    const request = ask(
      url,
      { method, lookup, agent: false, signal: AbortSignal.timeout(LATE_MS), headers },
      (response) => {
        const pieces: Buffer[] = [];
        let bytes = 0;
        response.on("data", (piece: Buffer) => {
          pieces.push(piece);
          bytes += piece.length;
          if (bytes > ANSWER_BYTES) request.destroy(new Error("the answer is too long"));
        });
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: parseJson(Buffer.concat(pieces).toString()),
          }),
        );
      },
    );
    request.on("error", (error) => {
      const isLate = error.name === "TimeoutError" || error.name === "AbortError";
      const words = isLate
        ? sentence("git-api-late", { host })
        : sentence("git-api-cut", { host, why: error.message });
      reject(new ApiFailure(502, "git-unreachable", words));
    });
    request.end(body);
  });
}

async function encode({ body, headers }: ForgeRequest) {
  const isForm = body instanceof FormData || body instanceof URLSearchParams;
  const form = isForm ? new Response(body) : undefined;
  const json = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const bytes = form ? Buffer.from(await form.arrayBuffer()) : json;
  const type = form?.headers.get("content-type") ?? "application/json";
  return {
    body: bytes,
    headers: {
      accept: "application/json",
      "user-agent": "Treadle",
      ...headers,
      ...(bytes && { "content-type": type, "content-length": String(bytes.byteLength) }),
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
