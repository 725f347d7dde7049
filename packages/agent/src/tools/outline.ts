import { headOf } from "@treadle/protocol/safe-text";
import type { ProjectPath } from "@treadle/protocol";
import { PROJECT_FOLDER } from "@treadle/protocol/project-path";
import { WorkspaceError, type Workspace } from "@treadle/workspace";
import { z } from "zod";
import { sentence } from "@treadle/protocol/sentences";
import { FOLDER_FILES, SOURCE_BYTES } from "./outlines/limits.ts";
import { outlineText } from "./outlines/outline-text.ts";
import { readOutline } from "./outlines/read-outline.ts";
import { endingOf, OUTLINED } from "./outlines/sources.ts";
import type { Outline } from "./outlines/types.ts";
import { prose } from "../text/prose.ts";
import { OUTLINE_LIMIT } from "./limits.ts";
import { askedFolder, writtenPath } from "./written-path.ts";
import { decodeText } from "../text/decode-text.ts";
import { defineTool, done, refused } from "./tool.ts";

/** Shows the definitions in files, parsed here from the workspace's text. */
export const outline = defineTool({
  name: "outline",
  description: prose(new URL("./outline.md", import.meta.url)),
  input: z.object({ path: writtenPath }),
  async execute({ path }, { workspace, signal }) {
    const asked = path
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    const { paths, more } = await filesOf(workspace, asked);
    if (paths.length === 0)
      return refused(
        sentence("no-outline"),
        `No file there has an outline; there are outlines for ${OUTLINED.map((ending) => `.${ending}`).join(" ")}. Use read_file or search_files.`,
      );
    const shown: string[] = [];
    let length = 0;
    let outlined = 0;
    let left = more;
    for (const file of paths) {
      signal.throwIfAborted();
      const outlineOfIt = await outlineOf(workspace, file);
      const text = outlineText(file, outlineOfIt);
      if (length + text.length > OUTLINE_LIMIT && shown.length > 0) {
        left = true;
        break;
      }
      if (outlineOfIt.ok) outlined++;
      shown.push(headOf(text, OUTLINE_LIMIT));
      length += text.length + 1;
    }
    if (left) shown.push("(there are more files; name a folder further down, or files)");
    const text = shown.join("\n");
    if (outlined === 0) return refused(sentence("no-outline"), text);
    return done(
      paths.length === 1
        ? sentence("outlined", { path: paths[0]! })
        : sentence("outlined-many", { count: outlined }),
      text,
    );
  },
});

/** The requested files, and for each folder its files with a supported language. */
async function filesOf(
  workspace: Workspace,
  asked: string[],
): Promise<{ paths: ProjectPath[]; more: boolean }> {
  const paths = new Set<ProjectPath>();
  let more = false;
  for (const path of asked.length > 0 ? asked : ["."]) {
    const under = askedFolder(path);
    if (OUTLINED.includes(endingOf(under)) && !path.endsWith("/")) {
      paths.add(under);
      continue;
    }
    const { files, more: longer } = await workspace.files.list({ limit: LISTED, under });
    more ||= longer;
    const found = files.filter(
      ({ path: file, kind }) => kind === "file" && OUTLINED.includes(endingOf(file)),
    );
    for (const { path: file } of found) paths.add(file);
    // A file of an unsupported kind, which is reported as such.
    if (files.length === 0 && under !== PROJECT_FOLDER) paths.add(under);
  }
  return { paths: [...paths].slice(0, FOLDER_FILES), more: more || paths.size > FOLDER_FILES };
}

/** Maximum number of entries read in a folder. */
const LISTED = 2_000;

async function outlineOf(workspace: Workspace, path: ProjectPath): Promise<Outline> {
  try {
    const { bytes } = await workspace.files.read(path, { limit: SOURCE_BYTES });
    const text = decodeText(bytes);
    return text === undefined ? { ok: false, why: "not text" } : await readOutline(path, text);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    // Errors that end the run are not specific to the file.
    if (error.code === "stopped" || error.code === "sandbox") throw error;
    return { ok: false, why: error.message };
  }
}
