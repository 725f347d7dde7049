import { useEffect, useRef, useState, type ReactNode } from "react";
import { clampWidth, FREE_WIDTH_PX, scaleOf, sizeOf, type Shape, type Size } from "./devices.ts";
import { words } from "../words/words.ts";

/** Margin in pixels around a window smaller than the pane. */
const MARGIN_PX = 16;
/** Pixels by which an arrow key resizes the window. */
const STEP_PX = 10;

/**
 * The window in which the app is shown: the whole pane, or a device's window, scaled down if it does not fit. A free
 * width is resized by its right edge, with the pointer or the arrow keys. The frame never moves in the DOM, because
 * that would reload it.
 */
export function Stage({
  shape,
  onShape,
  children,
}: {
  shape: Shape;
  onShape: (shape: Shape) => void;
  /** Receives the size of the window; undefined for the whole pane. */
  children: (size: Size | undefined) => ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<Size>({ width: 0, height: 0 });
  const [drawing, setDrawing] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const sizes = new ResizeObserver(() =>
      setRoom({
        width: element.clientWidth - 2 * MARGIN_PX,
        height: element.clientHeight - 2 * MARGIN_PX,
      }),
    );
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  const size = sizeOf(shape, room);
  const scale = size ? scaleOf(size, room) : 1;
  const draw = (width: number) => onShape({ kind: "free", width: clampWidth(width) });
  return (
    <div
      ref={box}
      className={`relative flex h-full items-center justify-center overflow-hidden ${size ? "bg-hover" : ""}`}
    >
      <div
        className={size ? "relative shrink-0 border border-line" : "h-full w-full"}
        style={
          size && {
            boxSizing: "content-box",
            width: Math.floor(size.width * scale),
            height: Math.floor(size.height * scale),
          }
        }
      >
        <div
          className={size ? "origin-top-left" : "h-full w-full"}
          style={
            size && {
              width: size.width,
              height: size.height,
              transform: scale < 1 ? `scale(${scale})` : undefined,
              // While the edge is dragged, the frame would take the pointer events.
              pointerEvents: drawing ? "none" : undefined,
            }
          }
        >
          {children(size)}
        </div>
        {shape.kind === "free" && (
          <div
            role="slider"
            tabIndex={0}
            aria-label={words.preview.width}
            aria-orientation="horizontal"
            aria-valuemin={FREE_WIDTH_PX.from}
            aria-valuemax={FREE_WIDTH_PX.to}
            aria-valuenow={shape.width}
            aria-valuetext={words.preview.pixels({ width: shape.width })}
            className="absolute top-0 -right-3 flex h-full w-6 cursor-ew-resize touch-none items-center justify-center"
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              setDrawing(true);
            }}
            onPointerMove={(event) => {
              if (!drawing || !box.current) return;
              const middle = box.current.getBoundingClientRect();
              // The window is centred, so both edges move and the width changes by twice the distance.
              draw(((event.clientX - (middle.left + middle.width / 2)) * 2) / scale);
            }}
            onPointerUp={() => setDrawing(false)}
            onPointerCancel={() => setDrawing(false)}
            onKeyDown={(event) => {
              const step = { ArrowLeft: -STEP_PX, ArrowRight: STEP_PX }[event.key];
              if (step === undefined) return;
              event.preventDefault();
              draw(shape.width + step * (event.shiftKey ? 10 : 1));
            }}
          >
            <span className="h-10 w-1 rounded-full bg-edge" />
          </div>
        )}
      </div>
      {size && (
        <p className="numbers pointer-events-none absolute right-2 bottom-1 rounded bg-paper px-1.5 text-small text-quiet">
          {size.width} × {Math.round(size.height)}
          {scale < 1 && ` · ${Math.round(scale * 100)} %`}
        </p>
      )}
    </div>
  );
}
