import {
  ArrowLeft,
  ArrowRight,
  Camera,
  ExternalLink,
  ListVideo,
  Maximize,
  Minimize,
  Moon,
  MousePointerClick,
  RotateCw,
  SquareChevronRight,
  Sun,
} from "../ui/icons.ts";
import { IconButton } from "../ui/button.tsx";
import { AddressField } from "./address-field.tsx";
import { DeviceMenu } from "./device-menu.tsx";
import type { Shape } from "./devices.ts";
import { MoreTools } from "./more-tools.tsx";
import { PortMenu } from "./port-menu.tsx";
import type { FullScreen } from "./use-full-screen.ts";
import type { Scheme } from "./use-scheme.ts";
import { useNarrow } from "../ui/use-narrow.ts";
import { keysHint } from "../commands/hint.ts";
import { words } from "../words/words.ts";

export interface PreviewBarProps {
  path: string;
  onGo: (typed: string) => boolean;
  onCommand: (command: "back" | "forward" | "reload") => void;
  canMove: boolean;
  ports: number[];
  port: number;
  onPort: (port: number) => void;
  shape: Shape;
  onShape: (shape: Shape) => void;
  scheme: Scheme;
  address: string;
  /** Whether the person is picking an element. */
  picking: boolean;
  onPick: () => void;
  /** Whether a check is being recorded. */
  recording: boolean;
  onRecord: () => void;
  onPicture: () => void;
  /** Number of errors that the page logged or threw. */
  errors: number;
  drawer: boolean;
  onDrawer: () => void;
  full: FullScreen;
}

const PRESSED = "aria-pressed:bg-hover aria-pressed:text-accent";

/** The preview's browser controls, such as reload and the address, and its developer tools. */
export function PreviewBar(props: PreviewBarProps) {
  const { path, onGo, onCommand, canMove, shape, scheme, picking, drawer, full } = props;
  const narrow = useNarrow();
  const consoleName =
    props.errors > 0
      ? words.preview.consoleErrors({ errors: props.errors })
      : words.preview.consoleAnd;
  const fullName = full.on ? words.preview.leaveFull : words.preview.full;
  return (
    <div
      role="toolbar"
      aria-label={words.preview.bar}
      className="flex h-9 shrink-0 items-center gap-0.5 border-b border-line px-1.5 pointer-coarse:h-12"
    >
      <IconButton name={words.preview.back} disabled={!canMove} onClick={() => onCommand("back")}>
        <ArrowLeft size={16} aria-hidden="true" />
      </IconButton>
      <IconButton
        name={words.preview.forward}
        className="max-wide:hidden"
        disabled={!canMove}
        onClick={() => onCommand("forward")}
      >
        <ArrowRight size={16} aria-hidden="true" />
      </IconButton>
      <IconButton
        name={words.preview.reload}
        {...keysHint("reload", words.preview.reload)}
        onClick={() => onCommand("reload")}
      >
        <RotateCw size={15} aria-hidden="true" />
      </IconButton>
      <AddressField path={path} onGo={onGo} />
      {(!narrow || props.ports.length > 1) && (
        <PortMenu ports={props.ports} port={props.port} onPort={props.onPort} />
      )}
      <span className="contents max-wide:hidden">
        <DeviceMenu shape={shape} onShape={props.onShape} />
      </span>
      <IconButton
        name={words.preview.select}
        {...keysHint("select", words.preview.select)}
        aria-pressed={picking}
        className={`${PRESSED} max-wide:hidden`}
        disabled={!canMove}
        onClick={props.onPick}
      >
        <MousePointerClick size={16} aria-hidden="true" />
      </IconButton>
      <IconButton
        name={words.record.title}
        {...keysHint("recordCheck", words.record.title)}
        aria-pressed={props.recording}
        className={`${PRESSED} max-wide:hidden`}
        disabled={!canMove}
        onClick={props.onRecord}
      >
        <ListVideo size={16} aria-hidden="true" />
      </IconButton>
      <IconButton
        name={words.preview.takePicture}
        {...keysHint("picture", words.preview.takePicture)}
        className="max-wide:hidden"
        onClick={props.onPicture}
      >
        <Camera size={16} aria-hidden="true" />
      </IconButton>
      <IconButton
        name={consoleName}
        {...keysHint("console", consoleName)}
        aria-pressed={drawer}
        className={`relative ${PRESSED}`}
        onClick={props.onDrawer}
      >
        <SquareChevronRight size={16} aria-hidden="true" />
        {props.errors > 0 && (
          <span className="absolute top-0.5 right-0.5 size-2 rounded-full bg-failed" />
        )}
      </IconButton>
      <IconButton
        name={words.preview.showIn[scheme.other]}
        {...keysHint("scheme", words.preview.showIn[scheme.other])}
        className="max-wide:hidden"
        onClick={scheme.flip}
      >
        {scheme.other === "dark" ? (
          <Moon size={15} aria-hidden="true" />
        ) : (
          <Sun size={15} aria-hidden="true" />
        )}
      </IconButton>
      {full.can && (
        <IconButton
          name={fullName}
          {...keysHint("fullScreen", fullName)}
          className="max-wide:hidden"
          onClick={full.toggle}
        >
          {full.on ? (
            <Minimize size={15} aria-hidden="true" />
          ) : (
            <Maximize size={15} aria-hidden="true" />
          )}
        </IconButton>
      )}
      {narrow && (
        <MoreTools
          tools={[
            { name: words.preview.forward, onChoose: () => onCommand("forward") },
            ...(canMove
              ? [
                  { name: words.preview.select, onChoose: props.onPick },
                  { name: words.record.title, onChoose: props.onRecord },
                ]
              : []),
            { name: words.preview.takePicture, onChoose: props.onPicture },
            { name: words.preview.showIn[scheme.other], onChoose: scheme.flip },
            ...(full.can ? [{ name: fullName, onChoose: full.toggle }] : []),
            { name: words.preview.openTab, href: props.address },
          ]}
        />
      )}
      <a
        href={props.address}
        target="_blank"
        rel="noopener"
        aria-label={words.preview.openTab}
        {...keysHint("ownTab", words.preview.openTab)}
        className="inline-flex size-7 shrink-0 items-center justify-center rounded text-quiet hover:bg-hover hover:text-ink max-wide:hidden pointer-coarse:size-11"
      >
        <ExternalLink size={16} aria-hidden="true" />
      </a>
    </div>
  );
}
