import { toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";

/** What a command cannot do without. */
const NEEDS = [
  // A script of the project's own folder; what is run elsewhere needs no manifest here.
  {
    command: /^(?:npm|pnpm|yarn|bun)(?: run)? \w[\w:-]*(?: -- .*)?$/,
    file: toProjectPath("package.json"),
  },
  { command: /^treadle-serve\b/, file: toProjectPath("index.html") },
];

/** Whether what such a command starts with is there: it was of another time, and the files may have been put back since. */
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
