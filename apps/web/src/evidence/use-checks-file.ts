import { toProjectPath } from "@treadle/protocol/project-path";
import { noticeError } from "../ui/notice.ts";
import { FileConflict, listFiles, writeFile } from "../api/files.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { useWork } from "../project/work-store.ts";

/** Where a project keeps its acceptance checks. */
const FILE = toProjectPath(".treadle/checks.md");

const BEGINNING = `# What this app must do

Each heading is a check, each item below it a step in the browser. They run before every verdict; with a line
"run: by hand" up here, only with Check now. Steps: open, reload, click, type "…" in, select "…" in, press, wait for,
expect, expect no.

## Opens
- open /
`;

/** Opens the project's checks in the editor, and begins the file where there is none. */
export function useChecksFile(): () => Promise<void> {
  const project = useProjectId();
  const openFile = useWork((state) => state.openFile);
  return async () => {
    try {
      const files = await listFiles(project);
      if (files.some(({ path }) => path === FILE)) return openFile(FILE);
      await writeFile(project, FILE, BEGINNING, undefined);
    } catch (error) {
      // There is one already.
      if (!(error instanceof FileConflict)) return void noticeError(sentence(error));
    }
    openFile(FILE);
  };
}
