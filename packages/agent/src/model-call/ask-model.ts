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

/**
 * Number of messages that are marked for providers that only cache marked prefixes: the system prompt and the last two
 * user messages.
 */
const MARKED_MESSAGES = 2;

/** The built-in tools, without `execute`: the loop runs the calls itself. */
const TOOL_SET: ToolSet = Object.fromEntries(
  ALL_TOOLS.map(({ name, description, input }) => [
    name,
    tool({ description, inputSchema: toolSchema(input) }),
  ]),
);

/** The built-in tools and those of external servers, with the schemas that the servers gave. */
function toolSet(foreign: readonly ForeignTool[]): ToolSet {
  if (foreign.length === 0) return TOOL_SET;
  const theirs = foreign.map(({ name, description, schema, input }) => [
    name,
    tool({ description, inputSchema: toolSchema(input, schema) }),
  ]);
  return { ...TOOL_SET, ...(Object.fromEntries(theirs) as ToolSet) };
}

/** Requests the next answer of the model, or the rest of a cut one. Errors are parts of the stream. */
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
    // Most providers reject a temperature together with thinking.
    temperature: spoken.sendsTemperature && !thinks ? 0 : undefined,
    ...thinking.call,
    maxOutputTokens,
    // The provider stores nothing of the conversation; the messages contain all that it needs back.
    providerOptions: {
      ...cache.request,
      openai: { ...cache.request["openai"], store: false },
      ...thinking.providerOptions,
      ...(isRest ? ASKS_TO_GO_ON : {}),
    },
    abortSignal: signal,
    // By default, the library would request addresses that a conversation names.
    experimental_download: async (addresses) => addresses.map(() => null),
    // Without a handler, the library prints errors; they are read from the stream.
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
