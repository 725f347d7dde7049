import { useEffect, useRef } from "react";
import { textSince, type Gathered } from "../fold/gathered.ts";
import type { ProjectView } from "../fold/types.ts";
import { useLiveStore, useView } from "../live/live-context.tsx";
import { openScreen } from "./open-screen.ts";

/** What the server's call has printed so far. */
function outputOf(view: ProjectView): { call: string; output: Gathered | undefined } | undefined {
  const place = view.serverCall === undefined ? undefined : view.places.get(view.serverCall);
  const item = place && view.turns[place.turn]?.items[place.item];
  return item?.kind === "call" ? { call: item.call, output: item.output } : undefined;
}

/** The server's output, as it comes. */
export default function ServerOutput() {
  const store = useLiveStore();
  const box = useRef<HTMLDivElement>(null);
  const none = useView((view) => outputOf(view) === undefined);
  useEffect(() => {
    if (!box.current) return;
    const { terminal, close } = openScreen(box.current, { readOnly: true, name: "Server output" });
    let call: string | undefined;
    let shown = 0;
    const show = () => {
      const current = outputOf(store.getState().view);
      if (!current) return;
      if (current.call !== call) {
        terminal.reset();
        call = current.call;
        shown = 0;
      }
      const { output } = current;
      if (!output || output.length <= shown) return;
      terminal.write(textSince(output, shown));
      shown = output.length;
    };
    show();
    const unsubscribe = store.subscribe(show);
    return () => {
      unsubscribe();
      close();
    };
  }, [store]);
  return (
    <>
      {none && (
        <p className="absolute inset-0 z-10 p-3 text-small text-quiet">
          No server was started yet.
        </p>
      )}
      <div ref={box} className="h-full p-2" />
    </>
  );
}
