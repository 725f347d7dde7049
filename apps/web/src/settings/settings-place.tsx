import { Suspense } from "react";
import { useSettingsPlace } from "../project/settings-place.ts";
import { withWords } from "../words/words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const { Part: SettingsDialog, load: loadSettings } = lazyPart(() =>
  withWords(import("./settings-dialog.tsx")),
);
export { loadSettings };

/** Where the settings appear as soon as the address asks for them. @param project absent: those of all projects */
export function SettingsPlace({ project }: { project?: string }) {
  const { section } = useSettingsPlace();
  if (section === undefined) return null;
  return (
    <Suspense fallback={null}>
      <SettingsDialog section={section} project={project} />
    </Suspense>
  );
}
