import type { ProjectPath } from "@treadle/protocol";
import { holdsSecrets, isUnder, readProjectPath } from "@treadle/protocol/project-path";
import { WorkspaceError } from "@treadle/workspace";
import { clipMiddle } from "../../text/clip.ts";
import { shownPath } from "../../text/shown-path.ts";
import { sizeText } from "../../text/size.ts";
import { decodeText } from "../../text/decode-text.ts";
import { FILE_BYTES, FILE_MENTIONED, FOLDER_ENTRIES, FOLDER_FILE, FOLDER_FILES } from "./limits.ts";
import type { MentionContext, ResolveMention, ResolvedMention } from "./types.ts";

/** Resolves a file's text or some of its lines; for a folder, its entries and its small files. */
export const mentionedPath: ResolveMention<"path"> = async (mention, context) => {
  const read = readProjectPath(mention.path);
  if (!read.ok) return noSuchFile(mention);
  const { path } = read;
  const { files } = context.workspace;
  if (!mention.path.endsWith("/")) {
    try {
      const { bytes, version } = await files.read(path, { limit: FILE_BYTES });
      return fileText(path, bytes, version, mention.lines, context);
    } catch (error) {
      if (!(error instanceof WorkspaceError) || error.code === "stopped") throw error;
      if (error.code === "too-large") return largeFile(path, context);
    }
  }
  const listed = await listOf(path, context);
  if (listed) return listed;
  return noSuchFile(mention);
};

function noSuchFile({ path, sure }: { path: string; sure: boolean }): ResolvedMention {
  // `@media` or `@everyone` are ordinary words unless a file has that name.
  if (!sure && !/\/./.test(path)) return undefined;
  return { ok: false, said: "there is no such file or folder in the project" };
}

function fileText(
  path: ProjectPath,
  bytes: Uint8Array,
  version: string,
  lines: { from: number; to: number } | undefined,
  context: MentionContext,
): ResolvedMention {
  const text = decodeText(bytes);
  if (text === undefined) return notText(path, bytes, bytes.length);
  const all = text.split("\n");
  if (lines && lines.from > all.length)
    return { ok: false, said: `it has only ${all.length} lines`, path };
  context.read(path, version);
  const to = Math.min(lines?.to ?? all.length, all.length);
  const excerpt = lines ? all.slice(lines.from - 1, to).join("\n") : text;
  const cut = excerpt.length > FILE_MENTIONED;
  const content = clipMiddle(excerpt, FILE_MENTIONED, `read ${path} for all of it`);
  const what = lines ? `lines ${lines.from} to ${to} of ${all.length}` : `${all.length} lines`;
  return { ok: true, said: cut ? `${what}, cut in the middle` : what, content, path };
}

/** The beginning of a file too long to be read completely, which is enough to see its structure. */
async function largeFile(
  path: ProjectPath,
  { workspace, signal }: MentionContext,
): Promise<ResolvedMention> {
  const { size, pieces } = await workspace.files.readStream(path);
  const taken: Uint8Array[] = [];
  let left = FILE_MENTIONED;
  for await (const piece of pieces) {
    signal.throwIfAborted();
    taken.push(piece.subarray(0, left));
    left -= piece.length;
    if (left <= 0) break;
  }
  const bytes = Buffer.concat(taken);
  const text = beginningOf(bytes);
  if (text === undefined) return notText(path, bytes, size);
  // The last line may be incomplete.
  const end = text.lastIndexOf("\n");
  const content = end < 0 ? text : text.slice(0, end);
  const what = end < 0 ? "the beginning" : `the first ${content.split("\n").length} lines`;
  return { ok: true, said: `${what} of ${sizeText(size)}`, content, path };
}

/** Decodes text that may be cut within a character; undefined if it is not text. */
function beginningOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/** Describes a file that is not text: its path, its size and its first bytes. */
function notText(path: ProjectPath, bytes: Uint8Array, size: number): ResolvedMention {
  const first = [...bytes.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0"));
  const content = `${shownPath(path)} is not text: ${sizeText(size)}, its first bytes are ${first.join(" ")}`;
  return { ok: true, said: `not text, ${sizeText(size)}`, content, path };
}

async function listOf(
  path: ProjectPath,
  { workspace, signal }: MentionContext,
): Promise<ResolvedMention> {
  const listed = await workspace.files
    .list({ under: path, limit: FOLDER_ENTRIES })
    .catch(() => undefined);
  const inside = listed?.files.filter((one) => one.path !== path && isUnder(one.path, path));
  if (!listed || !inside || inside.length === 0) return undefined;
  const files = inside.filter(({ kind }) => kind === "file");
  const lines = files.map((file) => `${shownPath(file.path)} (${sizeText(file.size)})`);
  if (listed.more) lines.push(`(and more than these ${FOLDER_ENTRIES})`);
  let left = FOLDER_FILES;
  let shown = 0;
  for (const file of files) {
    signal.throwIfAborted();
    // Files with secrets are included only if mentioned by name.
    if (file.size > Math.min(FOLDER_FILE, left) || holdsSecrets(file.path)) continue;
    const text = await workspace.files
      .read(file.path, { limit: FOLDER_FILE })
      .then(({ bytes }) => decodeText(bytes))
      .catch(() => undefined);
    if (text === undefined) continue;
    left -= text.length;
    shown++;
    lines.push("", `--- ${shownPath(file.path)} ---`, text);
  }
  const summary = `${files.length}${listed.more ? " and more" : ""} files, ${shown} of them with their text`;
  return { ok: true, said: summary, content: lines.join("\n"), path: `${path}/` };
}
