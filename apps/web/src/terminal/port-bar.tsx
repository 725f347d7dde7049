import { useState } from "react";
import { X } from "../ui/icons.ts";
import { useOpenPorts } from "../api/terminals.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { showPreview } from "../project/previewed-store.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { words } from "../words/words.ts";

/** Ports opened by programs in terminals, if there are any, each with a button to show it in the preview. */
export function PortBar() {
  const open = useOpenPorts(useProjectId());
  const own = useView((view) => view.server?.ports);
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const hide = (port: number) => setHidden(new Set([...hidden, port]));
  const offered = open.filter((port) => !own?.includes(port) && !hidden.has(port));
  // A port that was closed is offered again when it reopens.
  if ([...hidden].some((port) => !open.includes(port)))
    setHidden(new Set([...hidden].filter((port) => open.includes(port))));
  if (offered.length === 0) return null;
  return (
    <div role="status" className="max-h-24 shrink-0 overflow-y-auto border-t border-line bg-raised">
      {offered.map((port) => (
        <p key={port} className="numbers flex items-center gap-2 py-1 pr-1.5 pl-2 text-small">
          <span className="min-w-0 flex-1 truncate">{words.terminal.portOpen({ port })}</span>
          <Button
            onClick={() => {
              hide(port);
              showPreview(port);
            }}
          >
            {words.terminal.preview}
          </Button>
          <IconButton name={words.terminal.hidePort({ port })} onClick={() => hide(port)}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </p>
      ))}
    </div>
  );
}
