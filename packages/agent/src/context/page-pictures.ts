import type { FilePart, ModelMessage } from "ai";
import type { UIMessage } from "ai";
import { isToolUIPart } from "ai";
import type { Picture, PicturePort } from "../types.ts";

/** Pictures that stay before the model; when one more comes, all of them go at once: so the prefix stays the same longest. */
const SHOWN = 4;

/** What a call's part keeps of its picture, beside what the provider wants back with it. */
export const pictureMetadata = (picture: Picture) => ({ treadle: { picture: { ...picture } } });

/** Pictures of calls that are still shown, by the id of their call. */
export function shownPictures(messages: readonly UIMessage[]): Map<string, Picture> {
  const all = messages.flatMap(({ parts }) =>
    parts.flatMap((part): [string, Picture][] => {
      if (!isToolUIPart(part) || part.state !== "output-available") return [];
      const kept = part.callProviderMetadata?.["treadle"]?.["picture"];
      return kept === undefined ? [] : [[part.toolCallId, kept as unknown as Picture]];
    }),
  );
  const dropped = all.length === 0 ? 0 : Math.floor((all.length - 1) / SHOWN) * SHOWN;
  return new Map(all.slice(dropped));
}

/**
 * Puts pictures into the results of their calls, or, where a provider's results are text only (Chat Completions, and the
 * dialects that are text themselves), into a message after them. A picture that is gone is left out.
 */
export async function withPagePictures(
  messages: ModelMessage[],
  pictures: ReadonlyMap<string, Picture>,
  { read }: PicturePort,
  inResults: boolean,
): Promise<ModelMessage[]> {
  if (pictures.size === 0) return messages;
  const found = new Map<string, FilePart>();
  for (const [call, { hash, mediaType }] of pictures) {
    const bytes = await read(hash);
    if (bytes) found.set(call, { type: "file", mediaType, data: { type: "data", data: bytes } });
  }
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role !== "tool") return [message];
    const after: FilePart[] = [];
    const content = message.content.map((part) => {
      const file = part.type === "tool-result" ? found.get(part.toolCallId) : undefined;
      if (!file || part.type !== "tool-result" || part.output.type !== "text") return part;
      if (inResults) {
        const { data, mediaType } = file;
        const text = { type: "text" as const, text: part.output.value };
        const value = [text, { type: "file" as const, data: data as never, mediaType }];
        return { ...part, output: { type: "content" as const, value } };
      }
      after.push(file);
      return part;
    });
    const told: ModelMessage = { ...message, content };
    if (after.length === 0) return [told];
    const words = { type: "text" as const, text: "The page as it looks:" };
    return [told, { role: "user", content: [words, ...after] }];
  });
}

/** Whether the provider takes pictures in the results of calls. */
export const takesPicturesInResults = (provider: string) =>
  /^anthropic\b|\.responses$/.test(provider);
