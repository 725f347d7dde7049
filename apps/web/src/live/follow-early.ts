import { createLiveProject, type LiveProjectHandle } from "./project-store.ts";

/** Nobody draws it by then: it is not followed on. Milliseconds. */
const UNUSED_MS = 10_000;

interface Early {
  live: LiveProjectHandle;
  stop: () => void;
  unused: ReturnType<typeof setTimeout>;
}
let early: Early | undefined;

/** Follows a project that is about to be drawn: what it is drawn from comes meanwhile. */
export function followEarly(project: string): void {
  if (early?.live.project === project) return;
  leaveEarly();
  const live = createLiveProject(project);
  early = { live, stop: live.start(), unused: setTimeout(leaveEarly, UNUSED_MS) };
}

/** The project to be drawn, followed already where that was begun: its first `start` goes on with that. */
export function liveProject(project: string): LiveProjectHandle {
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
