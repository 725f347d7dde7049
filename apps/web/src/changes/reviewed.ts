import { create } from "zustand";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";

/** Turns, by the checkpoint before them, of which it is remembered what was looked at; the oldest go first. */
const TURNS = 20;

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

/** What the person has looked at and keeps, as this browser remembers it. */
export const useReviewed = create<{ project: string; marks: Marks }>(() => ({
  project: "",
  marks: {},
}));

/** Reads what is remembered of a project that is opened. */
export function openReviewed(project: string): void {
  if (useReviewed.getState().project !== project)
    useReviewed.setState({ project, marks: loadMarks(project) });
}

/** Marks changes as looked at, or takes that back. */
export function setReviewed(from: string, keys: readonly string[], reviewed: boolean): void {
  const { project, marks } = useReviewed.getState();
  const others = (marks[from] ?? []).filter((key) => !keys.includes(key));
  const { [from]: _before, ...rest } = marks;
  const next: Marks = Object.fromEntries(
    [...Object.entries(rest), [from, reviewed ? [...others, ...keys] : others] as const].slice(
      -TURNS,
    ),
  );
  useReviewed.setState({ marks: next });
  writeSetting(keyOf(project), JSON.stringify(next));
}
