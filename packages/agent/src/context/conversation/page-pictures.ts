import type { FilePart, ModelMessage } from "ai";
import type { UIMessage } from "ai";
import { isToolUIPart } from "ai";
import type { Picture, PicturePort } from "../../ports/pictures.ts";

/** Pictures that stay before the model; when one more comes, all of them go at once: so the prefix stays the same longest. */
const SHOWN = 4;

const WORDS = "The page as it looked:";

const SAME = "The page looks as in the picture before.";

/** What a call's part keeps of its picture, beside what the provider wants back with it. */
export const pictureMetadata = (picture: Picture) => ({ treadle: { picture: { ...picture } } });

const PART = "data-picture";

/** A picture of the page beside what is told of it. Its bytes are put in where it is still shown. */
export const picturePart = (picture: Picture) => ({ type: PART, data: { ...picture } }) as const;

/** What is said of a picture to a conversation: one that it still shows is not sent again. */
export function pictureParts(picture: Picture, messages: readonly UIMessage[]): UIMessage["parts"] {
  const shown = [...shownPictures(messages).values()].some(({ hash }) => hash === picture.hash);
  return [shown ? { type: "text", text: SAME, state: "done" } : picturePart(picture)];
}

/** Pictures that are still shown, by the id of their call, or of the message that tells of the page. */
export function shownPictures(messages: readonly UIMessage[]): Map<string, Picture> {
  const all = messages.flatMap(({ id, parts }) =>
    parts.flatMap((part): [string, Picture][] => {
      if (part.type === PART) return [[id, (part as ReturnType<typeof picturePart>).data]];
      if (!isToolUIPart(part) || part.state !== "output-available") return [];
      const reference = part.callProviderMetadata?.["treadle"]?.["picture"];
      return reference === undefined ? [] : [[part.toolCallId, reference as unknown as Picture]];
    }),
  );
  const dropped = all.length === 0 ? 0 : Math.floor((all.length - 1) / SHOWN) * SHOWN;
  return new Map(all.slice(dropped));
}

type ShownFile = FilePart & { data: { type: "data"; data: Uint8Array } };

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
  const found = new Map<string, ShownFile>();
  for (const [call, { hash, mediaType }] of pictures) {
    const bytes = await read(hash);
    if (bytes) found.set(call, { type: "file", mediaType, data: { type: "data", data: bytes } });
  }
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role !== "tool") return [message];
    const after: FilePart[] = [];
    const content = message.content.map((part): typeof part => {
      const file = part.type === "tool-result" ? found.get(part.toolCallId) : undefined;
      if (!file || part.type !== "tool-result" || part.output.type !== "text") return part;
      if (inResults) {
        const text = { type: "text" as const, text: part.output.value };
        return { ...part, output: { type: "content", value: [text, file] } };
      }
      after.push(file);
      return part;
    });
    const withPicture: ModelMessage = { ...message, content };
    if (after.length === 0) return [withPicture];
    const words = { type: "text" as const, text: WORDS };
    return [withPicture, { role: "user", content: [words, ...after] }];
  });
}

/** Puts in the pictures of messages that tell of the page. One that is gone, or shown no more, is left out. */
export async function withToldPictures(
  messages: UIMessage[],
  pictures: ReadonlyMap<string, Picture>,
  { read }: PicturePort,
): Promise<UIMessage[]> {
  return Promise.all(
    messages.map(async (message) => {
      if (!message.parts.some(({ type }) => type === PART)) return message;
      const picture = pictures.get(message.id);
      const bytes = picture && (await read(picture.hash));
      const parts = message.parts.filter(({ type }) => type !== PART);
      if (picture && bytes) {
        const url = `data:${picture.mediaType};base64,${Buffer.from(bytes).toString("base64")}`;
        parts.push(
          { type: "text", text: WORDS },
          { type: "file", url, mediaType: picture.mediaType },
        );
      }
      return { ...message, parts };
    }),
  );
}

/** Whether the provider takes pictures in the results of calls. */
export const takesPicturesInResults = (provider: string) =>
  /^anthropic\b|\.responses$/.test(provider);
