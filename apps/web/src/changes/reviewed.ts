import { create } from "zustand";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";

/** Number of turns whose reviews are remembered, by the checkpoint before each; the oldest are dropped. */
const MAX_TURNS = 20;

type Marks = Record<string, string[]>;

const keyOf = (project: string) => `treadle.reviewed.${project}`;

function loadMarks(project: string): Marks {
  try {
    const read: unknown = JSON.parse(readSetting(keyOf(project)) ?? "{}");
    return typeof read === "object" && read !== null ? (read as Marks) : {};
  } catch {
    return {};
  }
}

/** The changes that the person has reviewed, stored in the browser. */
export const useReviewed = create<{ project: string; marks: Marks }>(() => ({
  project: "",
  marks: {},
}));

/** Loads the stored reviews of a project that is opened. */
export function openReviewed(project: string): void {
  if (useReviewed.getState().project !== project)
    useReviewed.setState({ project, marks: loadMarks(project) });
}

/** Marks changes as reviewed, or removes the marks. @param from the checkpoint before the changes */
export function setReviewed(from: string, keys: readonly string[], reviewed: boolean): void {
  const { project, marks } = useReviewed.getState();
  const others = (marks[from] ?? []).filter((key) => !keys.includes(key));
  const { [from]: _before, ...rest } = marks;
  const next: Marks = Object.fromEntries(
    [...Object.entries(rest), [from, reviewed ? [...others, ...keys] : others] as const].slice(
      -MAX_TURNS,
    ),
  );
  useReviewed.setState({ marks: next });
  writeSetting(keyOf(project), JSON.stringify(next));
}
