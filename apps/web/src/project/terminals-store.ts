import { create } from "zustand";
import { readVisit, writeVisit } from "../ui/browser-settings.ts";

const keyOf = (project: string) => `treadle.terminals.${project}`;

/** Whether the open project's terminals are shown, and a command to run in one of them. */
export const useTerminalsShown = create<{
  project: string;
  shown: boolean;
  /** Whether the person has just opened them, so that they take the focus. */
  asked: boolean;
  /** A command to run, until its terminal has taken it. */
  command?: { text: string; terminal?: string };
}>(() => ({ project: "", shown: false, asked: false }));

/** Call when a project is opened. Shows its terminals if they were shown before, in this browser tab. */
export const restoreTerminals = (project: string): void =>
  useTerminalsShown.setState({
    project,
    shown: readVisit(keyOf(project)) !== undefined,
    asked: false,
    command: undefined,
  });

export function toggleTerminals(): void {
  const { project, shown } = useTerminalsShown.getState();
  writeVisit(keyOf(project), shown ? undefined : "open");
  useTerminalsShown.setState({ shown: !shown, asked: !shown });
}

/** Hides the terminals; their programs continue. */
export function closeTerminals(): void {
  if (useTerminalsShown.getState().shown) toggleTerminals();
}

/** Runs a command in a new terminal and shows it. */
export function runInTerminal(text: string): void {
  writeVisit(keyOf(useTerminalsShown.getState().project), "open");
  useTerminalsShown.setState({ shown: true, asked: true, command: { text } });
}

/** Assigns the command to a terminal. */
export function assignCommand(terminal: string): void {
  const { command } = useTerminalsShown.getState();
  if (command) useTerminalsShown.setState({ command: { ...command, terminal } });
}

/** Takes the command assigned to this terminal; returns it only once, and undefined if there is none. */
export function takeCommand(terminal: string): string | undefined {
  const { command } = useTerminalsShown.getState();
  if (command?.terminal !== terminal) return undefined;
  useTerminalsShown.setState({ command: undefined });
  return command.text;
}
