import { useQuery } from "@tanstack/react-query";
import type { Author, TerminalSharing } from "@treadle/protocol";
import type { LinePaths } from "./line-paths.ts";
import { getJson, sendJson } from "./request.ts";

const apiPath = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}/terminals${rest}`;
const terminalPath = (project: string, terminal: string) =>
  apiPath(project, `/${encodeURIComponent(terminal)}`);

/** A terminal of the project. */
export interface TerminalEntry {
  name: string;
  /** Absent if there is only one person. */
  owner?: Author;
  sharing?: TerminalSharing;
  /** What the person may do with it; absent: nothing. */
  access?: TerminalSharing;
}

export interface TerminalList {
  /** Names of the terminals that have a shell, or output of one that exited. */
  terminals: string[];
  /** The same terminals with their owners. */
  entries: TerminalEntry[];
  /** The person's labels, by terminal name. */
  labels: Record<string, string>;
  /** Ports on which the project's processes listen. */
  ports: number[];
}

export const readTerminals = (project: string, signal?: AbortSignal) =>
  getJson<TerminalList>(apiPath(project), signal);

/** Changes a terminal's label; an empty one removes it. */
export const labelTerminal = (project: string, terminal: string, label: string) =>
  sendJson("PATCH", terminalPath(project, terminal), { label });

/** Shares the person's own terminal; `undefined` ends the sharing. */
export const shareTerminal = (
  project: string,
  terminal: string,
  sharing: TerminalSharing | undefined,
) => sendJson("PUT", `${terminalPath(project, terminal)}/sharing`, { sharing: sharing ?? null });

/** Ends a terminal's shell and discards its output. */
export const endTerminal = (project: string, terminal: string) =>
  sendJson("DELETE", terminalPath(project, terminal));

/** The URLs for reading from and typing into a terminal. */
export function terminalPaths(
  project: string,
  terminal: string,
  size: { columns: number; rows: number },
): LinePaths {
  const path = terminalPath(project, terminal);
  const query = `?columns=${size.columns}&rows=${size.rows}`;
  return { socket: `${path}${query}`, events: `${path}/events${query}`, input: `${path}/input` };
}

/** Query key of a project's open ports, which a terminal's connection updates. */
export const portsKey = (project: string) => ["ports", project] as const;

/** The ports on which the project's server or terminal programs listen; empty until known. */
export function useOpenPorts(project: string): readonly number[] {
  const { data } = useQuery({
    queryKey: portsKey(project),
    queryFn: async ({ signal }) => (await readTerminals(project, signal)).ports,
    staleTime: Infinity,
  });
  return data ?? NONE;
}

const NONE: readonly number[] = [];
