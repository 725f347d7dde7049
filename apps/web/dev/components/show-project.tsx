import type { LogEvent } from "@treadle/protocol";
import { useState, type ReactNode } from "react";
import { emptyView, fold } from "../../src/fold/fold.ts";
import { logOf } from "../../src/fold/log.test-support.ts";
import { LiveContext } from "../../src/live/live-context.tsx";
import { createLiveProject } from "../../src/live/project-store.ts";

/** A project in the state after these events, without a server. */
export function ShowProject({ events, children }: { events: LogEvent[]; children: ReactNode }) {
  const [live] = useState(() => {
    const made = createLiveProject("shown");
    made.store.setState({
      view: fold(emptyView(), logOf(...events)),
      connection: "live",
      loaded: true,
    });
    return made;
  });
  return <LiveContext value={live}>{children}</LiveContext>;
}
