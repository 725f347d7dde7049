import { notFound } from "@treadle/common";
import type { Author, CommentAnchor, ElementAnchor, LineAnchor } from "@treadle/protocol";
import { followLine } from "@treadle/protocol/comments";
import { verdictOn, type CommentThread } from "@treadle/protocol/fold";
import { pointsOnlyAt, writeMention } from "@treadle/protocol/mentions";
import { visible } from "@treadle/protocol/safe-text";
import type { CommentedProject } from "./project-comments.ts";

/** Maximum number of threads in one message. */
export const SENT_THREADS = 50;
/** Characters of a revision that name it. */
const REVISION_CHARS = 8;

/**
 * Writes threads as one message to the model: of each the place and what everybody wrote. A line is mentioned, which
 * brings it along, and quoted only where it is gone; of a checkpoint its name, revision and verdict are told. In a thread
 * that was sent before, what is new is marked. What others than the sender wrote mentions nothing outside of the project's
 * files, because mentions are read with the sender's rights.
 * @throws ApiFailure 404 for an unknown thread
 */
export async function composeRequest(
  { view, read }: Pick<CommentedProject, "view" | "read">,
  threads: readonly string[],
  sender: Author | undefined,
): Promise<string> {
  const parts: string[] = [];
  for (const id of new Set(threads)) {
    const thread = view.comments.get(id);
    if (!thread) throw notFound("thread");
    const place = await placeWords(thread.anchor, { view, read });
    parts.push(`${place}\n\n${remarks(thread, sender)}`);
  }
  return ["Work on these comments:", ...parts].join("\n\n");
}

function remarks({ comments, sent }: CommentThread, sender: Author | undefined): string {
  return comments
    .filter(({ deleted }) => !deleted)
    .map(({ text, by, at, editedAt = at }) => {
      const named = by && comments.some((one) => one.by?.id !== sender?.id);
      const mark = sent && editedAt > sent.at ? "(new) " : "";
      const words = quoted(mark + (named ? `${visible(by.name)}: ${text}` : text));
      // Read as it will be: a fence that begins in a quotation ends nowhere.
      return by?.id === sender?.id ? words : pointsOnlyAt(words, "");
    })
    .join("\n>\n");
}

const quoted = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => `> ${line}`)
    .join("\n");

async function placeWords(
  anchor: CommentAnchor,
  { view, read }: Pick<CommentedProject, "view" | "read">,
): Promise<string> {
  switch (anchor.kind) {
    case "line":
      return lineWords(anchor, await read(anchor.path));
    case "element":
      return elementWords(anchor);
    case "checkpoint": {
      const mention = `The checkpoint @checkpoint:${anchor.checkpoint}`;
      const known = view.checkpoints.find(({ checkpoint }) => checkpoint === anchor.checkpoint);
      if (!known) return mention;
      const { name = known.label, revision } = known;
      const verdict = verdictOn(view, revision)?.verdict ?? "without a verdict";
      const shown = JSON.stringify(pointsOnlyAt(visible(name), ""));
      return `${mention} (${shown}, revision ${revision.slice(0, REVISION_CHARS)}, ${verdict})`;
    }
  }
}

function lineWords(
  anchor: LineAnchor,
  file: { content: string; version: string } | undefined,
): string {
  const { path, text, line: first } = anchor;
  const line = file && (file.version === anchor.version ? first : followLine(anchor, file.content));
  const mention = writeMention(path);
  if (line !== undefined && mention !== undefined) return `${mention}:${line}`;
  const where =
    line !== undefined
      ? `Line ${line} of ${visible(path)}`
      : `${mention ?? visible(path)}, where this line was line ${first} and is not any more`;
  return `${where}\n${fenced(text)}`;
}

/** Code in a fence that it cannot close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** The description comes from the app's own page, so it mentions nothing. */
function elementWords({ page, tag, label, text, source }: ElementAnchor): string {
  const plain = (words: string) => JSON.stringify(pointsOnlyAt(visible(words), ""));
  const says = text === "" ? "" : ` with the text ${plain(text)}`;
  const [, path, line] = /^(.+):(\d+)$/.exec(source ?? "") ?? [];
  const mention = path === undefined ? undefined : writeMention(path);
  const from = mention === undefined ? "" : `, written at ${mention}:${line}`;
  return `In the preview at ${plain(page)}, the element ${plain(label || tag)}${says}${from}`;
}
