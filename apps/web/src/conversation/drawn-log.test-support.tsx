import type { LogEvent } from "@treadle/protocol";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { emptyView, fold } from "../fold/fold.ts";
import { logOf } from "../fold/log.test-support.ts";
import type { RunEnd, Turn } from "../fold/types.ts";
import { LiveContext } from "../live/live-context.tsx";
import { createLiveProject } from "../live/project-store.ts";
import { EndCard } from "./end-card.tsx";

/** The markup of the first turn of a log. */
export function drawnLog(events: LogEvent[], last = true): string {
  const live = createLiveProject("p");
  live.store.setState({ view: fold(emptyView(), logOf(...events)) });
  // Server-side rendering reads the store's initial state.
  live.store.getInitialState = live.store.getState;
  const { view } = live.store.getState();
  const known = view.turns[0] as Turn;
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <LiveContext value={live}>
        <EndCard turn={known} end={known.end as RunEnd} last={last} />
      </LiveContext>
    </QueryClientProvider>,
  );
}
