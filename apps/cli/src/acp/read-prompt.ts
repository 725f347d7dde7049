import type { ContentBlock } from "@agentclientprotocol/sdk";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** What a person said in their editor. */
export interface Said {
  text: string;
  /** As base64. */
  pictures: string[];
}

/** Files of the folder that it points at become mentions, which Treadle reads as they stand. */
export function readPrompt(blocks: readonly ContentBlock[], folder: string): Said {
  const words: string[] = [];
  const pictures: string[] = [];
  for (const block of blocks) {
    if (block.type === "text") words.push(block.text);
    else if (block.type === "image") pictures.push(block.data);
    else if (block.type === "resource_link") words.push(mentionOf(block.uri, folder) ?? block.uri);
    else if (block.type === "resource") {
      const { resource } = block;
      const mention = mentionOf(resource.uri, folder);
      if (mention) words.push(mention);
      else if ("text" in resource) words.push(`\n${resource.uri}:\n${resource.text}\n`);
    }
  }
  return { text: words.join("").trim(), pictures };
}

/** `@src/App.tsx:3-9` for a file below the folder, with the lines that the address may name. */
function mentionOf(uri: string, folder: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  if (url.protocol !== "file:" || url.host !== "") return undefined;
  const path = relative(folder, fileURLToPath(`file://${url.pathname}`));
  if (path === "" || path.startsWith("..")) return undefined;
  const [, from, to] = /^#L(\d+)(?::(\d+))?/.exec(url.hash) ?? [];
  return `@${path}${from ? `:${from}-${to ?? from}` : ""}`;
}
