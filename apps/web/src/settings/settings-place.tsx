import { Suspense } from "react";
import { useSettingsPlace } from "../project/settings-place.ts";
import { withWords } from "../words/words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const { Part: SettingsDialog, load: loadSettings } = lazyPart(() =>
  withWords(import("./settings-dialog.tsx")),
);
export { loadSettings };

/** Shows the settings while the URL names a section of them. @param project undefined for those of all projects */
export function SettingsPlace({ project }: { project?: string }) {
  const { section } = useSettingsPlace();
  if (section === undefined) return null;
  return (
    <Suspense fallback={null}>
      <SettingsDialog section={section} project={project} />
    </Suspense>
  );
}
