import { useEffect, useRef, useState, type PointerEvent } from "react";
import { pagePicture } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { insertFiles } from "../project/inserted-files-store.ts";
import { Button } from "../ui/button.tsx";
import { areaOf, cropPicture, type Area } from "./crop-picture.ts";
import { words } from "../words/words.ts";

export interface Shot {
  path: string;
  port?: number;
  width: number;
  height: number;
  dark: boolean;
}

/**
 * A picture of the page, in which the person marks the part to put into the chat. The server's own browser takes it,
 * because a page may not look into a frame of another origin. It therefore shows the page freshly opened at the same
 * address, in a window of the same size and colours; input typed or clicked in the preview is missing, and the dialog says
 * so.
 */
export default function AreaPicture({ shot, onClose }: { shot: Shot; onClose: () => void }) {
  const project = useProjectId();
  const [picture, setPicture] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [area, setArea] = useState<Area>();
  const from = useRef<{ x: number; y: number }>(undefined);
  const image = useRef<HTMLImageElement>(null);
  const key = JSON.stringify(shot);
  useEffect(() => {
    const ended = new AbortController();
    let address: string | undefined;
    pagePicture(project, JSON.parse(key) as Shot, ended.signal)
      .then((blob) => setPicture((address = URL.createObjectURL(blob))))
      .catch((error: unknown) => {
        if (!ended.signal.aborted) setProblem(sentence(error));
      });
    return () => {
      ended.abort();
      if (address !== undefined) URL.revokeObjectURL(address);
    };
  }, [project, key]);
  const pointOf = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
  };
  const insertPicture = async () => {
    if (!image.current) return;
    try {
      insertFiles([await cropPicture(image.current, area, `page${shot.path}`)]);
      onClose();
    } catch (error) {
      setProblem(sentence(error));
    }
  };
  return (
    <section
      aria-label={words.preview.picture}
      className="absolute inset-0 z-10 flex flex-col bg-paper"
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-2 border-b border-line px-3 py-1 text-small">
        <span className="min-w-0 flex-1 text-quiet">
          {problem ? (
            <span role="alert" className="text-failed">
              {problem}
            </span>
          ) : picture ? (
            words.preview.pictureAbout
          ) : (
            words.preview.pictureComes
          )}
        </span>
        <Button
          kind="primary"
          autoFocus
          disabled={picture === undefined}
          onClick={() => void insertPicture()}
        >
          {area ? words.preview.putArea : words.preview.putAll}
        </Button>
        <Button onClick={onClose}>{words.preview.cancel}</Button>
      </div>
      <div className="min-h-0 flex-1 overflow-auto bg-hover p-3">
        {picture && (
          <div
            className="relative mx-auto w-fit cursor-crosshair overflow-hidden touch-none select-none"
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              from.current = pointOf(event);
              setArea(undefined);
            }}
            onPointerMove={(event) => {
              if (from.current) setArea(areaOf(from.current, pointOf(event)));
            }}
            onPointerUp={() => (from.current = undefined)}
          >
            <img
              ref={image}
              src={picture}
              alt={words.preview.pageAt({ path: shot.path })}
              draggable={false}
              className="block max-w-full border border-line"
            />
            {area && (
              <div
                className="absolute border-2 border-accent"
                style={{
                  left: `${area.x * 100}%`,
                  top: `${area.y * 100}%`,
                  width: `${area.width * 100}%`,
                  height: `${area.height * 100}%`,
                  boxShadow: "0 0 0 9999px rgb(0 0 0 / 0.3)",
                }}
              />
            )}
          </div>
        )}
      </div>
    </section>
  );
}
