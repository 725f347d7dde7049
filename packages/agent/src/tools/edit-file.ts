import { applyMeantEdits } from "@treadle/dialects/edits";
import { checkPath } from "@treadle/workspace";
import { z } from "zod";
import { sentence } from "@treadle/protocol/sentences";
import { prose } from "../text/prose.ts";
import { fence } from "../text/fence.ts";
import { clipMiddle } from "../text/clip.ts";
import { guardedWrite, type FileNow } from "./guarded-write.ts";
import { withCheckProblems } from "./with-check-problems.ts";
import { withMigration } from "./run-migration.ts";
import { NEAREST_LIMIT, OUTPUT_LIMIT, READ_BYTES } from "./limits.ts";
import { sizeText } from "../text/size.ts";
import { writtenPath } from "./written-path.ts";
import { defineTool, done, refused } from "./tool.ts";

/** Loose, as a dialect may add other interpretations of an edit. */
const edit = z.looseObject({ old: z.string(), new: z.string(), all: z.boolean().optional() });
const readings = z.array(z.object({ old: z.string(), new: z.string() })).max(8);
type Edit = z.output<typeof edit>;

/** Replaces passages of a file: all of the edits, or none. */
export const editFile = defineTool({
  name: "edit_file",
  description: prose(new URL("./edit-file.md", import.meta.url)),
  input: z.object({ path: writtenPath, edits: z.array(edit).min(1) }),
  async execute({ path: asked, edits }, context) {
    const path = checkPath(asked);
    let applied = 0;
    let text = "";
    let missed = false;
    const written = await guardedWrite(
      path,
      (standing) => {
        const outcome = compose(path, standing, edits);
        missed = "failures" in outcome;
        if ("refuse" in outcome) return outcome;
        applied = outcome.applied;
        text = outcome.content;
        return outcome.content;
      },
      context,
      true,
    );
    if (!written.ok)
      return {
        ...refused(sentence("not-edited", { path }), written.reason),
        ...(missed ? { missed: true as const } : {}),
      };
    const message = `Edited ${path}: ${applied} ${applied === 1 ? "place" : "places"}.`;
    const edited = withCheckProblems(path, text, done(sentence("edited", { path }), message));
    return withMigration(path, { ...edited, lines: written.lines }, context);
  },
});

function compose(
  path: string,
  { version, text, tooLarge }: FileNow,
  edits: Edit[],
): { content: string; applied: number } | { refuse: string; failures?: number } {
  if (version === "absent")
    return { refuse: `There is no ${path}. list_files shows what there is; write_file makes it.` };
  if (tooLarge)
    return {
      refuse: `${path} is over ${sizeText(READ_BYTES)}, too large to be edited. A command can change it.`,
    };
  if (text === undefined) return { refuse: `${path} is not UTF-8 text and cannot be edited.` };
  const meant = edits.map(({ old, new: replacement, all, or, line }) => {
    const { data } = readings.safeParse(or);
    return {
      old,
      new: replacement,
      all,
      or: data,
      line: typeof line === "number" ? line : undefined,
    };
  });
  const result = applyMeantEdits(text, meant);
  if (result.ok) return { content: result.content, applied: result.applied };
  const failed = result.failures.map(({ edit: index, message, nearest, line }) => {
    const shown = nearest
      ? ` What comes nearest${line === undefined ? "" : `, from line ${line}`}:\n${fence("file", clipMiddle(nearest, NEAREST_LIMIT))}`
      : "";
    return `Edit ${index + 1}: ${message}${shown}`;
  });
  const others = edits.length - result.failures.length;
  return {
    failures: result.failures.length,
    refuse: clipMiddle(
      `No edit was applied to ${path}${others > 0 ? ` (${others} of ${edits.length} would have matched)` : ""}.\n${failed.join("\n")}`,
      OUTPUT_LIMIT,
    ),
  };
}
