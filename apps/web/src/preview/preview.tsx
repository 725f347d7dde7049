import { useEffect, useRef, useState } from "react";
import type { ProjectView } from "../fold/types.ts";
import { useView } from "../live/live-context.tsx";
import { useProject } from "../project/use-project.ts";
import { portOrigin, previewPath } from "./preview-address.ts";
import { PreviewBar, type DeviceWidth } from "./preview-bar.tsx";
import { NoPreview } from "./no-preview.tsx";
import { Crash } from "./crash.tsx";
import { commandPreview, readPreviewMessage, type Seen } from "./preview-messages.ts";
import { useReloadWhenStale } from "./use-reload-when-stale.ts";
import { useScheme, type Scheme } from "./use-scheme.ts";

const SANDBOX =
  "allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-popups";

/** The running app in a frame of its own origin, with the controls of a browser. */
export function Preview({ shown }: { shown: boolean }) {
  const { previewOrigin } = useProject();
  const server = useView((view) => view.server);
  const first = server?.state === "up" ? server.ports[0] : undefined;
  const begins = useView(beginsAt);
  // Kept here: when its server comes back, the app comes back to the same place.
  const [path, setPath] = useState("/");
  const scheme = useScheme();
  if (first === undefined || previewOrigin === "" || !server) return <NoPreview />;
  return (
    <Frame
      shown={shown}
      ports={server.ports}
      first={first}
      previewOrigin={previewOrigin}
      path={path}
      begins={begins}
      setPath={setPath}
      scheme={scheme}
    />
  );
}

/** Where the app was seen to begin: one with a base path of its own has nothing at the root. */
const beginsAt = ({ evidence }: ProjectView) =>
  evidence?.pages.findLast(({ source }) => source === "headless")?.path ?? "/";

function Frame({
  shown,
  ports,
  first,
  previewOrigin,
  path,
  begins,
  setPath,
  scheme,
}: {
  shown: boolean;
  ports: number[];
  first: number;
  previewOrigin: string;
  path: string;
  begins: string;
  setPath: (path: string) => void;
  scheme: Scheme;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [chosen, setChosen] = useState<number>();
  /** Where the frame was sent; what the app did since then is in `path`. */
  const [source, setSource] = useState({ path, again: 0 });
  const [width, setWidth] = useState<DeviceWidth>("full");
  /** The probe speaks in this page: it can be told to move. */
  const [probed, setProbed] = useState(false);
  /** Its dev server brings changes into it: it needs no loading again. Not known while it loads. */
  const [hot, setHot] = useState<boolean>();
  /** What came of the page that is loaded; undefined until it says so. */
  const [seen, setSeen] = useState<Seen>();
  /** What the person has read, and does not want in the way. */
  const [hidden, setHidden] = useState<Seen>();
  const port = chosen !== undefined && ports.includes(chosen) ? chosen : first;
  const origin = portOrigin(previewOrigin, port, first);

  useEffect(() => {
    const onMessage = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow || event.origin !== origin) return;
      const message = readPreviewMessage(event.data);
      if (message?.type === "seen") setSeen(message);
      if (message?.type !== "location") return;
      setProbed(true);
      setHot(message.hot);
      setPath(message.path);
    };
    window.addEventListener("message", onMessage);
    return () => window.removeEventListener("message", onMessage);
  }, [origin, setPath]);

  const send = (next: string) => {
    setPath(next);
    setProbed(false);
    setHot(undefined);
    setSeen(undefined);
    setSource((before) => ({ path: next, again: before.again + 1 }));
  };
  const command = (name: "back" | "forward" | "reload") => {
    if (name === "reload") loadsAgain();
    if (probed && frame.current) commandPreview(frame.current, origin, name);
    else send(path);
  };
  useEffect(() => {
    if (begins !== "/" && path === "/" && chosen === undefined) send(begins);
    // Only when that is learnt: whoever goes back to the root means it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [begins]);
  const isSound = seen === undefined || (seen.rendered && !seen.thrown && !seen.overlay);
  const loadsAgain = useReloadWhenStale({ hot: hot ?? true, sound: isSound }, () =>
    command("reload"),
  );
  const go = (typed: string): boolean => {
    const next = previewPath(typed, origin);
    if (next === undefined) return false;
    send(next);
    return true;
  };

  return (
    <div className="flex h-full flex-col">
      <PreviewBar
        path={path}
        onGo={go}
        onCommand={command}
        canMove={probed}
        ports={ports}
        port={port}
        onPort={(next) => {
          setChosen(next);
          send("/");
        }}
        width={width}
        onWidth={setWidth}
        scheme={scheme}
        address={origin + path}
      />
      <div
        className={`relative min-h-0 flex-1 overflow-auto ${width === "full" ? "" : "flex justify-center bg-hover p-3"}`}
      >
        <iframe
          key={`${port} ${source.again}`}
          ref={frame}
          title="Preview of the app"
          src={origin + source.path}
          sandbox={SANDBOX}
          // By now its dev server's script has run, where it has one.
          onLoad={() => {
            setHot((known) => known ?? false);
            setSeen(undefined);
          }}
          allow="clipboard-write; fullscreen"
          tabIndex={shown ? 0 : -1}
          // What the page asks its browser for (`prefers-color-scheme`) is the scheme of this element, in Chromium and
          // Firefox. A page of the same scheme that has no background lets through the colour that its own tab would have.
          className={`h-full bg-[canvas] ${width === "full" ? "w-full" : "shrink-0 border border-line"}`}
          style={{ colorScheme: scheme.shown, width: width === "full" ? undefined : width }}
        />
        {seen && seen !== hidden && !isSound && (
          <Crash seen={seen} onReload={() => command("reload")} onHide={() => setHidden(seen)} />
        )}
      </div>
    </div>
  );
}
