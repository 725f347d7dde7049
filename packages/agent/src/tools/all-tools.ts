import { askUser } from "./ask-user.ts";
import { deleteFile } from "./delete-file.ts";
import { editFile } from "./edit-file.ts";
import { fetchUrl } from "./fetch-url.ts";
import { finish } from "./finish.ts";
import { inspectPreview } from "./inspect-preview.ts";
import { listFiles } from "./list-files.ts";
import { outline } from "./outline.ts";
import { readBuildResult } from "./read-build-result.ts";
import { readFile } from "./read-file.ts";
import { renameFile } from "./rename-file.ts";
import { runCommand } from "./run-command.ts";
import { searchFiles } from "./search-files.ts";
import { startServer } from "./start-server.ts";
import type { Tool } from "./tool.ts";
import { todo } from "./todo.ts";
import { usePreview } from "./use-preview.ts";
import { useSkill } from "./use-skill.ts";
import { useTemplate } from "./use-template.ts";
import { writeFile } from "./write-file.ts";

/** All built-in tools, in a fixed order: a changed list invalidates the provider's prefix cache. */
export const ALL_TOOLS: readonly Tool[] = [
  useTemplate,
  writeFile,
  editFile,
  readFile,
  listFiles,
  searchFiles,
  outline,
  deleteFile,
  renameFile,
  runCommand,
  startServer,
  readBuildResult,
  inspectPreview,
  usePreview,
  useSkill,
  fetchUrl,
  askUser,
  todo,
  finish,
];

/** Finds a tool of the run: a built-in one, or one of an external server. */
export function findTool(name: string, foreign: readonly Tool[] = []): Tool | undefined {
  const isIt = (tool: Tool) => tool.name === name;
  return ALL_TOOLS.find(isIt) ?? foreign.find(isIt);
}
