import { useCallback, useEffect, useRef, useState } from "react";
import { useView } from "../live/live-context.tsx";
import { useProject } from "../project/use-project.ts";
import { previewPath } from "./preview-address.ts";
import { PreviewBar, type DeviceWidth } from "./preview-bar.tsx";
import { NoPreview } from "./no-preview.tsx";
import { commandPreview, readPreviewMessage } from "./preview-messages.ts";

const SANDBOX =
  "allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-popups";

/** The running app in a frame of its own origin, with the controls of a browser. */
export function Preview({ shown }: { shown: boolean }) {
  const { previewOrigin } = useProject();
  const server = useView((view) => view.server);
  const frame = useRef<HTMLIFrameElement>(null);
  const [path, setPath] = useState("/");
  /** Where the frame was sent; what the app did since then is in `path`. */
  const [source, setSource] = useState({ path: "/", again: 0 });
  const [width, setWidth] = useState<DeviceWidth>("full");
  /** The probe speaks in this page: it can be told to move. */
  const [probed, setProbed] = useState(false);
  const up = server?.state === "up" && server.ports.length > 0;

  useEffect(() => {
    const onMessage = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow || event.origin !== previewOrigin) return;
      const message = readPreviewMessage(event.data);
      if (!message) return;
      setProbed(true);
      setPath(message.path);
    };
    window.addEventListener("message", onMessage);
    return () => window.removeEventListener("message", onMessage);
  }, [previewOrigin]);

  const command = useCallback(
    (name: "back" | "forward" | "reload") => {
      if (probed && frame.current) commandPreview(frame.current, previewOrigin, name);
      else setSource((before) => ({ path, again: before.again + 1 }));
    },
    [path, previewOrigin, probed],
  );
  const go = (typed: string): boolean => {
    const next = previewPath(typed, previewOrigin);
    if (next === undefined) return false;
    setPath(next);
    setSource((before) => ({ path: next, again: before.again + 1 }));
    return true;
  };

  if (!up || previewOrigin === "") return <NoPreview />;
  return (
    <div className="flex h-full flex-col">
      <PreviewBar
        path={path}
        onGo={go}
        onCommand={command}
        canMove={probed}
        ports={server.ports}
        width={width}
        onWidth={setWidth}
        address={previewOrigin + path}
      />
      <div
        className={`min-h-0 flex-1 overflow-auto ${width === "full" ? "" : "flex justify-center bg-hover p-3"}`}
      >
        <iframe
          key={source.again}
          ref={frame}
          title="Preview of the app"
          src={previewOrigin + source.path}
          sandbox={SANDBOX}
          allow="clipboard-write; fullscreen"
          tabIndex={shown ? 0 : -1}
          onLoad={() => setPath((now) => now)}
          // A page without a background of its own is white, as in a browser window.
          className={`h-full bg-[#fff] [color-scheme:normal] ${width === "full" ? "w-full" : "shrink-0 border border-line"}`}
          style={width === "full" ? undefined : { width }}
        />
      </div>
    </div>
  );
}
