import { Suspense, useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";
import { useOpenPorts } from "../api/terminals.ts";
import { useView } from "../live/live-context.tsx";
import { usePreviewed } from "../project/previewed-store.ts";
import { useProject } from "../project/use-project.ts";
import { useStoredLayout } from "../ui/use-stored-layout.ts";
import { useRecorder, useRecording, type Recording } from "../record/use-recorder.ts";
import { useVisual } from "../visual/use-visual.ts";
import { Crash } from "./crash.tsx";
import type { Size } from "./devices.ts";
import { FrameNotes } from "./frame-note.tsx";
import { ALLOW, SANDBOX } from "./frame-policy.ts";
import { FailedPart } from "./failed-part.tsx";
import { MarkdownSwitch, RenderedMarkdown } from "./markdown-page.tsx";
import { NoPreview } from "./no-preview.tsx";
import { countErrors } from "./page-log.ts";
import { portOrigin, previewPath, startPath } from "./preview-address.ts";
import { PreviewBar } from "./preview-bar.tsx";
import { SidePanels } from "./side-panels.tsx";
import { Stage } from "./stage.tsx";
import { useAreaPicture } from "./use-area-picture.ts";
import { useIsApi } from "./use-is-api.ts";
import { useFrame } from "./use-frame.ts";
import { useFullScreen } from "./use-full-screen.ts";
import { useMarkdownPage } from "./use-markdown-page.ts";
import { usePageLog } from "./use-page-log.ts";
import { useScheme, type Scheme } from "./use-scheme.ts";
import { useShape } from "./use-shape.ts";
import { usePreviewCommands } from "./use-preview-commands.ts";
import { words } from "../words/words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const { Part: PageDrawer } = lazyPart(() => import("./page-drawer.tsx"));
const { Part: ApiPane } = lazyPart(() => import("./api-pane.tsx"));
const { Part: AreaPicture } = lazyPart(() => import("./area-picture.tsx"));

interface PreviewProps {
  shown: boolean;
  about: ReactNode;
  /** Draws Markdown of generated code: known elements alone, without its HTML, scripts and pictures. */
  renderMarkdown: (text: string) => ReactNode;
}

/** The running app in a frame of its own origin, with browser controls; shows `about` while nothing runs. */
export function Preview({ shown, about, renderMarkdown }: PreviewProps) {
  const { id, previewOrigin } = useProject();
  const server = useView((view) => view.server);
  const first = server?.state === "up" ? server.ports[0] : undefined;
  // Stored here, so that the app returns to the same page when its server restarts.
  const [path, setPath] = useState("/");
  const [chosen, setChosen] = useState<number>();
  const [asked, setAsked] = useState(0);
  const recording = useRecording();
  const scheme = useScheme();
  // A port opened by a program in a terminal belongs to the project as well.
  const open = useOpenPorts(id);
  const ports = [...new Set([...(first === undefined ? [] : server!.ports), ...open])];
  const take = useEffectEvent((request: { port: number; path: string; serial: number }) => {
    setPath(request.path);
    setChosen(request.port);
    setAsked(request.serial);
  });
  useEffect(() => usePreviewed.subscribe(({ asked: request }) => request && take(request)), []);
  const port = chosen !== undefined && ports.includes(chosen) ? chosen : first;
  const isApi = useIsApi();
  if (port === undefined || previewOrigin === "") return <NoPreview about={about} />;
  if (isApi && port === first)
    return (
      <Suspense fallback={null}>
        <ApiPane port={port} />
      </Suspense>
    );
  return (
    <App
      // A different port is a different page, so its log and state start empty.
      key={`${port}-${asked}`}
      shown={shown}
      ports={ports}
      first={first}
      port={port}
      onPort={(next) => {
        recording.setPhase({ is: "off" });
        setPath("/");
        setChosen(next);
      }}
      origin={portOrigin(previewOrigin, port, first)}
      lasting={{ path, setPath, recording, scheme }}
      renderMarkdown={renderMarkdown}
    />
  );
}

function App({
  shown,
  ports,
  first,
  port,
  onPort,
  origin,
  lasting: { path, setPath, recording, scheme },
  renderMarkdown,
}: Pick<PreviewProps, "shown" | "renderMarkdown"> & {
  ports: number[];
  /** The port of the project's server, which uses the preview's own host name. */
  first: number | undefined;
  port: number;
  onPort: (port: number) => void;
  origin: string;
  /** Outlives this component, which is gone while the server restarts. */
  lasting: { path: string; setPath: (path: string) => void; recording: Recording; scheme: Scheme };
}) {
  const begins = useView(startPath);
  const { frame, source, address, probed, seen, isSound, command, go, onLoad } = useFrame({
    origin,
    port: port === first ? undefined : port,
    path,
    begins: port === first ? begins : "/",
    setPath,
  });
  const { log, clear, place } = usePageLog(frame, origin);
  const markdown = useMarkdownPage(frame, origin);
  const visual = useVisual(frame, origin, path);
  const recorder = useRecorder(recording, frame, origin);
  const record = () => (recorder.isOn ? recorder.close() : recorder.start(path));
  const [shape, setShape] = useShape();
  const [drawer, setDrawer] = useState(false);
  /** The notice that the person dismissed. */
  const [hidden, setHidden] = useState<string>();
  // A dismissed notice stays hidden until another appears or the page is reloaded.
  const seenKey = JSON.stringify(seen);
  const container = useRef<HTMLDivElement>(null);
  const full = useFullScreen(container);
  const layout = useStoredLayout("preview", drawer ? ["app", "page-drawer"] : ["app"]);
  const picture = useAreaPicture(frame, {
    path: path.replace(/#.*$/, ""),
    port: port === first ? undefined : port,
    dark: scheme.shown === "dark",
  });
  usePreviewCommands({
    onReload: () => command("reload"),
    onSelect: probed && (() => visual.pick(!visual.picking)),
    onRecord: probed && record,
    onPicture: picture.take,
    onConsole: () => setDrawer(!drawer),
    onScheme: scheme.flip,
    onFull: full.can && full.toggle,
    address: origin + path,
  });

  return (
    <div ref={container} className="flex h-full flex-col bg-paper">
      <PreviewBar
        path={path}
        onGo={(typed) => {
          const isOpened = go(typed);
          if (isOpened) recorder.add(`open ${previewPath(typed, origin)}`);
          return isOpened;
        }}
        onCommand={(name) => {
          if (name === "reload") recorder.add("reload");
          command(name);
        }}
        canMove={probed}
        ports={ports}
        port={port}
        onPort={onPort}
        shape={shape}
        onShape={setShape}
        scheme={scheme}
        address={origin + path}
        picking={visual.picking}
        onPick={() => visual.pick(!visual.picking)}
        recording={recorder.isOn}
        onRecord={record}
        onPicture={picture.take}
        errors={countErrors(log)}
        drawer={drawer}
        onDrawer={() => setDrawer(!drawer)}
        full={full}
      />
      <FrameNotes address={origin + path} isDenied={log.isDenied} seen={seen} />
      <FailedPart crashed={seen !== undefined && !isSound} />
      {markdown && <MarkdownSwitch page={markdown} />}
      <Group {...layout} orientation="vertical" className="min-h-0 flex-1">
        <Panel id="app" minSize={100} className="relative">
          <div className="flex h-full max-wide:flex-col">
            <div className="relative min-h-0 min-w-0 flex-1">
              <Stage shape={shape} onShape={setShape}>
                {(size: Size | undefined) => (
                  <iframe
                    key={source.again}
                    ref={frame}
                    title={words.preview.frame}
                    src={address}
                    sandbox={SANDBOX}
                    onLoad={() => {
                      setHidden(undefined);
                      onLoad();
                    }}
                    allow={ALLOW}
                    tabIndex={shown ? 0 : -1}
                    // In Chromium and Firefox the page's `prefers-color-scheme` follows this element's colour scheme. A
                    // page with the same scheme and no background shows the colour that its own tab would have.
                    className="h-full w-full bg-[canvas]"
                    style={{ colorScheme: scheme.shown, ...size }}
                  />
                )}
              </Stage>
              {markdown?.isRendered && (
                <RenderedMarkdown>{renderMarkdown(markdown.text)}</RenderedMarkdown>
              )}
            </div>
            <SidePanels recorder={recorder} visual={visual} frame={frame} origin={origin} />
          </div>
          {seen && seenKey !== hidden && !isSound && (
            <Crash
              seen={seen}
              onReload={() => command("reload")}
              onHide={() => setHidden(seenKey)}
            />
          )}
          {picture.shot && (
            <Suspense fallback={null}>
              <AreaPicture shot={picture.shot} onClose={picture.close} />
            </Suspense>
          )}
        </Panel>
        {drawer && (
          <>
            <Separator className="h-px bg-line transition-colors duration-(--appear) hover:bg-accent data-[separator=active]:bg-accent data-[separator=hover]:bg-accent" />
            <Panel id="page-drawer" defaultSize="34%" minSize={96}>
              <Suspense fallback={null}>
                <PageDrawer
                  log={log}
                  onPlace={place}
                  onClear={clear}
                  onClose={() => setDrawer(false)}
                />
              </Suspense>
            </Panel>
          </>
        )}
      </Group>
    </div>
  );
}
