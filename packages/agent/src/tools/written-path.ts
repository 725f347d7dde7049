import type { ProjectPath } from "@treadle/protocol";
import { PROJECT_FOLDER, readProjectPath } from "@treadle/protocol/project-path";
import { checkPath } from "@treadle/workspace";
import { z } from "zod";

/**
 * A path as a model writes it, normalised: `./src//App.tsx` becomes `src/App.tsx`, in the log and
 * everywhere else. An invalid path is left unchanged for the tool to refuse: each tool begins with
 * `checkPath`, and state about files is keyed by its result, which the type enforces.
 */
export const writtenPath = z.string().overwrite(oneSpelling);

function oneSpelling(written: string): string {
  const read = readProjectPath(written);
  return read.ok ? read.path : written;
}

/**
 * The folder that a model asks for: `/`, `.` and none mean the project's folder. Throws like
 * `checkPath`.
 */
export const askedFolder = (written = "."): ProjectPath =>
  written === "/" ? PROJECT_FOLDER : checkPath(written);
