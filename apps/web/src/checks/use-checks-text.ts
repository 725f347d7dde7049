import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CHECKS_FILE } from "@treadle/protocol/checks";
import { listFiles, readFile, writeFile } from "../api/files.ts";
import type { Refusal } from "./append-check.ts";
import { checkSections, type CheckSection } from "./check-sections.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { saveEdits } from "../project/unsaved.ts";

/** The text of the project's checks file, read again after each file change. */
export function useChecksText() {
  const project = useProjectId();
  const seq = useView((view) => view.changes.get(CHECKS_FILE)?.seq ?? view.restoredSeq);
  return useQuery({
    queryKey: ["checks-text", project, seq],
    // The list stays visible while the file is read again.
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const files = await listFiles(project, signal);
      if (!files.some(({ path }) => path === CHECKS_FILE)) return { text: "", version: undefined };
      const { text, version } = await readFile(project, CHECKS_FILE, signal);
      return { text, version };
    },
  });
}

/**
 * Changes one check of the file on disk.
 * @returns why the change was refused; undefined on success
 * @throws ApiFailure, or FileConflict if someone else changed the file meanwhile
 */
export async function changeSection(
  project: string,
  name: string,
  change: (text: string, section: CheckSection) => string | { refused: Refusal },
): Promise<Refusal | undefined> {
  await saveEdits();
  const { text = "", version } = await readFile(project, CHECKS_FILE);
  const section = checkSections(text).find((one) => one.name === name);
  const next = section ? change(text, section) : { refused: "not-read" as const };
  if (typeof next !== "string") return next.refused;
  await writeFile(project, CHECKS_FILE, next, version);
  return undefined;
}
