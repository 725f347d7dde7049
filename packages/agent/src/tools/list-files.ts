import { askedFolder } from "./written-path.ts";
import { z } from "zod";
import { sentence } from "@treadle/protocol/sentences";
import { prose } from "../text/prose.ts";
import { shownPath } from "../text/shown-path.ts";
import { sizeText } from "../text/size.ts";
import { LIST_LIMIT } from "./limits.ts";
import { defineTool, done } from "./tool.ts";

/** Lists files. */
export const listFiles = defineTool({
  name: "list_files",
  description: prose(new URL("./list-files.md", import.meta.url)),
  input: z.object({ under: z.string().optional() }),
  async execute({ under }, { workspace }) {
    const folder = askedFolder(under);
    const { files, more } = await workspace.files.list({ limit: LIST_LIMIT, under: folder });
    const lines = files.map(({ path, kind, size }) =>
      kind === "folder"
        ? `${shownPath(path)}/`
        : kind === "file"
          ? `${shownPath(path)} (${sizeText(size)})`
          : `${shownPath(path)} (${kind})`,
    );
    if (more) lines.push(`(more than ${LIST_LIMIT}; list a folder with under)`);
    const count = files.filter(({ kind }) => kind === "file").length;
    return done(sentence("listed", { count }), lines.join("\n") || "(no files yet)");
  },
});
