import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { ApiFailure } from "@treadle/common";
import { reachGit, readGitAddress } from "./address.ts";

/** Bytes of an answer, and milliseconds for it. */
const ANSWER_BYTES = 1024 * 1024;
const LATE_MS = 30_000;

/** What is asked of a server's API. */
export interface ForgeRequest {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body?: object;
  /** Whether the person said that it may be of this machine's network. */
  local: boolean;
}

export interface ForgeAnswer {
  status: number;
  /** Absent where it was no JSON. */
  body: unknown;
}

/**
 * Asks the API of a git server, at the address that its name stands for (A39); follows nobody elsewhere, since the token would
 * go along.
 * @throws ApiFailure `git-local`, `git-plain`, `git-unreachable`, as git's own requests
 */
export async function askForge(asked: ForgeRequest): Promise<ForgeAnswer> {
  const { url, method, headers, local } = asked;
  const place = readGitAddress(url.replace(/\?.*$/, ""));
  const address = await reachGit(place, local);
  const family = address.includes(":") ? 6 : 4;
  const lookup: LookupFunction = (_host, { all }, answer) =>
    all ? answer(null, [{ address, family }]) : answer(null, address, family);
  const body = asked.body === undefined ? undefined : JSON.stringify(asked.body);
  const ask = place.kind === "http" ? requestHttp : requestHttps;
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(new ApiFailure(502, "git-unreachable", `${place.host} was asked to create a repository, but ${why}.`)); // prettier-ignore
    const request = ask(
      url,
      {
        method,
        lookup,
        signal: AbortSignal.timeout(LATE_MS),
        headers: {
          accept: "application/json",
          "user-agent": "Treadle",
          ...headers,
          ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }), // prettier-ignore
        },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => {
          text += piece;
          if (text.length > ANSWER_BYTES) request.destroy(new Error("its answer is too long"));
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: json(text) }));
      },
    );
    request.on(
      "error",
      (error) =>
      fail(error.name === "TimeoutError" || error.name === "AbortError" ? "did not answer in time" : `it failed: ${error.message}`), // prettier-ignore
    );
    request.end(body);
  });
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
