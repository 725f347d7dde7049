/** Anthropic Messages: `POST /v1/messages`. */
import { deltas } from "../play/deltas.ts";
import { bodyOf } from "../play/plan-answer.ts";
import type { FinishReason, Piece, Plan } from "../play/types.ts";
import type { Refusal } from "../script/types.ts";
import { contentText, countPictures, listOf, recordOf, textOf } from "./read-json.ts";
import { event } from "./sse.ts";
import type { Entry } from "../play/asked.ts";
import type { AnswerFacts, Frame, TokenCount, Wire } from "./types.ts";

export const anthropic: Wire = {
  name: "anthropic",

  read(body) {
    const system = contentText(body["system"]);
    return {
      model: textOf(body["model"]),
      stream: body["stream"] === true,
      tools: listOf(body["tools"]).map((tool) => textOf(tool["name"])),
      includeUsage: true,
      pictures: countPictures(body["messages"]),
      entries: [
        ...(system === "" ? [] : [{ by: "system", text: system } as const]),
        ...listOf(body["messages"]).flatMap(readMessage),
      ],
    };
  },

  *frames(plan, answer) {
    const message = { ...messageOf(answer), content: [], stop_reason: null };
    yield event("message_start", {
      type: "message_start",
      message: { ...message, usage: { ...usageOf(answer.usage), output_tokens: 1 } },
    });
    yield event("ping", { type: "ping" });
    for (const [index, piece] of plan.pieces.entries()) {
      const last = index === plan.pieces.length - 1;
      yield* blockFrames(piece, index, plan.deltaSize, last && broken(plan));
    }
    if (plan.ending.type === "break") return;
    yield event("message_delta", {
      type: "message_delta",
      delta: { stop_reason: STOP_REASONS[plan.ending.reason], stop_sequence: null },
      usage: { output_tokens: answer.usage.output },
    });
    yield event("message_stop", { type: "message_stop" });
  },

  errorFrame(fault) {
    const message = fault.message ?? "Overloaded";
    return event("error", { type: "error", error: { type: "overloaded_error", message } }).text;
  },

  unstreamed(plan, answer) {
    return {
      ...messageOf(answer),
      content: plan.pieces.map(blockOf),
      stop_reason: STOP_REASONS[plan.ending.type === "finish" ? plan.ending.reason : "length"],
      usage: usageOf(answer.usage),
    };
  },

  refusal(fault, model) {
    const kind = fault.kind as Exclude<Refusal, "hang-up">;
    const { status, type, message } = REFUSALS[kind];
    const error = { type, message: fault.message ?? message.replace("{model}", model) };
    return { status: fault.status ?? status, body: { type: "error", error } };
  },
};

const STOP_REASONS: Record<FinishReason, string> = {
  stop: "end_turn",
  "tool-calls": "tool_use",
  length: "max_tokens",
  filter: "refusal",
};

const REFUSALS: Record<
  Exclude<Refusal, "hang-up">,
  { status: number; type: string; message: string }
> = {
  "rate-limited": {
    status: 429,
    type: "rate_limit_error",
    message: "This request would exceed your account's rate limit. Please try again later.",
  },
  overloaded: { status: 529, type: "overloaded_error", message: "Overloaded" },
  "wrong-key": { status: 401, type: "authentication_error", message: "invalid x-api-key" },
  "unknown-model": { status: 404, type: "not_found_error", message: "model: {model}" },
  quota: {
    status: 400,
    type: "invalid_request_error",
    message: "Your credit balance is too low to access the Anthropic API.",
  },
  "context-overflow": {
    status: 400,
    type: "invalid_request_error",
    message: "prompt is too long: 210000 tokens > 200000 maximum",
  },
  "no-pictures": {
    status: 400,
    type: "invalid_request_error",
    message: "messages.0.content.0: '{model}' does not support image input.",
  },
  "server-error": { status: 500, type: "api_error", message: "Internal server error" },
};

function readMessage(message: Record<string, unknown>): Entry[] {
  const by = message["role"] === "assistant" ? "assistant" : "user";
  const { content } = message;
  if (typeof content === "string") return [{ by, text: content }];
  return listOf(content).map((block): Entry => {
    switch (block["type"]) {
      case "tool_result":
        return { by: "tool", text: contentText(block["content"]) };
      case "tool_use":
        return { by, text: JSON.stringify(block["input"] ?? {}) };
      default:
        return { by, text: textOf(block["text"]) };
    }
  });
}

/** A fake signature, which only has to be returned unchanged. */
const SIGNATURE = "c2NyaXB0ZWQtdGhpbmtpbmc=";

function* blockFrames(piece: Piece, index: number, size: number, open: boolean): Generator<Frame> {
  const start = { ...blockOf(piece), ...EMPTY[piece.type] };
  yield event("content_block_start", { type: "content_block_start", index, content_block: start });
  for (const text of deltas(bodyOf(piece), size)) {
    const delta = { type: DELTA_TYPES[piece.type], [DELTA_FIELDS[piece.type]]: text };
    yield event("content_block_delta", { type: "content_block_delta", index, delta }, text.length);
  }
  if (open) return;
  if (piece.type === "think") {
    const delta = { type: "signature_delta", signature: SIGNATURE };
    yield event("content_block_delta", { type: "content_block_delta", index, delta });
  }
  yield event("content_block_stop", { type: "content_block_stop", index });
}

const EMPTY = { say: { text: "" }, think: { thinking: "", signature: "" }, call: { input: {} } };
const DELTA_TYPES = { say: "text_delta", think: "thinking_delta", call: "input_json_delta" };
const DELTA_FIELDS = { say: "text", think: "thinking", call: "partial_json" };

function blockOf(piece: Piece): Record<string, unknown> {
  switch (piece.type) {
    case "say":
      return { type: "text", text: piece.text };
    case "think":
      return { type: "thinking", thinking: piece.text, signature: SIGNATURE };
    case "call":
      return {
        type: "tool_use",
        id: `toolu_${piece.id}`,
        name: piece.tool,
        input: inputOf(piece.json),
      };
  }
}

function inputOf(json: string): unknown {
  try {
    return recordOf(JSON.parse(json));
  } catch {
    return {};
  }
}

/**
 * A stream that breaks inside its last piece leaves that block open; one that reached the limit
 * closes it.
 */
function broken(plan: Plan): boolean {
  return plan.open && plan.ending.type === "break";
}

function messageOf(answer: AnswerFacts): Record<string, unknown> {
  return {
    id: `msg_${answer.id}`,
    type: "message",
    role: "assistant",
    model: answer.model,
    stop_sequence: null,
  };
}

function usageOf(usage: TokenCount): Record<string, number> {
  return {
    input_tokens: usage.input - usage.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
    output_tokens: usage.output,
  };
}
