import type { Found } from "../types.ts";

/**
 * A finding for files that could not be searched; they may contain anything, so somebody has to
 * decide.
 */
export const NOT_SEARCHED: Found = {
  check: "secrets",
  severity: "serious",
  title: "The files could not be searched for secrets in the time that there is.",
  where: "all files",
  todo: "Remove very large generated files from the project, then publish again.",
};
