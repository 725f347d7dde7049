import { useCallback, useEffect, useRef, useState } from "react";
import { previewPath } from "./preview-address.ts";
import { commandPreview, readPreviewMessage, type Seen } from "./preview-messages.ts";
import { readPageMessage } from "./page-messages.ts";
import { useFrameMessages } from "../live/use-frame-messages.ts";
import { useReloadWhenStale } from "./use-reload-when-stale.ts";

/**
 * The frame of the app as one drives a browser: where it is, going elsewhere, and what came of the page that is loaded.
 * @param begins where the app was seen to begin
 */
export function useFrame(options: {
  origin: string;
  path: string;
  begins: string;
  setPath: (path: string) => void;
}) {
  const { origin, path, begins, setPath } = options;
  const frame = useRef<HTMLIFrameElement>(null);
  /** Where the frame was sent; what the app did since then is in `path`. */
  const [source, setSource] = useState({ path, again: 0 });
  /** The probe speaks in this page: it can be told to move. */
  const [probed, setProbed] = useState(false);
  /** Its dev server brings changes into it: it needs no loading again. Not known while it loads. */
  const [hot, setHot] = useState<boolean>();
  /** What came of the page that is loaded; undefined until it says so. */
  const [seen, setSeen] = useState<Seen>();

  const onUpdated = useRef(() => {});
  useFrameMessages(
    frame,
    origin,
    useCallback(
      (data: unknown) => {
        if (readPageMessage(data)?.type === "updated") onUpdated.current();
        const message = readPreviewMessage(data);
        if (message?.type === "seen") setSeen(message);
        if (message?.type !== "location") return;
        setProbed(true);
        setHot(message.hot);
        setPath(message.path);
      },
      [setPath],
    ),
  );

  const send = (next: string) => {
    setPath(next);
    setProbed(false);
    setHot(undefined);
    setSeen(undefined);
    setSource((before) => ({ path: next, again: before.again + 1 }));
  };
  const command = (name: "back" | "forward" | "reload") => {
    if (name === "reload") noteReload();
    if (probed && frame.current) commandPreview(frame.current, origin, name);
    else send(path);
  };
  useEffect(() => {
    if (begins !== "/" && path === "/" && source.again === 0) send(begins);
    // Only when that is learnt: whoever goes back to the root means it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [begins]);
  const isSound = seen === undefined || (seen.rendered && !seen.thrown && !seen.overlay);
  const { noteReload, noteUpdate } = useReloadWhenStale({ hot, sound: isSound }, () =>
    command("reload"),
  );
  useEffect(() => {
    onUpdated.current = noteUpdate;
  }, [noteUpdate]);
  return {
    frame,
    source,
    probed,
    seen,
    isSound,
    send,
    command,
    /** Goes to what was typed; false when it is not an address of this app. */
    go(typed: string): boolean {
      const next = previewPath(typed, origin);
      if (next === undefined) return false;
      send(next);
      return true;
    },
    onLoad() {
      // By now its dev server's script has run, where it has one.
      setHot((known) => known ?? false);
      setSeen(undefined);
    },
  };
}
