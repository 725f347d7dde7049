import { useLocation } from "@tanstack/react-router";
import { useEffect, type CSSProperties } from "react";
import { Toaster } from "sonner";
import { useWork } from "../project/work-store.ts";
import { noticesReady } from "../ui/notice.ts";
import { useTheme } from "../ui/theme.ts";
import { useNarrow } from "../ui/use-narrow.ts";

const COLOURS = {
  "--normal-bg": "var(--raised)",
  "--normal-border": "var(--line)",
  "--normal-text": "var(--ink)",
  "--border-radius": "6px",
  fontFamily: "inherit",
} as CSSProperties;

const BUTTON: CSSProperties = {
  height: 28,
  fontSize: 13,
  background: "var(--accent)",
  color: "var(--on-accent)",
};

/** Offsets in pixels: below the header of a narrow page, and above its bar. */
const NARROW = { top: 56, bottom: "calc(60px + env(safe-area-inset-bottom))" };

/** The place where notices appear. */
export default function Notices() {
  const theme = useTheme((state) => state.theme);
  const narrow = useNarrow();
  const isProject = useLocation({ select: ({ pathname }) => pathname.startsWith("/p/") });
  const isChat = useWork(({ pane }) => pane === "chat") && isProject;
  // Runs after the `Toaster` below has subscribed, because effects of children run first.
  useEffect(noticesReady, []);
  return (
    <Toaster
      theme={theme}
      // Avoids covering the message field, at the bottom of the conversation, and the controls at the top of other
      // panes and pages.
      position={!narrow ? "bottom-right" : isChat ? "top-center" : "bottom-center"}
      style={COLOURS}
      toastOptions={{ actionButtonStyle: BUTTON }}
      offset={narrow ? NARROW : 24}
      mobileOffset={NARROW}
    />
  );
}
