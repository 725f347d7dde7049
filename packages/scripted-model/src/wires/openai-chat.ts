/**
 * OpenAI Chat Completions, as implemented by OpenAI and compatible servers: `POST
 * /v1/chat/completions`.
 */
import { deltas } from "../play/deltas.ts";
import { bodyOf } from "../play/plan-answer.ts";
import type { FinishReason, Piece } from "../play/types.ts";
import { openaiRefusal } from "./openai-errors.ts";
import { contentText, countPictures, listOf, recordOf, textOf } from "./read-json.ts";
import { event } from "./sse.ts";
import type { Entry } from "../play/asked.ts";
import type { AnswerFacts, Frame, TokenCount, Wire } from "./types.ts";

export const openaiChat: Wire = {
  name: "openai-chat",

  read(body) {
    return {
      model: textOf(body["model"]),
      stream: body["stream"] === true,
      tools: listOf(body["tools"]).map((tool) => textOf(recordOf(tool["function"])["name"])),
      includeUsage: recordOf(body["stream_options"])["include_usage"] === true,
      pictures: countPictures(body["messages"]),
      entries: listOf(body["messages"]).flatMap(readMessage),
    };
  },

  *frames(plan, answer) {
    const chunk = (delta: object, finish: string | null = null, characters = 0): Frame =>
      event(
        undefined,
        {
          ...headOf(answer, "chat.completion.chunk"),
          choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
          ...(answer.includeUsage ? { usage: null } : {}),
        },
        characters,
      );

    yield chunk({ role: "assistant", content: "" });
    let calls = 0;
    for (const piece of plan.pieces) {
      const index = calls;
      if (piece.type === "call") {
        calls += 1;
        const opened = { name: piece.tool, arguments: "" };
        yield chunk({
          tool_calls: [{ index, id: `call_${piece.id}`, type: "function", function: opened }],
        });
      }
      for (const text of deltas(bodyOf(piece), plan.deltaSize)) {
        yield chunk(deltaOf(piece, index, text), null, text.length);
      }
    }
    if (plan.ending.type === "break") return;
    yield chunk({}, FINISH_REASONS[plan.ending.reason]);
    if (answer.includeUsage) {
      const head = headOf(answer, "chat.completion.chunk");
      yield event(undefined, { ...head, choices: [], usage: usageOf(answer.usage) });
    }
    yield { text: "data: [DONE]\n\n", characters: 0 };
  },

  errorFrame(fault) {
    const message = fault.message ?? "The server is overloaded, please try again later";
    const error = { message, type: "server_error", param: null, code: "overloaded" };
    return event(undefined, { error }).text;
  },

  unstreamed(plan, answer) {
    const textOfType = (type: "say" | "think"): string =>
      plan.pieces.flatMap((piece) => (piece.type === type ? [piece.text] : [])).join("\n\n");
    const calls = plan.pieces.flatMap((piece) =>
      piece.type === "call"
        ? [
            {
              id: `call_${piece.id}`,
              type: "function",
              function: { name: piece.tool, arguments: piece.json },
            },
          ]
        : [],
    );
    const thought = textOfType("think");
    const message = {
      role: "assistant",
      content: textOfType("say") || null,
      reasoning_content: thought === "" ? undefined : thought,
      tool_calls: calls.length === 0 ? undefined : calls,
    };
    const finish = FINISH_REASONS[plan.ending.type === "finish" ? plan.ending.reason : "length"];
    return {
      ...headOf(answer, "chat.completion"),
      choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
      usage: usageOf(answer.usage),
    };
  },

  refusal: openaiRefusal,
};

const FINISH_REASONS: Record<FinishReason, string> = {
  stop: "stop",
  "tool-calls": "tool_calls",
  length: "length",
  filter: "content_filter",
};

function readMessage(message: Record<string, unknown>): Entry[] {
  const text = contentText(message["content"]);
  switch (message["role"]) {
    case "system":
    case "developer":
      return [{ by: "system", text }];
    case "tool":
      return [{ by: "tool", text }];
    case "assistant":
      return [
        { by: "assistant", text },
        ...listOf(message["tool_calls"]).map((call): Entry => {
          return { by: "assistant", text: textOf(recordOf(call["function"])["arguments"]) };
        }),
      ];
    default:
      return [{ by: "user", text }];
  }
}

function deltaOf(piece: Piece, index: number, text: string): object {
  if (piece.type === "call") return { tool_calls: [{ index, function: { arguments: text } }] };
  return piece.type === "think" ? { reasoning_content: text } : { content: text };
}

function headOf(answer: AnswerFacts, object: string): Record<string, unknown> {
  return { id: `chatcmpl-${answer.id}`, object, created: answer.createdAt, model: answer.model };
}

function usageOf(usage: TokenCount): Record<string, unknown> {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}
