import type { UIMessage } from "ai";
import type { Model } from "../../ports/model.ts";
import { shownConversation } from "./shown-conversation.ts";
import { withoutPictures } from "./without-pictures.ts";

/** The conversation as a model is shown it. */
export function shownTo(
  { seesPictures }: Pick<Model, "seesPictures">,
  messages: readonly UIMessage[],
): UIMessage[] {
  const shown = shownConversation(messages);
  return seesPictures === false ? withoutPictures(shown) : shown;
}
