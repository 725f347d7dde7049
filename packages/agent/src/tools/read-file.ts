import { headOf } from "@treadle/protocol/safe-text";
import { checkPath } from "@treadle/workspace";
import { z } from "zod";
import { sentence } from "@treadle/protocol/sentences";
import { NOT_KEPT, outputName } from "./outputs/output-name.ts";
import { prose } from "../text/prose.ts";
import { sizeText } from "../text/size.ts";
import { READ_BYTES, READ_LIMIT } from "./limits.ts";
import { writtenPath } from "./written-path.ts";
import { decodeText } from "../text/decode-text.ts";
import { defineTool, done, refused, type ToolContext } from "./tool.ts";

/** Shows a file, or a range of its lines. */
export const readFile = defineTool({
  name: "read_file",
  description: prose(new URL("./read-file.md", import.meta.url)),
  input: z.object({
    path: writtenPath,
    offset: z.number().int().min(1).optional(),
    limit: z.number().int().min(1).optional(),
  }),
  async execute({ path, offset = 1, limit }, context) {
    const found = await textAt(path, context);
    if ("why" in found) return refused(sentence("not-read", { path }), found.why);
    const { text } = found;
    const lines = text.split("\n");
    if (offset > lines.length)
      return refused(sentence("not-read", { path }), `${path} has only ${lines.length} lines.`);
    const excerpt = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit);
    const shown: string[] = [];
    let length = 0;
    for (const line of excerpt) {
      if (length + line.length > READ_LIMIT && shown.length > 0) break;
      shown.push(line.length > READ_LIMIT ? `${headOf(line, READ_LIMIT)}…` : line);
      length += line.length + 1;
    }
    const last = offset + shown.length - 1;
    const rest =
      last < lines.length
        ? `\n(lines ${offset} to ${last} of ${lines.length}; read on with offset ${last + 1})`
        : "";
    return done(sentence("read", { path }), shown.join("\n") + rest || "(the file is empty)");
  },
});

/** The text of a project file, or of an earlier call's saved output. */
async function textAt(
  path: string,
  context: ToolContext,
): Promise<{ text: string } | { why: string }> {
  const output = outputName(path);
  if (output !== undefined) {
    const text = await context.readOutput?.(output);
    return text === undefined ? { why: NOT_KEPT } : { text };
  }
  const file = checkPath(path);
  const { bytes, version } = await context.workspace.files.read(file, { limit: READ_BYTES });
  const text = decodeText(bytes);
  if (text === undefined) return { why: `${path} is not text (${sizeText(bytes.length)}).` };
  context.seen.set(file, version);
  return { text };
}
