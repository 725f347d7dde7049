import { CHECKS_FILE } from "@treadle/protocol/checks";
import { noticeError } from "../ui/notice.ts";
import { FileConflict, listFiles, writeFile } from "../api/files.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { useWork } from "../project/work-store.ts";

/** Heading of a new checks file. */
export const CHECKS_HEAD = `# What this app must do

Each heading is a check, each item below it a step in the browser. They run before every verdict; with a line
"run: by hand" up here, only with Check now. Where a step begins, the editor offers the forms that it may have.
`;

const BEGINNING = `${CHECKS_HEAD}
## Opens
- open /
`;

/** Opens the project's checks in the editor; creates the file if it does not exist. */
export function useChecksFile(): () => Promise<void> {
  const project = useProjectId();
  const openFile = useWork((state) => state.openFile);
  return async () => {
    try {
      const files = await listFiles(project);
      if (files.some(({ path }) => path === CHECKS_FILE)) return openFile(CHECKS_FILE);
      await writeFile(project, CHECKS_FILE, BEGINNING, undefined);
    } catch (error) {
      // A conflict means that the file exists already.
      if (!(error instanceof FileConflict)) return void noticeError(sentence(error));
    }
    openFile(CHECKS_FILE);
  };
}
