import { CHECKS_FILE, parseChecks } from "@treadle/protocol/checks";
import { isSameCheck } from "@treadle/protocol/evidence";
import { FileConflict, listFiles, readFile, writeFile } from "../api/files.ts";
import { CHECKS_HEAD } from "../evidence/use-checks-file.ts";

/**
 * Why a check was not added: the file already has one of that name, or cannot be edited, or would not parse the new
 * text as a check (for example after an unclosed code block).
 */
export type Refusal = "same-name" | "not-read";

/**
 * Returns the checks file with one more check at its end, otherwise unchanged.
 * @param text undefined if the file does not exist
 * @param body the text below the heading: the steps as a list
 */
export function withCheck(
  text: string | undefined,
  name: string,
  body: string,
): string | { refused: Refusal } {
  const before = text ?? CHECKS_HEAD;
  if (parseChecks(before).checks.some((check) => isSameCheck(check.name, name)))
    return { refused: "same-name" };
  const end = before.includes("\r\n") ? "\r\n" : "\n";
  const lines = [`## ${name}`, ...body.trim().split(/\r?\n/), ""];
  const gap =
    before === "" || /\n\r?\n$/.test(before) ? "" : before.endsWith("\n") ? end : end + end;
  const after = before + gap + lines.join(end);
  const [was, is] = [parseChecks(before), parseChecks(after)];
  const isOneMore = is.checks.length === was.checks.length + 1;
  const isRead = isOneMore && is.problems.length <= was.problems.length;
  return isRead && is.checks.at(-1)?.name === name ? after : { refused: "not-read" };
}

/**
 * Adds a check to the project's checks file, creating it if needed.
 * @returns why it was not added; undefined on success
 * @throws ApiFailure, or FileConflict if someone else changed the file twice meanwhile
 */
export async function appendCheck(
  project: string,
  name: string,
  body: string,
): Promise<Refusal | undefined> {
  for (let again = false; ; again = true) {
    const isThere = (await listFiles(project)).some(({ path }) => path === CHECKS_FILE);
    const file = isThere ? await readFile(project, CHECKS_FILE) : undefined;
    // A file that is not text, or too long to read, is not overwritten.
    if (file && file.text === undefined) return "not-read";
    const next = withCheck(file?.text, name, body);
    if (typeof next !== "string") return next.refused;
    try {
      await writeFile(project, CHECKS_FILE, next, file?.version);
      return undefined;
    } catch (error) {
      if (again || !(error instanceof FileConflict)) throw error;
    }
  }
}
