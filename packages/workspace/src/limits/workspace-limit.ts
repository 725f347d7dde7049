import { sentence } from "@treadle/protocol/sentences";
import { WorkspaceError } from "../types.ts";

export const WORKSPACES_VARIABLE = "TREADLE_WORKSPACES";
const DEFAULT_WORKSPACES = 50;

/** Limits the number of projects that run on this machine. */
export interface WorkspaceLimit {
  readonly most: number;
  /** @throws WorkspaceError `full` with a message for people. */
  enter(project: string): void;
  leave(project: string): void;
}

/** @throws WorkspaceError `sandbox` with a message that names the variable. */
export function createWorkspaceLimit(env: Record<string, string | undefined>): WorkspaceLimit {
  const text = env[WORKSPACES_VARIABLE]?.trim() ?? "";
  const most = text ? Number(text) : DEFAULT_WORKSPACES;
  if (!Number.isInteger(most) || most < 1)
    throw new WorkspaceError(
      "sandbox",
      sentence("limit-invalid", {
        variable: WORKSPACES_VARIABLE,
        text,
        unit: "projects",
        least: 1,
      }),
    );
  const running = new Set<string>();
  return {
    most,
    enter(project) {
      if (running.size >= most && !running.has(project))
        throw new WorkspaceError(
          "full",
          sentence("projects-full", { count: most, variable: WORKSPACES_VARIABLE }),
        );
      running.add(project);
    },
    leave: (project) => void running.delete(project),
  };
}

/** Describes the limit for `treadle doctor`. */
export const describeWorkspaceLimit = ({ most }: WorkspaceLimit) => ({
  name: "projects",
  ok: true,
  detail: `${most} run at the same time (${WORKSPACES_VARIABLE}); those that nobody uses make room`,
});
