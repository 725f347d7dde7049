import "../models/quiet.ts";
import {
  convertToModelMessages,
  isStepCount,
  streamText,
  tool,
  type ModelMessage,
  type TextStreamPart,
  type ToolSet,
} from "ai";
import { withoutForeign } from "../context/conversation/foreign-parts.ts";
import {
  shownPictures,
  takesPicturesInResults,
  withPagePictures,
  withToldPictures,
} from "../context/conversation/page-pictures.ts";
import { shownTo } from "../context/conversation/shown-conversation.ts";
import { ASKS_TO_GO_ON } from "../dialects/go-on/go-on.ts";
import { ALL_TOOLS } from "../tools/all-tools.ts";
import { toolSchema } from "../tools/tool.ts";
import { systemPrompt } from "../context/prompt/system-prompt.ts";
import { tellDataPart } from "../context/parts/data-parts.ts";
import type { ForeignTool } from "../tools/foreign-tools.ts";
import { cacheOptions, type CacheOptions } from "../models/prompt-cache.ts";
import { thinkingOptions } from "../models/thinking.ts";
import type { ModelRequest } from "./model-request.ts";

/** Where the provider caches a prefix only if it is marked: after the system prompt and the last two user messages. */
const MARKED_MESSAGES = 2;

/** Without `execute`: the loop runs the calls itself. */
const TOOL_SET: ToolSet = Object.fromEntries(
  ALL_TOOLS.map(({ name, description, input }) => [
    name,
    tool({ description, inputSchema: toolSchema(input) }),
  ]),
);

/** The same for tools of foreign servers, with the schemas that they gave. */
function toolSet(foreign: readonly ForeignTool[]): ToolSet {
  if (foreign.length === 0) return TOOL_SET;
  const theirs = foreign.map(({ name, description, schema, input }) => [
    name,
    tool({ description, inputSchema: toolSchema(input, schema) }),
  ]);
  return { ...TOOL_SET, ...(Object.fromEntries(theirs) as ToolSet) };
}

/** One model call over the conversation so far, or for the rest of a cut answer. Errors come out of the stream. */
export async function askModel(
  { model: spoken, fit, foreign, pictures }: ModelRequest,
  isRest: boolean,
  signal: AbortSignal,
): Promise<ReadableStream<TextStreamPart<ToolSet>>> {
  const { model, dialect } = spoken;
  const tools = toolSet(foreign);
  const shown = withoutForeign(shownTo(model, fit.conversation.messages), model.id).filter(
    ({ parts }) => parts.length > 0,
  );
  const looked = pictures && model.seesPictures ? shownPictures(shown) : undefined;
  const texts = pictures && looked ? await withToldPictures(shown, looked, pictures) : shown;
  const messages = await convertToModelMessages(texts, {
    tools,
    convertDataPart: (part) => tellDataPart(part, dialect),
  });
  const inResults = dialect === "native" && takesPicturesInResults(model.languageModel.provider);
  const seen =
    pictures && looked
      ? // What the model itself looked at.
        await withPagePictures(messages, looked, pictures, inResults)
      : messages;
  const { maxOutputTokens } = model;
  const level = spoken.sendsThinking ? model.thinking : undefined;
  const thinks = level !== undefined && level !== "off";
  const thinking = thinkingOptions(level);
  const cache = cacheOptions(model);
  const { stream } = streamText({
    model: spoken.languageModel,
    instructions: { role: "system", content: systemPrompt(dialect), providerOptions: cache.mark },
    messages: markForCache(seen, cache),
    tools,
    stopWhen: isStepCount(1),
    maxRetries: 0,
    // Who thinks takes no temperature at most providers.
    temperature: spoken.sendsTemperature && !thinks ? 0 : undefined,
    ...thinking.call,
    maxOutputTokens,
    // The provider stores nothing of the conversation; what it needs back is in the messages.
    providerOptions: {
      ...cache.request,
      openai: { ...cache.request["openai"], store: false },
      ...thinking.providerOptions,
      ...(isRest ? ASKS_TO_GO_ON : {}),
    },
    abortSignal: signal,
    // Left to itself, the library asks addresses that a conversation names.
    experimental_download: async (addresses) => addresses.map(() => null),
    // The library prints errors unless it is given something to do with them; they are read from the stream.
    onError: () => {},
  });
  return stream;
}

function markForCache(messages: ModelMessage[], { mark }: CacheOptions): ModelMessage[] {
  if (!mark) return messages;
  let left = MARKED_MESSAGES;
  return messages
    .toReversed()
    .map((message) => {
      if (left === 0 || (message.role !== "user" && message.role !== "tool")) return message;
      left--;
      return { ...message, providerOptions: { ...message.providerOptions, ...mark } };
    })
    .toReversed();
}
