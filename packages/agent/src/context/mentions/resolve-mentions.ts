import type { MentionedItem } from "@treadle/protocol";
import { parseMentions, type Mention } from "@treadle/protocol/mentions";
import { clipLine, clipMiddle } from "../../text/clip.ts";
import { fence } from "../../text/fence.ts";
import { prose } from "../../text/prose.ts";
import { visibleText } from "@treadle/protocol/safe-text";
import { ALL_MENTIONED, MENTIONS } from "./limits.ts";
import { mentionedCheckpoint, mentionedDiff } from "./mentioned-changes.ts";
import { mentionedPath } from "./mentioned-path.ts";
import { mentionedPreview, mentionedProblems, mentionedTerminal } from "./mentioned-state.ts";
import { mentionedUrl } from "./mentioned-url.ts";
import type { MentionContext, MentionsData, ResolvedMention, ResolveMention } from "./types.ts";

/**
 * A resource of a tool server: a third party's text, already limited and with invisible characters
 * escaped.
 */
const mentionedResource: ResolveMention<"resource"> = async ({ server, uri }, context) => {
  const answer = await context.sources?.resource?.(server, uri, context.signal);
  if (!answer) return { ok: false, said: "tool servers cannot be read here" };
  if (!answer.ok) return { ok: false, said: answer.text };
  if (answer.text === "") return { ok: false, said: `${server} answered nothing` };
  return { ok: true, said: `as ${server} answers it`, content: answer.text };
};

const INTRODUCTION = prose(new URL("./mentions.md", import.meta.url));

/**
 * Resolves a message's mentions in order, each once. Failures are in the result with their reasons;
 * nothing is dropped silently. Undefined if there are no mentions. Rejects only when it is aborted.
 */
export async function resolveMentions(
  message: string,
  context: MentionContext,
): Promise<MentionsData | undefined> {
  const mentions = [...new Map(parseMentions(message).map((one) => [one.text, one])).values()];
  const items: MentionedItem[] = [];
  const texts: string[] = [];
  let left = ALL_MENTIONED;
  for (const mention of mentions) {
    const found: ResolvedMention =
      items.length >= MENTIONS
        ? { ok: false, said: `more than ${MENTIONS} in one message are not read` }
        : left <= 0
          ? { ok: false, said: "the mentions before it filled the space" }
          : await resolved(mention, context);
    if (!found) continue;
    const { ok, said: message, path } = found;
    const at = path === undefined ? {} : { path };
    const item = { text: mention.text, kind: mention.kind, ...at, ok };
    const name = clipLine(visibleText(mention.text), 300);
    if (!found.ok) {
      items.push({ ...item, said: clipLine(visibleText(message), 300) });
      texts.push(`${name} could not be given: ${visibleText(message)}`);
      continue;
    }
    const content = clipMiddle(found.content, left);
    const cut = content.length < found.content.length ? ", cut" : "";
    left -= content.length;
    items.push({ ...item, said: clipLine(visibleText(message), 300) + cut });
    texts.push(`${name} (${visibleText(message)}${cut}):\n${fence("mentioned", content)}`);
  }
  if (items.length === 0) return undefined;
  return { items, text: [INTRODUCTION, ...texts].join("\n\n") };
}

async function resolved(mention: Mention, context: MentionContext): Promise<ResolvedMention> {
  try {
    switch (mention.kind) {
      case "path":
        return await mentionedPath(mention, context);
      case "url":
        return await mentionedUrl(mention, context);
      case "resource":
        return await mentionedResource(mention, context);
      case "problems":
        return await mentionedProblems(mention, context);
      case "terminal":
        return await mentionedTerminal(mention, context);
      case "preview":
        return await mentionedPreview(mention, context);
      case "diff":
        return await mentionedDiff(mention, context);
      case "checkpoint":
        return await mentionedCheckpoint(mention, context);
    }
  } catch (error) {
    context.signal.throwIfAborted();
    return { ok: false, said: error instanceof Error ? error.message : String(error) };
  }
}
