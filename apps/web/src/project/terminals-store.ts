import { create } from "zustand";
import { readVisit, writeVisit } from "../ui/browser-settings.ts";

const keyOf = (project: string) => `treadle.terminals.${project}`;

/** Whether the terminals of the project that is open are shown. */
export const useTerminalsShown = create<{
  project: string;
  shown: boolean;
  /** The person opened them just now: what is typed next is for them. */
  asked: boolean;
  /** A command that the person runs, until its terminal has taken it. */
  command?: { text: string; /** Undefined until it is chosen. */ terminal?: string };
}>(() => ({ project: "", shown: false, asked: false }));

/** Another project is open. Whether its terminals were shown is known from before a reload. */
export const recallTerminals = (project: string): void =>
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

/** Puts the terminals away; what runs in them goes on. */
export function closeTerminals(): void {
  if (useTerminalsShown.getState().shown) toggleTerminals();
}

/** Runs a command in a terminal of its own, which is shown. */
export function runInTerminal(text: string): void {
  writeVisit(keyOf(useTerminalsShown.getState().project), "open");
  useTerminalsShown.setState({ shown: true, asked: true, command: { text } });
}

/** Chooses the terminal that runs the command. */
export function giveCommand(terminal: string): void {
  const { command } = useTerminalsShown.getState();
  if (command) useTerminalsShown.setState({ command: { ...command, terminal } });
}

/** The command that this terminal is to run; once. */
export function takeCommand(terminal: string): string | undefined {
  const { command } = useTerminalsShown.getState();
  if (command?.terminal !== terminal) return undefined;
  useTerminalsShown.setState({ command: undefined });
  return command.text;
}
