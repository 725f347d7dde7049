import { toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";

/** Commands that need a file, and that file. */
const NEEDS = [
  // A script of the project's own folder; a command in another folder needs no manifest here.
  {
    command: /^(?:npm|pnpm|yarn|bun)(?: run)? \w[\w:-]*(?: -- .*)?$/,
    file: toProjectPath("package.json"),
  },
  { command: /^treadle-serve\b/, file: toProjectPath("index.html") },
];

/**
 * Whether the file that a command needs exists: it may have been restored to an earlier state since the command was
 * used. True for commands that need no known file.
 */
export async function canRun(
  { files }: { files: Pick<Workspace["files"], "read"> },
  command: string,
): Promise<boolean> {
  const needed = NEEDS.find((one) => one.command.test(command));
  if (!needed) return true;
  return files.read(needed.file).then(
    () => true,
    (error: { code?: unknown }) => error.code !== "missing",
  );
}
