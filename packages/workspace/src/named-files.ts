import { isProtectedPath } from "@treadle/protocol/project-path";
import type { ProjectPath } from "@treadle/protocol";

const MANIFEST = /(?:^|[\\/])package\.json$/i;

/** Whether `list` shows a file of this name when only these files are requested. */
export const isNamed = (only: "obeyed" | "manifests", path: ProjectPath): boolean =>
  only === "obeyed" ? isProtectedPath(path) : MANIFEST.test(path);
