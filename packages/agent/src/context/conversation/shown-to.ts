import type { UIMessage } from "ai";
import type { Run } from "../../loop/state.ts";
import { shownConversation } from "./shown-conversation.ts";
import { withoutPictures } from "./without-pictures.ts";

/** The conversation as this run's model is shown it. */
export function shownTo({ messages, ports: { model } }: Run): UIMessage[] {
  const shown = shownConversation(messages);
  return model.seesPictures === false ? withoutPictures(shown) : shown;
}
