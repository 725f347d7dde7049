import type { Edit } from "@treadle/dialects";
import type { Found } from "@treadle/dialects/artifact";
import { folderOf, PROJECT_FOLDER, readProjectPath } from "@treadle/protocol/project-path";
import type { ProjectPath } from "@treadle/protocol";
import { readProjectCommand } from "@treadle/dialects/proposals";
import { toolKind } from "@treadle/protocol/tools";
import { WorkspaceError, type Workspace } from "@treadle/workspace";
import { readFacts } from "../project/project-facts.ts";
import { isRecord } from "../text/is-record.ts";
import { decodeText } from "../text/decode-text.ts";
import { READ_BYTES } from "../tools/limits.ts";
import { judgeWrite } from "../tools/proposals/judge-write.ts";
import type { CallOutcome, ToolCall } from "./tool-call.ts";

/** The decision about a call that was found in prose. `edit`: it is carried out as an edit of the file instead. */
export type ProposalRuling =
  | { go: "run" }
  | { go: "edit"; input: { path: string; edits: Edit[] } }
  | { go: "refuse"; outcome: CallOutcome };

const RUN: ProposalRuling = { go: "run" };

/**
 * Judges a call that its dialect found in prose (`found` in its metadata) against the project's files as they are now. Any
 * other call is run. Rejects as the workspace does.
 */
export async function judgeProposal(
  { tool, input = {}, metadata }: ToolCall,
  workspace: Workspace,
): Promise<ProposalRuling> {
  const found = metadata?.["treadle"]?.["found"];
  if (!isRecord(found)) return RUN;
  const { path, content, command } = input;
  if (typeof command === "string") return judgeCommand(command, workspace);
  const read = typeof path === "string" ? readProjectPath(path) : undefined;
  // The tool itself reports an invalid path.
  if (!read?.ok) return RUN;
  if (toolKind(tool) === "writes" && typeof content === "string") {
    const { by } = found as Partial<Found>;
    return judgeFile(read.path, content, by, workspace);
  }
  if (tool === "delete_file")
    return refuse(
      `Did not delete ${read.path}: only a code block says so`,
      `Not deleted: a code block does not delete ${read.path}. If it was meant, delete it as an action of its own.`,
    );
  return RUN;
}

async function judgeFile(
  path: ProjectPath,
  content: string,
  by: Found["by"],
  workspace: Workspace,
): Promise<ProposalRuling> {
  const ruling = await judgeWrite(
    { path, content, by },
    {
      before: await textAt(path, workspace),
      hasFolder: () => hasFolder(path, workspace),
    },
  );
  if (ruling.go === "write") return RUN;
  if (ruling.go === "edit") return { go: "edit", input: { path, edits: ruling.edits } };
  return refuse(`Did not write ${path}: ${ruling.because}`, `Not written: ${ruling.why}`);
}

async function judgeCommand(command: string, workspace: Workspace): Promise<ProposalRuling> {
  const { manifest } = await readFacts(workspace);
  const read = readProjectCommand(command);
  const isProjects =
    read?.type === "start"
      ? manifest !== undefined && Object.hasOwn(manifest.scripts, read.script)
      : manifest !== undefined;
  if (isProjects) return RUN;
  return refuse(
    `Did not run ${command}: package.json has nothing for it`,
    `Not run: package.json ${manifest ? "has no such script" : "does not exist"}, so ${command} does nothing for the project.`,
  );
}

/** A file's text; undefined if it does not exist, null if it cannot be read as text. */
async function textAt(path: ProjectPath, { files }: Workspace): Promise<string | undefined | null> {
  try {
    return decodeText((await files.read(path, { limit: READ_BYTES })).bytes) ?? null;
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    if (error.code === "missing") return undefined;
    if (error.code === "too-large" || error.code === "not-a-file") return null;
    throw error;
  }
}

/** Whether a new file's folder exists; in a project without files, any may be created. */
async function hasFolder(path: ProjectPath, { files }: Workspace): Promise<boolean> {
  const folder = folderOf(path);
  if (folder === PROJECT_FOLDER) return true;
  const holdsAny = async (under: ProjectPath) =>
    (await files.list({ under, limit: 1 }).catch(() => ({ files: [] }))).files.length > 0;
  return (await holdsAny(folder)) || !(await holdsAny(PROJECT_FOLDER));
}

const refuse = (title: string, result: string): ProposalRuling => ({
  go: "refuse",
  outcome: { status: "error", title, result },
});
