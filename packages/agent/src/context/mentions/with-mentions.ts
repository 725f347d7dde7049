import type { UIMessage } from "ai";
import { abortable } from "../../async/abortable.ts";
import type { Run } from "../../loop/state.ts";
import { resolveMentions } from "./resolve-mentions.ts";
import type { MentionsData } from "./types.ts";

const TYPE = "data-mentions";

/**
 * The person's message with what it points at behind it, kept so that the history stays the same; what was found and
 * what was not is told to the person too. Rejects only when the run is aborted.
 */
export async function withMentions(run: Run, message: UIMessage): Promise<UIMessage> {
  const { workspace, looker, mentioned, clock } = run.ports;
  const text = message.parts
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n");
  if (!text.includes("@")) return message;
  const work = resolveMentions(text, {
    workspace,
    signal: run.signal,
    sources: mentioned,
    now: () => clock.now(),
    read: (path, version) => void run.seen.set(path, version),
    ...(looker?.use ? { usePage: (use) => looker.use!(use) } : {}),
  });
  const data = await abortable(work, run.signal);
  if (!data) return message;
  run.emit({
    type: "mentioned",
    run: run.request.run,
    message: message.id,
    items: data.items,
  });
  return { ...message, parts: [...message.parts, { type: TYPE, data }] };
}

/** A part of such a message as the model reads it; undefined for any other part. */
export function tellMentions(part: { type: string; data: unknown }): string | undefined {
  return part.type === TYPE ? (part.data as MentionsData).text : undefined;
}
