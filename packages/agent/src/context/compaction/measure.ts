import type { ContextKind, ContextUse } from "@treadle/protocol";
import { isForeignTool, toolEntry } from "@treadle/protocol/tools";
import type { Model } from "../../ports/model.ts";
import { getToolName, isToolUIPart, type UIMessage } from "ai";
import { tellDataPart } from "../parts/data-parts.ts";
import { pictureTokens, sizeInAddress, type PictureSize } from "./picture-tokens.ts";
import { shownPictures } from "../conversation/page-pictures.ts";

/** Used for estimates where the provider has not counted tokens. */
const CHARACTERS_PER_TOKEN = 4;
/** The character equivalent of a picture's tokens at the model's provider. */
const pictureCharacters = (size: PictureSize | undefined, model: string) =>
  pictureTokens(size, model) * CHARACTERS_PER_TOKEN;

type Part = UIMessage["parts"][number];

/** Adds the characters that a message contributes to a request, by kind. */
export function addCharacters(
  to: Map<ContextKind, number>,
  { parts, metadata }: Pick<UIMessage, "parts" | "metadata">,
  model = "",
): void {
  const add = (kind: ContextKind, characters: number) =>
    to.set(kind, (to.get(kind) ?? 0) + characters);
  const { kind: note } = (metadata ?? {}) as { kind?: unknown };
  for (const part of parts) {
    if (part.type === "text")
      add(note === "evidence" ? "evidence" : "conversation", part.text.length);
    else if (part.type === "reasoning") add("conversation", part.text.length);
    else if (part.type === "file")
      add("pictures", pictureCharacters(sizeInAddress(part.url), model));
    else if (isToolUIPart(part)) {
      const tool = getToolName(part);
      add(isForeignTool(tool) ? "mcp" : "conversation", JSON.stringify(part.input ?? {}).length);
      add(kindOfResult(tool), resultOf(part).length);
    } else if (part.type.startsWith("data-")) add(kindOfData(part.type), dataText(part).length);
  }
}

/**
 * Estimates the tokens of messages.
 * @param model `provider:model`, which decides the cost of pictures
 */
export function tokensOf(
  messages: readonly Pick<UIMessage, "parts" | "metadata">[],
  model = "",
): number {
  const characters = new Map<ContextKind, number>();
  for (const message of messages) addCharacters(characters, message, model);
  return tokensOfCharacters([...characters.values()].reduce((sum, count) => sum + count, 0));
}

/**
 * Estimates the tokens of a conversation as the model sees it, including page pictures if it
 * accepts any.
 */
export function shownTokens(
  messages: readonly UIMessage[],
  { id, seesPictures }: Pick<Model, "id" | "seesPictures">,
): number {
  const pages = seesPictures === true ? shownPictures(messages).size : 0;
  return tokensOf(messages, id) + pages * pictureTokens(undefined, id);
}

export function tokensOfCharacters(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

function resultOf(part: Part): string {
  if (!isToolUIPart(part)) return "";
  if (part.state === "output-available") return String(part.output);
  return part.state === "output-error" ? part.errorText : "";
}

function kindOfResult(tool: string): ContextKind {
  // Calls of unknown tools are answered with an error message.
  const entry = toolEntry(tool);
  if (entry?.result) return entry.result;
  return entry?.kind === "looks" ? "evidence" : isForeignTool(tool) ? "mcp" : "results";
}

function kindOfData(type: string): ContextKind {
  if (type === "data-briefing") return "rules";
  return type === "data-mentions" ? "files" : "conversation";
}

/** The text of a data part; in most dialects it is the same. */
function dataText(part: Part): string {
  return tellDataPart(part as { type: string; data: unknown }, "native")?.text ?? "";
}

/**
 * Estimates the contents of the run's next request, by kind. The provider's own count is
 * authoritative.
 * @param fixed characters before the conversation
 * @param saidTokens tokens of a partial answer that the request continues
 */
export function contextUse(
  fixed: ReadonlyMap<ContextKind, number>,
  shown: readonly UIMessage[],
  {
    contextWindow,
    withPictures,
    model,
  }: { contextWindow?: number | undefined; withPictures: boolean; model?: string },
  saidTokens = 0,
): ContextUse {
  const characters = new Map(fixed);
  for (const message of shown) addCharacters(characters, message, model);
  if (withPictures)
    characters.set(
      "pictures",
      (characters.get("pictures") ?? 0) +
        shownPictures(shown).size * pictureCharacters(undefined, model ?? ""),
    );
  const parts: ContextUse["parts"] = {};
  for (const [kind, count] of characters) if (count > 0) parts[kind] = tokensOfCharacters(count);
  if (saidTokens > 0) parts.conversation = (parts.conversation ?? 0) + saidTokens;
  return { parts, window: contextWindow };
}
