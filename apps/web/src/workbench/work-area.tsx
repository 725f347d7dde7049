import { Tabs } from "@base-ui/react/tabs";
import { Suspense, useEffect } from "react";
import { Group, Panel } from "react-resizable-panels";
import { SquareTerminal } from "../ui/icons.ts";
import { keysHint } from "../commands/hint.ts";
import { loadMarkdown, Markdown, warmMarkdown } from "../conversation/markdown.tsx";
import { TerminalPanel } from "../terminal/terminal-panel.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { loadAhead } from "../ui/load-ahead.ts";
import { Splitter } from "../ui/splitter.tsx";
import type { WorkTab } from "../project/follow.ts";
import { useStoredLayout } from "../ui/use-stored-layout.ts";
import { Readme } from "./readme.tsx";
import { Preview } from "../preview/preview.tsx";
import { useMay } from "../project/use-may.ts";
import { useWork } from "../project/work-store.ts";
import { toggleTerminals, useTerminalsShown } from "../project/terminals-store.ts";
import { words } from "../words/words.ts";

const codePane = () => import("../files/code-pane.tsx");
const { Part: Code, load: loadCode } = lazyPart(codePane);
const { Part: Changes, load: loadChanges } = lazyPart(() => import("../changes/changes.tsx"));

const TABS: readonly WorkTab[] = ["preview", "code", "changes"];

/** The running app, its source and its changes, with the terminals below. */
export function WorkArea({ narrow = false }: { narrow?: boolean }) {
  const tab = useWork((state) => state.tab);
  const mayUseTerminals = useMay("project.terminals");
  const terminal = useTerminalsShown((state) => state.shown) && mayUseTerminals;
  const { chooseTab } = useWork.getState();
  // Preloads the editor and the Markdown parser, so that the first file and the first answer need not wait for them.
  useEffect(
    () =>
      loadAhead([
        loadMarkdown,
        warmMarkdown,
        loadCode,
        () => codePane().then(({ warmEditor }) => warmEditor()),
        loadChanges,
      ]),
    [],
  );
  // The bar of a narrow page already selects the preview.
  const bare = narrow && tab === "preview";
  const withTerminal = terminal && !bare;
  const layout = useStoredLayout("work", withTerminal ? ["tabs", "terminal"] : ["tabs"]);
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(next) => chooseTab(next as WorkTab)}
      className="flex h-full flex-col"
    >
      <div
        className={`flex h-9 shrink-0 items-stretch border-b border-line pr-2 ${bare ? "hidden" : ""}`}
      >
        <Tabs.List className="flex" aria-label={words.workbench.work}>
          {TABS.filter((id) => !narrow || id !== "preview").map((id) => (
            <Tabs.Tab
              key={id}
              value={id}
              {...keysHint(id, words.workbench.panes[id])}
              className="border-b-2 border-transparent px-3 text-quiet -outline-offset-2 hover:text-ink data-active:border-accent data-active:text-ink"
            >
              {words.workbench.panes[id]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <span className="flex-1" />
        {mayUseTerminals && (
          <button
            type="button"
            aria-pressed={terminal}
            {...keysHint("terminal", words.workbench.terminal)}
            onClick={toggleTerminals}
            className={`my-1 inline-flex items-center gap-1.5 rounded px-2 text-small hover:bg-hover ${terminal ? "text-ink" : "text-quiet hover:text-ink"}`}
          >
            <SquareTerminal size={16} aria-hidden="true" /> {words.workbench.terminal}
          </button>
        )}
      </div>
      <Group {...layout} orientation="vertical" className="min-h-0 flex-1">
        <Panel id="tabs" minSize={120}>
          <Tabs.Panel value="preview" keepMounted className="h-full -outline-offset-2">
            <Preview
              shown={tab === "preview"}
              about={<Readme />}
              renderMarkdown={(text) => <Markdown text={text} streaming={false} />}
            />
          </Tabs.Panel>
          <Tabs.Panel value="code" className="h-full -outline-offset-2">
            <Suspense fallback={<p className="p-4 text-quiet">{words.workbench.openingEditor}</p>}>
              <Code narrow={narrow} />
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="changes" className="h-full -outline-offset-2">
            <Suspense fallback={<p className="p-4 text-quiet">{words.changes.comparing}</p>}>
              <Changes />
            </Suspense>
          </Tabs.Panel>
        </Panel>
        {withTerminal && (
          <>
            <Splitter name={words.workbench.splitters.terminal} between="rows" />
            <Panel id="terminal" defaultSize="32%" minSize={96}>
              <TerminalPanel />
            </Panel>
          </>
        )}
      </Group>
    </Tabs.Root>
  );
}
