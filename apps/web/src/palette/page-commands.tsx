import { useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { useCommand } from "../commands/available.ts";
import { listenForKeys } from "../commands/listen.ts";
import { showOverlay, useOverlay } from "../commands/overlay-store.ts";
import { useSettingsPlace } from "../project/settings-place.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { useTheme } from "../ui/theme.ts";
import { withWords } from "../words/words.ts";

const { Part: Overlays, load: loadOverlays } = lazyPart(() => withWords(import("./overlays.tsx")));

/** Preloads the overlays when a modifier is pressed, because a shortcut's second key and typing follow immediately. */
const loadAtKey = ({ key }: KeyboardEvent) => {
  if (key === "Control" || key === "Meta") void loadOverlays().catch(() => {});
};

/** Offers the commands of every page, and draws the overlay that they opened. */
export function PageCommands() {
  const any = useOverlay((state) => state.any);
  const navigate = useNavigate();
  const settings = useSettingsPlace();
  const choose = useTheme((state) => state.choose);
  useEffect(listenForKeys, []);
  useEffect(() => {
    window.addEventListener("keydown", loadAtKey);
    return () => window.removeEventListener("keydown", loadAtKey);
  }, []);
  useCommand("palette", () => showOverlay("all"));
  useCommand("shortcuts", () => showOverlay("shortcuts"));
  useCommand("home", () => navigate({ to: "/" }));
  useCommand("settings", () => settings.open());
  useCommand("themeSystem", () => choose("system"));
  useCommand("themeLight", () => choose("light"));
  useCommand("themeDark", () => choose("dark"));
  if (!any) return null;
  return (
    <Suspense fallback={null}>
      <Overlays />
    </Suspense>
  );
}
