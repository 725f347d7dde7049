import { useQuery } from "@tanstack/react-query";
import type { LinePaths } from "./line-paths.ts";
import { getJson, sendJson } from "./request.ts";

const at = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}/terminals${rest}`;
const one = (project: string, terminal: string) => at(project, `/${encodeURIComponent(terminal)}`);

export interface TerminalList {
  /** Names of those that have a shell, or text of one that ended. */
  terminals: string[];
  /** What a person calls them, by their names, where they have said so. */
  labels: Record<string, string>;
  /** What the project's processes listen on. */
  ports: number[];
}

export const readTerminals = (project: string, signal?: AbortSignal) =>
  getJson<TerminalList>(at(project), signal);

/** Calls a terminal by another label; an empty one takes the label away. */
export const labelTerminal = (project: string, terminal: string, label: string) =>
  sendJson("PATCH", one(project, terminal), { label });

/** Ends a terminal's shell and forgets its text. */
export const endTerminal = (project: string, terminal: string) =>
  sendJson("DELETE", one(project, terminal));

/** Where a terminal is followed and typed into. */
export function terminalPaths(
  project: string,
  terminal: string,
  size: { columns: number; rows: number },
): LinePaths {
  const path = one(project, terminal);
  const query = `?columns=${size.columns}&rows=${size.rows}`;
  return { socket: `${path}${query}`, events: `${path}/events${query}`, input: `${path}/input` };
}

/** Where the ports of a project are kept: what a terminal is told of them is put there. */
export const portsKey = (project: string) => ["ports", project] as const;

/** What the project's processes listen on, be it its server or a program in a terminal; none until it is known. */
export function useOpenPorts(project: string): readonly number[] {
  const { data } = useQuery({
    queryKey: portsKey(project),
    queryFn: async ({ signal }) => (await readTerminals(project, signal)).ports,
    staleTime: Infinity,
  });
  return data ?? NONE;
}

const NONE: readonly number[] = [];
