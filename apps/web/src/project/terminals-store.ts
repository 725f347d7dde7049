import { create } from "zustand";
import { readVisit, writeVisit } from "../ui/browser-settings.ts";

const keyOf = (project: string) => `treadle.terminals.${project}`;

/** Whether the terminals of the project that is open are shown. */
export const useTerminalsShown = create<{
  project: string;
  shown: boolean;
  /** The person opened them just now: what is typed next is for them. */
  asked: boolean;
}>(() => ({ project: "", shown: false, asked: false }));

/** Another project is open. Whether its terminals were shown is known from before a reload. */
export const recallTerminals = (project: string): void =>
  useTerminalsShown.setState({
    project,
    shown: readVisit(keyOf(project)) !== undefined,
    asked: false,
  });

export function toggleTerminals(): void {
  const { project, shown } = useTerminalsShown.getState();
  writeVisit(keyOf(project), shown ? undefined : "open");
  useTerminalsShown.setState({ shown: !shown, asked: !shown });
}
