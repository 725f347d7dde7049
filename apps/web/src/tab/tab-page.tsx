import { plainOutput } from "@treadle/protocol/safe-text";
import { useEffect, useRef, useState } from "react";
import { useParams } from "@tanstack/react-router";
import { words } from "../words/words.ts";
import { runProject, type TabState } from "./run-project.ts";

/** Maximum characters of output retained on the page. */
const MAX_OUTPUT_CHARS = 20_000;
/** A container that has not started by then may be blocked; its package would wait silently. In milliseconds. */
const LONG_MS = 20_000;

/**
 * The page in which a project runs, if its settings say so: it starts a container and carries out the server's requests. It
 * is isolated from all other pages, so it has its own URL and never opens within the workbench.
 */
export function TabPage() {
  const { project } = useParams({ from: "/tab/$project" });
  const frame = useRef<HTMLIFrameElement>(null);
  const [{ state, why }, setState] = useState<{ state: TabState; why?: string | undefined }>(
    crossOriginIsolated ? { state: "starting" } : { state: "broken", why: words.tab.notIsolated },
  );
  const [command, setCommand] = useState<string>();
  const [preview, setPreview] = useState<string>();
  const [output, setOutput] = useState("");
  useEffect(() => {
    if (!crossOriginIsolated) return;
    return runProject(project, {
      onState: (next, reason) => setState({ state: next, why: reason }),
      onCommand: setCommand,
      onOutput: (text) =>
        setOutput((before) => (before + plainOutput(text)).slice(-MAX_OUTPUT_CHARS)),
      onPreview: setPreview,
      frame: () => frame.current,
    });
  }, [project]);
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (state !== "starting") return undefined;
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [state]);
  // The frame element stays the same, because a look opens its own pages in it.
  useEffect(() => {
    if (preview !== undefined && frame.current) frame.current.src = preview;
  }, [preview]);
  return (
    <main id="main" tabIndex={-1} className="flex h-full flex-col">
      <header className="border-b border-line px-4 py-2">
        <h1 className="font-semibold">{words.tab.title}</h1>
        <p role="status" data-state={state}>
          {words.tab.states[state]}
          {why === undefined ? "" : ` ${why}`}
          {isLong && ` ${words.tab.notYet}`}
          {command !== undefined && <span className="font-mono"> {command}</span>}
        </p>
        <p className="text-small text-quiet">{words.tab.about}</p>
      </header>
      <iframe
        ref={frame}
        title={words.tab.preview}
        allow="cross-origin-isolated"
        className={`min-h-0 flex-2 bg-white ${preview === undefined ? "hidden" : ""}`}
      />
      <pre
        tabIndex={0}
        aria-label={words.tab.output}
        className="min-h-0 flex-1 overflow-auto border-t border-line p-3 text-small whitespace-pre-wrap"
      >
        {output}
      </pre>
    </main>
  );
}
