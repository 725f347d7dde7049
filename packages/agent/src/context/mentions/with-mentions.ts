import type { ProjectPath } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import type { UIMessage } from "ai";
import { abortable } from "../../async/waiting.ts";
import type { Browser } from "../../ports/browser.ts";
import type { RunScope } from "../../ports/run-scope.ts";
import { resolveMentions } from "./resolve-mentions.ts";
import type { MentionSources, MentionsData } from "./types.ts";

const TYPE = "data-mentions";

/** The sources from which mentions are resolved. */
export interface MentionedFrom {
  workspace: Workspace;
  browser?: Browser | undefined;
  mentioned?: MentionSources | undefined;
  /** The version of each file that the model last saw. */
  seen: Map<ProjectPath, string>;
}

/**
 * Appends the content of its mentions to the person's message, saved so that the history stays the
 * same. The person is told what was found and what was not. Rejects only when the run is aborted.
 */
export async function withMentions(
  message: UIMessage,
  { workspace, browser, mentioned, seen }: MentionedFrom,
  { run, signal, clock, emit }: RunScope,
): Promise<UIMessage> {
  const text = message.parts
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n");
  if (!text.includes("@")) return message;
  const work = resolveMentions(text, {
    workspace,
    signal,
    sources: mentioned,
    now: () => clock.now(),
    read: (path, version) => void seen.set(path, version),
    usePage: browser?.use ? (use) => browser.use!(use) : undefined,
  });
  const data = await abortable(work, signal);
  if (!data) return message;
  emit({ type: "mentioned", run, message: message.id, items: data.items });
  return { ...message, parts: [...message.parts, { type: TYPE, data }] };
}

/** The text of mentions for the model; undefined if the part is of another type. */
export function tellMentions(part: { type: string; data: unknown }): string | undefined {
  return part.type === TYPE ? (part.data as MentionsData).text : undefined;
}
