import { useLayoutEffect, useRef } from "react";
import { appLogAddress } from "../api/publication.ts";
import { useProjectId } from "../live/live-context.tsx";
import { shownOutput } from "../ui/format.ts";
import { Select } from "../ui/select.tsx";
import { words } from "../words/words.ts";
import { useAppLog } from "./use-app-log.ts";

/** The live output of one release's app. */
export function AppLog({
  release,
  releases,
  onRelease,
}: {
  release: number;
  releases: readonly number[];
  onRelease: (release: number) => void;
}) {
  const project = useProjectId();
  const text = useAppLog(project, release);
  const screen = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    const element = screen.current;
    if (element && follows.current) element.scrollTop = element.scrollHeight;
  }, [text]);
  return (
    <section aria-labelledby="app-log">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 id="app-log" className="font-semibold">
          {words.publish.log}
        </h3>
        <span className="flex items-center gap-3 text-small">
          {releases.length > 1 && (
            <Select
              aria-label={words.publish.logOf}
              value={release}
              options={releases.map((value) => ({
                value,
                name: words.publish.ofRelease({ number: value }),
              }))}
              onChoose={onRelease}
              className="h-7 rounded border border-edge bg-paper px-1 pointer-coarse:h-11"
            />
          )}
          <a
            href={appLogAddress(project, release)}
            download
            className="text-accent hover:underline"
          >
            {words.publish.saveLog}
          </a>
        </span>
      </div>
      <pre
        ref={screen}
        dir="ltr"
        // The log scrolls, so the keyboard must reach it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="log"
        aria-labelledby="app-log"
        onScroll={({ currentTarget: at }) => {
          follows.current = at.scrollHeight - at.scrollTop - at.clientHeight < 24;
        }}
        className="mt-1 max-h-72 min-h-16 overflow-auto rounded border border-line bg-paper p-2 font-mono text-small whitespace-pre-wrap"
      >
        {text === undefined ? "" : text === "" ? words.publish.nothingPrinted : shownOutput(text)}
      </pre>
    </section>
  );
}
