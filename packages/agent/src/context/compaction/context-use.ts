import type { ContextKind, ContextUse } from "@treadle/protocol";
import type { UIMessage } from "ai";
import { shownPictures } from "../conversation/page-pictures.ts";
import { addCharacters, PICTURE_CHARACTERS, tokensOfCharacters } from "./measure.ts";

/**
 * What the next request of a run holds, by kind. Only estimated: what is counted is the provider's.
 * @param fixed characters of what stands before the conversation
 * @param saidTokens of an answer that it is to go on with
 */
export function contextUse(
  fixed: ReadonlyMap<ContextKind, number>,
  shown: readonly UIMessage[],
  { contextWindow, withPictures }: { contextWindow?: number | undefined; withPictures: boolean },
  saidTokens = 0,
): ContextUse {
  const characters = new Map(fixed);
  for (const message of shown) addCharacters(characters, message);
  if (withPictures)
    characters.set(
      "pictures",
      (characters.get("pictures") ?? 0) + shownPictures(shown).size * PICTURE_CHARACTERS,
    );
  const parts: ContextUse["parts"] = {};
  for (const [kind, count] of characters) if (count > 0) parts[kind] = tokensOfCharacters(count);
  if (saidTokens > 0) parts.conversation = (parts.conversation ?? 0) + saidTokens;
  return { parts, ...(contextWindow === undefined ? {} : { window: contextWindow }) };
}
