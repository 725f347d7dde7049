import { useCallback, useEffect, useRef, useState } from "react";
import { previewPath } from "./preview-address.ts";
import { commandPreview, readPreviewMessage, type Seen } from "./preview-messages.ts";
import { readPageMessage } from "./page-messages.ts";
import { useFrameAddress } from "./use-frame-address.ts";
import { useFrameMessages } from "../live/use-frame-messages.ts";
import { useReloadWhenStale } from "./use-reload-when-stale.ts";

/**
 * Controls the app's frame like a browser: its address, navigation, and the state of the loaded page.
 * @param begins the path on which the app starts
 */
export function useFrame(options: {
  origin: string;
  /** A port of the app; undefined for its first one. */
  port: number | undefined;
  path: string;
  begins: string;
  setPath: (path: string) => void;
}) {
  const { origin, port, path, begins, setPath } = options;
  const frame = useRef<HTMLIFrameElement>(null);
  /** The address to which the frame was sent; the app's later navigation is in `path`. */
  const [source, setSource] = useState({ path, again: 0 });
  const address = useFrameAddress(origin, port, source);
  /** Whether the probe runs in this page and can navigate it on request. */
  const [probed, setProbed] = useState(false);
  /** Whether the dev server applies hot updates, so that no reload is needed. Undefined while the page loads. */
  const [hot, setHot] = useState<boolean>();
  /** The state of the loaded page; undefined until it is reported. */
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
    // Runs only when the start path becomes known: a person who goes to the root afterwards wants the root.
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
    address,
    probed,
    seen,
    isSound,
    send,
    command,
    /** Navigates to the typed address; false if it is not an address of this app. */
    go(typed: string): boolean {
      const next = previewPath(typed, origin);
      if (next === undefined) return false;
      send(next);
      return true;
    },
    onLoad() {
      // If there is a dev server, its script has run by now.
      setHot((known) => known ?? false);
      setSeen(undefined);
    },
  };
}
