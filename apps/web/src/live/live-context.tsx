import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";
import type { ProjectView } from "../fold/types.ts";
import { takeLiveProject } from "./follow-early.ts";
import type { LiveProject, LiveProjectHandle } from "./project-store.ts";

/** The current project, provided by `FollowProject`. */
export const LiveContext = createContext<LiveProjectHandle | undefined>(undefined);

/** Follows one project while mounted; another project needs another `key`. */
export function FollowProject({ project, children }: { project: string; children: ReactNode }) {
  const [live] = useState(() => takeLiveProject(project));
  useEffect(() => live.start(), [live]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

function useLive(): LiveProjectHandle {
  const live = use(LiveContext);
  if (!live) throw new Error("used outside FollowProject");
  return live;
}

export function useProjectId(): string {
  return useLive().project;
}

/** A part of the project's view. `select` must return the same value for unchanged data. */
export function useView<T>(select: (view: ProjectView) => T): T {
  return useStore(useLive().store, (state) => select(state.view));
}

export function useLiveState<T>(select: (state: LiveProject) => T): T {
  return useStore(useLive().store, select);
}

/** The store itself, for code that follows it without rendering (the editor). */
export function useLiveStore(): StoreApi<LiveProject> {
  return useLive().store;
}
