import { createLiveProject, type LiveProjectHandle } from "./project-store.ts";

/** How long an unused project is followed, in milliseconds. */
const UNUSED_MS = 10_000;

interface Early {
  live: LiveProjectHandle;
  stop: () => void;
  unused: ReturnType<typeof setTimeout>;
}
let early: Early | undefined;

/** Starts following a project that is about to be drawn, so that its data loads meanwhile. */
export function followEarly(project: string): void {
  if (early?.live.project === project) return;
  leaveEarly();
  const live = createLiveProject(project);
  early = { live, stop: live.start(), unused: setTimeout(leaveEarly, UNUSED_MS) };
}

/** The handle of a project to draw; reuses one that is already being followed. */
export function takeLiveProject(project: string): LiveProjectHandle {
  if (early?.live.project !== project) return createLiveProject(project);
  const { live } = early;
  const start = () => {
    if (early?.live !== live) return live.start();
    const { stop, unused } = early;
    clearTimeout(unused);
    early = undefined;
    return stop;
  };
  return { ...live, start };
}

function leaveEarly(): void {
  clearTimeout(early?.unused);
  early?.stop();
  early = undefined;
}
