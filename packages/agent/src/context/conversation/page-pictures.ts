import type { FilePart, ModelMessage } from "ai";
import type { UIMessage } from "ai";
import { isToolUIPart } from "ai";
import type { Picture, PicturePort } from "../../ports/pictures.ts";

/**
 * Number of pictures that stay in the conversation. One more drops all of them, which changes the
 * prefix least often.
 */
const SHOWN = 4;

const WORDS = "The page as it looked:";

const SAME = "The page looks as in the picture before.";

/** Metadata with a call's picture, beside the provider's own. */
export const pictureMetadata = (picture: Picture) => ({ treadle: { picture: { ...picture } } });

const PART = "data-picture";

/**
 * A part that stands for a page picture beside its description. The bytes are inserted as long as the picture is shown.
 */
export const picturePart = (picture: Picture) => ({ type: PART, data: { ...picture } }) as const;

/** The parts for a picture; one that the conversation still shows is not sent again. */
export function pictureParts(picture: Picture, messages: readonly UIMessage[]): UIMessage["parts"] {
  const shown = [...shownPictures(messages).values()].some(({ hash }) => hash === picture.hash);
  return [shown ? { type: "text", text: SAME, state: "done" } : picturePart(picture)];
}

/** Pictures still shown, by the id of their call, or of the message with the evidence. */
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
 * Inserts pictures into the results of their calls, or into a message after them if the provider's
 * results are text only (Chat Completions, and the text dialects). Missing pictures are left out.
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

/**
 * Inserts the pictures of evidence messages. Missing ones, and those no longer shown, are left out.
 */
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

/** Whether the provider accepts pictures in tool results. */
export const takesPicturesInResults = (provider: string) =>
  /^anthropic\b|\.responses$/.test(provider);
