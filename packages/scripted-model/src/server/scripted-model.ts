import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { asArtifact } from "../play/as-artifact.ts";
import { asTags, wasTaughtTags } from "../play/as-tags.ts";
import { chooseParts } from "../play/choose-parts.ts";
import { planAnswer } from "../play/plan-answer.ts";
import type { Plan } from "../play/types.ts";
import type { Fault, Part, Script, Step } from "../script/types.ts";
import { anthropic } from "../wires/anthropic.ts";
import { openaiChat } from "../wires/openai-chat.ts";
import { openaiResponses } from "../wires/openai-responses.ts";
import type { Asked } from "../play/asked.ts";
import type { AnswerFacts, Wire } from "../wires/types.ts";
import { createAttempts } from "./attempts.ts";
import { modelList, ollamaTags } from "./catalogue.ts";
import type { Chunking } from "./chunks.ts";
import { countTokens, promptText } from "./count-tokens.ts";
import { LIMITS } from "./limits.ts";
import type { Pace } from "./pace.ts";
import { readBody } from "./read-body.ts";
import { sendStream } from "./send-stream.ts";

export interface ScriptedModelOptions {
  /** One script for any model; several are chosen by model id, and other ids get a 404. */
  script: Script | Record<string, Script>;
  /** 0, the default, uses a free one. Always on the loopback address. */
  port?: number;
  pace?: Pace;
  /** How streams are split into writes. Absent: one write per event. */
  chunking?: Chunking;
  /** Approximate number of characters per delta; default 6. */
  deltaSize?: number;
  /** The only accepted key; absent: any, or none. */
  key?: string;
  /** Number of requests stored in `requests`; default and maximum 1,000. */
  record?: number;
}

export interface RecordedRequest {
  wire: Wire["name"];
  asked: Asked;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
}

export interface ScriptedModel {
  /** `http://127.0.0.1:port`; providers need it with `/v1` appended. */
  url: string;
  /**
   * Received requests, oldest first, including refused ones, unless their body could not be read.
   */
  requests: RecordedRequest[];
  /** Ends every active stream. Safe to call twice. */
  close(): Promise<void>;
}

const WIRES: Record<string, Wire> = {
  "/v1/messages": anthropic,
  "/v1/responses": openaiResponses,
  "/v1/chat/completions": openaiChat,
};

/**
 * Starts an HTTP server that answers from a script instead of a model: Anthropic Messages, OpenAI
 * Responses, Chat Completions, and lists of models. Requests without tools get calls as bolt
 * artifacts. Rejects if the port is unavailable.
 */
export async function createScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const requests: RecordedRequest[] = [];
  const limit = Math.min(options.record ?? LIMITS.recordedRequests, LIMITS.recordedRequests);
  const attempts = createAttempts();
  const lastPrompts = new Map<string, string>();
  const closing = new AbortController();
  const instance = randomBytes(4).toString("hex");
  let answers = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://model").pathname;
    const wire = WIRES[path];
    if (request.method === "GET") return list(path, request, response);
    if (wire === undefined || request.method !== "POST") return sendJson(response, 404, NOT_HERE);
    const body = await readBody(request);
    if (body === null) return;
    if (body === undefined) return sendJson(response, 400, NOT_JSON);

    const asked = wire.read(body);
    requests.push({ wire: wire.name, asked, headers: request.headers, body });
    if (requests.length > limit) requests.shift();

    const script = scriptFor(options.script, asked.model);
    if (!keyFits(request, options.key)) return refuse(response, wire, { kind: "wrong-key" }, asked);
    if (script === undefined) return refuse(response, wire, { kind: "unknown-model" }, asked);

    const attempt = attempts(asked);
    const { step, parts: chosen } = chooseParts(script, { wire: wire.name, asked, attempt });
    const parts = inDialect(asked, script, step, chosen);
    answers += 1;
    const id = `${instance}${answers.toString(36).padStart(4, "0")}`;
    const plan = planAnswer(parts, {
      callId: (ordinal) => `${id}${ordinal}`,
      deltaSize: options.deltaSize ?? 6,
    });
    if ("refused" in plan) return refuse(response, wire, plan.refused, asked);

    const usage = countTokens(asked.entries, lastPrompts.get(asked.model) ?? "", plan);
    lastPrompts.set(asked.model, promptText(asked.entries));
    const createdAt = Math.floor(Date.now() / 1_000);
    const facts: AnswerFacts = {
      id,
      model: asked.model,
      createdAt,
      includeUsage: asked.includeUsage,
      usage,
    };
    if (asked.stream) return stream(response, wire, plan, facts);
    return sendJson(response, 200, wire.unstreamed(plan, facts));
  }

  async function stream(
    response: ServerResponse,
    wire: Wire,
    plan: Plan,
    facts: AnswerFacts,
  ): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    await sendStream(response, wire, plan, facts, {
      pace: options.pace ?? {},
      chunking: options.chunking,
      signal: AbortSignal.any([gone.signal, closing.signal]),
    });
  }

  function list(path: string, request: IncomingMessage, response: ServerResponse): void {
    const ids = modelIds(options.script);
    if (path === "/api/tags") return sendJson(response, 200, ollamaTags(ids));
    if (path !== "/v1/models") return sendJson(response, 404, NOT_HERE);
    const forAnthropic = request.headers["anthropic-version"] !== undefined;
    if (!keyFits(request, options.key)) {
      return refuse(response, forAnthropic ? anthropic : openaiChat, { kind: "wrong-key" });
    }
    return sendJson(response, 200, modelList(ids, forAnthropic));
  }

  const server = createServer((request, response) => {
    // Ignores a client that disconnects; without a listener the error would end the process.
    response.on("error", () => undefined);
    answer(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: { message: `The scripted model failed: ${message}` } });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      closing.abort();
      server.closeAllConnections();
      if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const NOT_HERE = {
  error: { message: "The scripted model has no such address.", type: "not_found" },
};
const NOT_JSON = {
  error: { message: "The request is not JSON, or too long.", type: "invalid_request_error" },
};

function isScript(script: Script | Record<string, Script>): script is Script {
  return Array.isArray(script["steps"]);
}

function scriptFor(script: Script | Record<string, Script>, model: string): Script | undefined {
  if (isScript(script)) return script;
  return Object.hasOwn(script, model) ? script[model] : undefined;
}

function modelIds(script: Script | Record<string, Script>): string[] {
  return isScript(script) ? [script.name] : Object.keys(script);
}

function keyFits(request: IncomingMessage, key: string | undefined): boolean {
  if (key === undefined) return true;
  return request.headers["x-api-key"] === key || request.headers.authorization === `Bearer ${key}`;
}

function refuse(response: ServerResponse, wire: Wire, fault: Fault, asked?: Asked): void {
  if (fault.kind === "hang-up") {
    response.socket?.destroy();
    return;
  }
  const { status, body } = wire.refusal(fault, asked?.model ?? "");
  if (fault.retryAfter !== undefined) response.setHeader("retry-after", String(fault.retryAfter));
  sendJson(response, status, body);
}

function sendJson(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/**
 * For a request without tools, writes calls into the text, in the dialect that its prompt teaches.
 */
function inDialect(asked: Asked, script: Script, step: Step | undefined, parts: Part[]): Part[] {
  if (asked.tools.length > 0) return parts;
  const prompt = asked.entries.find(({ by }) => by === "system")?.text ?? "";
  return wasTaughtTags(prompt) ? asTags(script, step, parts) : asArtifact(script, step, parts);
}
