import type { ReactNode } from "react";
import { CHANGE_PARTS } from "./change-parts.tsx";
import { PROJECT_PARTS } from "./project-parts.tsx";
import { TEAM_PARTS } from "./team-parts.tsx";
import { SMALL_PARTS } from "./small-parts.tsx";

/** The components shown, by name; each is drawn 640 px wide. */
export const PARTS: Record<string, () => ReactNode> = {
  ...SMALL_PARTS,
  ...CHANGE_PARTS,
  ...PROJECT_PARTS,
  ...TEAM_PARTS,
};
