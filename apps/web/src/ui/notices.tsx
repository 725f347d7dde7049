import { useEffect, type CSSProperties } from "react";
import { Toaster } from "sonner";
import { noticesReady } from "./notice.ts";
import { useNarrow } from "./use-narrow.ts";
import { useTheme } from "./theme.ts";

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

/** Pixels: on a narrow page the header has two rows. */
const BELOW_HEADER = { top: 88 };

/** Where notices appear. */
export default function Notices() {
  const theme = useTheme((state) => state.theme);
  const narrow = useNarrow();
  // What stands within has begun to listen before this runs.
  useEffect(noticesReady, []);
  return (
    <Toaster
      theme={theme}
      // Below, in the middle or to the left, is where one writes.
      position={narrow ? "top-center" : "bottom-right"}
      style={COLOURS}
      toastOptions={{ actionButtonStyle: BUTTON }}
      offset={narrow ? BELOW_HEADER : 24}
      mobileOffset={BELOW_HEADER}
    />
  );
}
