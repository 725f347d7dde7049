/**
 * A thin client of the API server, over Node's own HTTPS and `ws`: what this driver needs, and no more. The official
 * client is 62 MB in 68 packages, takes a second to load, and buffers what an executed program prints without limit.
 */
import type { IncomingMessage } from "node:http";
import { Agent, request as sendRequest } from "node:https";
import { json, text } from "node:stream/consumers";
import { ApiFailure } from "./api-failure.ts";
import type { Cluster } from "./cluster.ts";
import { openExec, type Executed } from "./exec.ts";

export interface Api {
  readonly cluster: Cluster;
  /**
   * Sends a request and parses the answer. Rejects with ApiFailure, or with the socket's error.
   * @param path with its query
   */
  ask<T>(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<T>;
  /**
   * Yields an object as it is now and after each change, until the server ends the watch.
   * @param path of a list, with a selector of one object
   */
  watch<T>(path: string, signal: AbortSignal): AsyncIterable<{ type: string; object: T }>;
  /** Executes a program in a container of a pod. `path` is that of the pod. */
  exec(
    path: string,
    container: string,
    command: readonly string[],
    onStderr: (bytes: Buffer) => void,
  ): Promise<Executed>;
  /** Closes idle connections. */
  close(): void;
}

/** Milliseconds without an answer after which a request fails. */
const ANSWER_MS = 30_000;

export function createApi(cluster: Cluster, answerMs = ANSWER_MS): Api {
  const agent = new Agent({ ...cluster.tls, keepAlive: true });
  const headers = (): Record<string, string> =>
    cluster.token ? { authorization: `Bearer ${cluster.token()}` } : {};

  const open = (
    method: string,
    path: string,
    options: { body?: string; signal?: AbortSignal; timeout?: number },
  ) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { body, signal, timeout } = options;
      const request = sendRequest(
        new URL(path, cluster.server),
        {
          method,
          agent,
          signal,
          headers: {
            accept: "application/json",
            ...headers(),
            ...(body !== undefined && { "content-type": "application/json" }),
          },
        },
        resolve,
      );
      if (timeout) request.setTimeout(timeout, () => request.destroy(noAnswer()));
      request.once("error", reject);
      request.end(body);
    });

  async function refuse(response: IncomingMessage): Promise<never> {
    const body = await text(response);
    let message = body;
    try {
      message = (JSON.parse(body) as { message?: string }).message ?? body;
    } catch {
      // A proxy's page, which is shown as it is.
    }
    throw new ApiFailure(response.statusCode ?? 0, message.slice(0, 600));
  }

  return {
    cluster,
    async ask(method, path, body) {
      const response = await open(method, path, {
        body: body && JSON.stringify(body),
        timeout: answerMs,
      });
      if ((response.statusCode ?? 0) >= 400) return refuse(response);
      return json(response) as never;
    },
    async *watch(path, signal) {
      const response = await open("GET", `${path}&watch=1`, { signal });
      if ((response.statusCode ?? 0) >= 400) await refuse(response);
      let rest = "";
      for await (const piece of response.setEncoding("utf8")) {
        const lines = (rest + String(piece)).split("\n");
        rest = lines.pop()!;
        for (const line of lines) yield JSON.parse(line) as never;
      }
    },
    exec: (path, container, command, onStderr) => {
      const query = new URLSearchParams({
        container,
        stdin: "true",
        stdout: "true",
        stderr: "true",
      });
      for (const word of command) query.append("command", word);
      const url = new URL(`${path}/exec?${query.toString()}`, cluster.server);
      url.protocol = "wss:";
      return openExec(url, { ...cluster.tls, headers: headers() }, onStderr);
    },
    close: () => agent.destroy(),
  };
}

const noAnswer = () => Object.assign(new Error("no answer"), { code: "ETIMEDOUT" });
