import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import { isRecord } from "../../text/is-record.ts";
import { callIdForm, distinctId } from "../../context/conversation/call-ids.ts";
import { cleanValue } from "../../text/json-value.ts";

/** Tool names that every provider accepts, also in the history. */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const NAME_CHARACTERS = 64;
/** Replaces empty content: providers reject a message without content. */
const EMPTY = "(empty)";

/**
 * Cleans a prompt so that no provider rejects it for its form, whatever a model, a tool or an older Treadle left in the
 * conversation: text is well formed, call ids are unique and match their results, tool names have valid characters,
 * arguments are objects of limited depth, and no message is empty. Metadata that a provider needs back (signatures,
 * item ids) stays unchanged.
 */
export function cleanPrompt(
  prompt: LanguageModelV4Prompt,
  provider: string,
): LanguageModelV4Prompt {
  const form = callIdForm(provider);
  const used = new Set<string>();
  /** Ids sent for calls that have no result yet, by the id in the conversation, oldest first. */
  const unanswered = new Map<string, string[]>();

  const call = (part: LanguageModelV4ToolCallPart): LanguageModelV4ToolCallPart => {
    const toolCallId = distinctId(part.toolCallId, used, form);
    const waiting = unanswered.get(part.toolCallId);
    if (waiting) waiting.push(toolCallId);
    else unanswered.set(part.toolCallId, [toolCallId]);
    const input = isRecord(part.input) ? part.input : {};
    const name = toolName(part.toolName);
    const isSame = toolCallId === part.toolCallId && name === part.toolName && input === part.input;
    return isSame ? part : { ...part, toolCallId, toolName: name, input };
  };
  const result = (part: LanguageModelV4ToolResultPart): LanguageModelV4ToolResultPart => {
    const toolCallId = unanswered.get(part.toolCallId)?.shift() ?? part.toolCallId;
    const name = toolName(part.toolName);
    const isSame = toolCallId === part.toolCallId && name === part.toolName;
    return isSame ? part : { ...part, toolCallId, toolName: name };
  };

  return prompt.flatMap((message): LanguageModelV4Message[] => {
    const clean = cleanValue(message);
    switch (clean.role) {
      case "system":
        return [clean];
      case "user": {
        const content = clean.content.filter(isSaid);
        return [{ ...clean, content: content.length > 0 ? content : [textPart(EMPTY)] }];
      }
      case "assistant": {
        const content = clean.content.filter(isSaid).map((part): typeof part => {
          if (part.type === "tool-call") return call(part);
          return part.type === "tool-result" ? result(part) : part;
        });
        return content.length > 0 ? [{ ...clean, content }] : [];
      }
      case "tool":
        return [
          {
            ...clean,
            content: clean.content.map((part) =>
              part.type === "tool-result" ? result(part) : part,
            ),
          },
        ];
    }
  });
}

const textPart = (text: string) => ({ type: "text" as const, text });

/** Whether a part has content: Anthropic rejects blank text. */
function isSaid(part: { type: string; text?: string; providerOptions?: unknown }): boolean {
  return part.type !== "text" || part.text?.trim() !== "";
}

function toolName(name: string): string {
  if (NAME.test(name)) return name;
  const plain = name.replaceAll(/[^A-Za-z0-9_-]+/g, "_");
  return (/^[A-Za-z_]/.test(plain) ? plain : `_${plain}`).slice(0, NAME_CHARACTERS);
}
