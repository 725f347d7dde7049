import type { ProjectPath } from "@treadle/protocol";
import { PROJECT_FOLDER, readProjectPath } from "@treadle/protocol/project-path";
import { checkPath } from "@treadle/workspace";
import { z } from "zod";

/**
 * A path of the project as a model writes it, in its one spelling: `./src//App.tsx` is `src/App.tsx`, in the log and
 * wherever a call is told of. What no project has is left as it is, for the tool to refuse: each begins with `checkPath`,
 * and what is known of a file (who left it, which version was seen) is asked for with what that gives, by type.
 */
export const writtenPath = z.string().overwrite(oneSpelling);

function oneSpelling(written: string): string {
  const read = readProjectPath(written);
  return read.ok ? read.path : written;
}

/** The folder that a model asks about: `/` and `.` are the project's own to it, and so is none. Throws as `checkPath`. */
export const askedFolder = (written = "."): ProjectPath =>
  written === "/" ? PROJECT_FOLDER : checkPath(written);
