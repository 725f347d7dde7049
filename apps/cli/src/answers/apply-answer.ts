import { applyEdits, type Edit } from "@treadle/dialects";
import { judgeWrite, whyLeftOut } from "@treadle/agent/proposals";
import { hasFolder, placeFile, readPlaced, removeFile } from "../folders/place-file.ts";

/** A change of a file in a saved answer, in order. */
export type AnswerChange =
  /** `by`: how prose named the file; absent for a change in the answer's own format. */
  | { type: "write"; path: string; content: string; by?: "label" | "sentence" | "content" }
  | { type: "delete"; path: string }
  | { type: "edit"; path: string; edits: readonly Edit[] };

/**
 * Applies one change of a saved answer under `target`, by the same rules as a run. A change found in prose is applied
 * only if it is complete and safe, and a file only if its content has no placeholder for omitted code.
 * @returns the reason why it was not applied, as a sentence
 */
export async function applyChange(
  target: string,
  change: AnswerChange,
): Promise<string | undefined> {
  const { path } = change;
  if (change.type === "delete") return removeFile(target, path);
  const now = await readPlaced(target, path);
  if ("problem" in now) return now.problem;
  const { text } = now;
  if (change.type === "edit") return edit(target, path, text, change.edits);
  const { content, by } = change;
  if (by === undefined) {
    const leftOut = text ? await whyLeftOut(path, content, text) : undefined;
    return leftOut ?? placeFile(target, { path, content });
  }
  const ruling = await judgeWrite(
    { path, content, by },
    { before: text, hasFolder: () => hasFolder(target, path) },
  );
  if (ruling.go === "refuse") return ruling.why;
  if (ruling.go === "edit") return edit(target, path, text, ruling.edits);
  return placeFile(target, { path, content });
}

async function edit(
  target: string,
  path: string,
  text: string | undefined | null,
  edits: readonly Edit[],
): Promise<string | undefined> {
  if (text === undefined) return "there is no such file to edit";
  if (text === null) return "it is no text, or too large to be edited";
  const result = applyEdits(text, edits);
  if (result.ok) return placeFile(target, { path, content: result.content });
  const [failure] = result.failures;
  return `edit ${(failure?.edit ?? 0) + 1} does not fit: ${failure?.message ?? ""}`;
}
