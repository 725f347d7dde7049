/** OpenAI Responses: `POST /v1/responses`. */
import { deltas } from "../play/deltas.ts";
import type { Piece, Plan } from "../play/types.ts";
import { openaiRefusal } from "./openai-errors.ts";
import { contentText, countPictures, listOf, textOf } from "./read-json.ts";
import { event } from "./sse.ts";
import type { Entry } from "../play/asked.ts";
import type { AnswerFacts, Frame, TokenCount, Wire } from "./types.ts";

export const openaiResponses: Wire = {
  name: "openai-responses",

  read(body) {
    const instructions = textOf(body["instructions"]);
    const input = body["input"];
    return {
      model: textOf(body["model"]),
      stream: body["stream"] === true,
      tools: listOf(body["tools"]).map((tool) => textOf(tool["name"])),
      includeUsage: true,
      pictures: countPictures(body["input"]),
      entries: [
        ...(instructions === "" ? [] : [{ by: "system", text: instructions } as const]),
        ...(typeof input === "string"
          ? [{ by: "user", text: input } as const]
          : listOf(input).flatMap(readItem)),
      ],
    };
  },

  *frames(plan, answer) {
    let sequence = 0;
    const send = (type: string, fields: object, characters = 0): Frame =>
      event(type, { type, sequence_number: sequence++, ...fields }, characters);

    const started = responseOf(answer, "in_progress", []);
    yield send("response.created", { response: started });
    yield send("response.in_progress", { response: started });
    for (const [index, piece] of plan.pieces.entries()) {
      const open = plan.open && index === plan.pieces.length - 1;
      yield* itemFrames(piece, index, plan, answer, open, send);
    }
    if (plan.ending.type === "break") return;
    const type = isIncomplete(plan) ? "response.incomplete" : "response.completed";
    yield send(type, { response: settled(plan, answer) });
  },

  errorFrame(fault, sequence) {
    const message = fault.message ?? "The server is overloaded. Please try again later.";
    const error = { type: "server_error", code: "server_is_overloaded", message, param: null };
    return event("error", { type: "error", sequence_number: sequence, error }).text;
  },

  unstreamed: settled,

  refusal: openaiRefusal,
};

type Send = (type: string, fields: object, characters?: number) => Frame;

function readItem(item: Record<string, unknown>): Entry[] {
  switch (item["type"]) {
    case "function_call":
      return [{ by: "assistant", text: textOf(item["arguments"]) }];
    case "function_call_output":
      return [{ by: "tool", text: contentText(item["output"]) }];
    case "reasoning":
      return [{ by: "assistant", text: contentText(item["summary"]) }];
    case "item_reference":
      return [{ by: "assistant", text: "" }];
  }
  const text = contentText(item["content"]);
  const { role } = item;
  if (role === "system" || role === "developer") return [{ by: "system", text }];
  return [{ by: role === "assistant" ? "assistant" : "user", text }];
}

function* itemFrames(
  piece: Piece,
  index: number,
  plan: Plan,
  answer: AnswerFacts,
  open: boolean,
  send: Send,
): Generator<Frame> {
  const item = itemOf(piece, index, answer, "in_progress", "");
  const at = { item_id: item.id, output_index: index };
  yield send("response.output_item.added", { output_index: index, item });
  const cut = open && plan.ending.type === "break";
  if (piece.type === "call") yield* callFrames(piece.json, at, plan.deltaSize, cut, send);
  else if (piece.type === "say") yield* textFrames(piece.text, at, plan.deltaSize, cut, send);
  else yield* summaryFrames(piece.text, at, plan.deltaSize, cut, send);
  if (cut) return;
  const status = open ? "incomplete" : "completed";
  const done = itemOf(piece, index, answer, status);
  yield send("response.output_item.done", { output_index: index, item: done });
}

function* callFrames(
  json: string,
  at: object,
  size: number,
  cut: boolean,
  send: Send,
): Generator<Frame> {
  for (const delta of deltas(json, size)) {
    yield send("response.function_call_arguments.delta", { ...at, delta }, delta.length);
  }
  if (!cut) yield send("response.function_call_arguments.done", { ...at, arguments: json });
}

function* textFrames(
  text: string,
  at: object,
  size: number,
  cut: boolean,
  send: Send,
): Generator<Frame> {
  const place = { ...at, content_index: 0 };
  yield send("response.content_part.added", { ...place, part: outputText("") });
  for (const delta of deltas(text, size)) {
    yield send("response.output_text.delta", { ...place, delta, logprobs: [] }, delta.length);
  }
  if (cut) return;
  yield send("response.output_text.done", { ...place, text, logprobs: [] });
  yield send("response.content_part.done", { ...place, part: outputText(text) });
}

function* summaryFrames(
  text: string,
  at: object,
  size: number,
  cut: boolean,
  send: Send,
): Generator<Frame> {
  const place = { ...at, summary_index: 0 };
  const part = (full: string): object => ({ type: "summary_text", text: full });
  yield send("response.reasoning_summary_part.added", { ...place, part: part("") });
  for (const delta of deltas(text, size)) {
    yield send("response.reasoning_summary_text.delta", { ...place, delta }, delta.length);
  }
  if (cut) return;
  yield send("response.reasoning_summary_text.done", { ...place, text });
  yield send("response.reasoning_summary_part.done", { ...place, part: part(text) });
}

function outputText(text: string): Record<string, unknown> {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

/** `body` replaces the piece's own: an item begins empty. */
function itemOf(
  piece: Piece,
  index: number,
  answer: AnswerFacts,
  status: "in_progress" | "completed" | "incomplete",
  body?: string,
): Record<string, unknown> & { id: string } {
  switch (piece.type) {
    case "say": {
      const content = body === "" ? [] : [outputText(piece.text)];
      return {
        id: `msg_${answer.id}_${index}`,
        type: "message",
        role: "assistant",
        status,
        content,
      };
    }
    case "think": {
      const summary = body === "" ? [] : [{ type: "summary_text", text: piece.text }];
      return { id: `rs_${answer.id}_${index}`, type: "reasoning", summary };
    }
    case "call":
      return {
        id: `fc_${answer.id}_${index}`,
        type: "function_call",
        call_id: `call_${piece.id}`,
        name: piece.tool,
        arguments: body ?? piece.json,
        status,
      };
  }
}

function isIncomplete(plan: Plan): boolean {
  return (
    plan.ending.type === "break" ||
    plan.ending.reason === "length" ||
    plan.ending.reason === "filter"
  );
}

function settled(plan: Plan, answer: AnswerFacts): Record<string, unknown> {
  const incomplete = isIncomplete(plan);
  const output = plan.pieces.map((piece, index) => {
    const open = plan.open && index === plan.pieces.length - 1;
    return itemOf(piece, index, answer, open ? "incomplete" : "completed");
  });
  const filtered = plan.ending.type === "finish" && plan.ending.reason === "filter";
  return {
    ...responseOf(answer, incomplete ? "incomplete" : "completed", output),
    incomplete_details: incomplete
      ? { reason: filtered ? "content_filter" : "max_output_tokens" }
      : null,
    usage: usageOf(answer.usage),
  };
}

function responseOf(
  answer: AnswerFacts,
  status: string,
  output: Record<string, unknown>[],
): Record<string, unknown> {
  return {
    id: `resp_${answer.id}`,
    object: "response",
    created_at: answer.createdAt,
    status,
    error: null,
    incomplete_details: null,
    model: answer.model,
    output,
    usage: null,
  };
}

function usageOf(usage: TokenCount): Record<string, unknown> {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  };
}
