import type { ReactNode } from "react";
import { Code as CodeIcon, Ellipsis, MessageSquare, PanelTop } from "../ui/icons.ts";
import { Conversation } from "../conversation/conversation.tsx";
import { WorkArea } from "./work-area.tsx";
import { closeTerminals } from "../project/terminals-store.ts";
import { useWork, type Pane } from "../project/work-store.ts";
import { More } from "./more.tsx";
import { words } from "../words/words.ts";

const PANES: { id: Pane; icon: ReactNode }[] = [
  { id: "chat", icon: <MessageSquare size={18} aria-hidden="true" /> },
  { id: "preview", icon: <PanelTop size={18} aria-hidden="true" /> },
  { id: "code", icon: <CodeIcon size={18} aria-hidden="true" /> },
  { id: "more", icon: <Ellipsis size={18} aria-hidden="true" /> },
];

/** One pane at a time, with a bar at the bottom. Panes stay mounted, so that a draft or a page survives switching. */
export function NarrowLayout() {
  const pane = useWork((state) => state.pane);
  const showPane = useWork((state) => state.showPane);
  const work = pane === "preview" || pane === "code";
  return (
    <div className="flex h-full flex-col">
      <div className="relative min-h-0 flex-1">
        <div className={pane === "chat" ? "h-full" : "hidden"}>
          <Conversation />
        </div>
        <div className={work ? "h-full" : "hidden"}>
          <WorkArea narrow />
        </div>
        {pane === "more" && <More />}
      </div>
      <nav
        aria-label={words.workbench.paneBar}
        className="flex shrink-0 border-t border-line pb-[env(safe-area-inset-bottom)]"
      >
        {PANES.map(({ id, icon }) => (
          <button
            key={id}
            type="button"
            aria-current={pane === id ? "page" : undefined}
            onClick={() => {
              // The terminals are below the code and would take half of another pane's height.
              if (pane === "code" && id !== "code") closeTerminals();
              showPane(id);
            }}
            className={`flex h-13 flex-1 flex-col items-center justify-center gap-0.5 text-small -outline-offset-2 ${
              pane === id ? "text-accent" : "text-quiet"
            }`}
          >
            {icon}
            {words.workbench.panes[id]}
          </button>
        ))}
      </nav>
    </div>
  );
}
