import type { Store } from "@treadle/store";
import type { AttemptProject } from "./ports.ts";

/** A part of a message of the AI SDK, of which only the text is read here. */
interface TextPart {
  type: string;
  text: string;
}

/** Maximum length of a request's text, in characters. */
const MAX_NAME_CHARS = 120;

/**
 * The texts of requests whose runs changed a project since a checkpoint, oldest first.
 * @param isMeant whether a change, from one checkpoint to the next, makes its request one of them; absent: each does
 */
export async function requestsSince(
  store: Store,
  { id, view }: Pick<AttemptProject, "id" | "view">,
  since: string,
  isMeant?: (before: string, after: string) => Promise<boolean>,
): Promise<string[]> {
  const saved = view.checkpoints.filter(({ thinned }) => !thinned);
  const from = saved.findIndex(({ checkpoint }) => checkpoint === since);
  const runs = new Set<string>();
  for (const [index, { checkpoint, run }] of saved.entries()) {
    if (index <= from || run === undefined || runs.has(run)) continue;
    const before = saved[index - 1]?.checkpoint;
    if (before === undefined) continue;
    if (!isMeant || (await isMeant(before, checkpoint))) runs.add(run);
  }
  const messages = await store.messages.list(id);
  return [...runs].flatMap((run) => {
    const name = [...view.said].find(([, message]) => message.run === run)?.[0];
    const parts = messages.find((one) => one.id === name)?.parts as TextPart[] | undefined;
    const text = parts
      ?.flatMap((part) => (part.type === "text" ? [part.text] : []))
      .join(" ")
      .replace(/\s+/g, " ")
      .trim();
    if (!text) return [];
    return [text.length > MAX_NAME_CHARS ? `${text.slice(0, MAX_NAME_CHARS)}…` : text];
  });
}
