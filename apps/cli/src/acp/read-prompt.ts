import type { ContentBlock } from "@agentclientprotocol/sdk";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { writeMention } from "@treadle/protocol/mentions";

/** A person's message in their editor. */
export interface Said {
  text: string;
  /** As base64. */
  pictures: string[];
}

/** Converts links to files of the folder into mentions, which Treadle resolves itself. */
export function readPrompt(blocks: readonly ContentBlock[], folder: string): Said {
  let text = "";
  const pictures: string[] = [];
  /** Whether the last part was a mention, which is separated from adjacent words. */
  let afterMention = false;
  const append = (words: string, isMention = false) => {
    const apart = isMention
      ? /[^\s([{<]$/.test(text)
      : afterMention && /^[\p{L}\p{N}]/u.test(words);
    text += `${apart ? " " : ""}${words}`;
    afterMention = isMention;
  };
  for (const block of blocks) {
    if (block.type === "text") append(block.text);
    else if (block.type === "image") pictures.push(block.data);
    else if (block.type === "resource_link" || block.type === "resource") {
      const { uri, ...resource } = block.type === "resource" ? block.resource : block;
      const mention = mentionOf(uri, folder);
      if (mention) append(mention, true);
      else if (block.type === "resource_link") append(uri);
      else if ("text" in resource) append(`\n${uri}:\n${resource.text}\n`);
    }
  }
  return { text: text.trim(), pictures };
}

/**
 * `@src/App.tsx:3-9` for a file below the folder, with lines if the address has them; `@src/` for a
 * folder.
 */
function mentionOf(uri: string, folder: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  if (url.protocol !== "file:" || url.host !== "") return undefined;
  const place = placeOf(url.pathname);
  const path = place === undefined ? "" : relative(folder, place);
  if (path === "" || path.startsWith("..")) return undefined;
  const mention = writeMention(url.pathname.endsWith("/") ? `${path}/` : path);
  const [, from, to] = /^#L(\d+)(?::(\d+))?/.exec(url.hash) ?? [];
  return mention && `${mention}${from ? `:${from}-${to ?? from}` : ""}`;
}

/** The path of a file address, or undefined if a part contains an escaped slash or an invalid escape. */
function placeOf(pathname: string): string | undefined {
  try {
    return fileURLToPath(`file://${pathname}`);
  } catch {
    return undefined;
  }
}
