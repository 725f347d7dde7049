import { Suspense } from "react";
import type { Recorder } from "../record/use-recorder.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import type { Visual } from "../visual/use-visual.ts";

const { Part: RecordPanel } = lazyPart(() => import("../record/record-panel.tsx"));
const { Part: VisualPanel } = lazyPart(() => import("../visual/visual-panel.tsx"));

/** The steps of a check being recorded, and the picked element. Beside the page, or below it on a narrow screen. */
export function SidePanels({ recorder, visual }: { recorder: Recorder; visual: Visual }) {
  return (
    <>
      {recorder.isOn && (
        <div className="w-80 shrink-0 max-wide:h-1/2 max-wide:w-full">
          <Suspense fallback={null}>
            <RecordPanel recorder={recorder} />
          </Suspense>
        </div>
      )}
      {visual.picked && (
        <div className="w-72 shrink-0 max-wide:h-1/2 max-wide:w-full">
          <Suspense fallback={null}>
            <VisualPanel visual={visual} />
          </Suspense>
        </div>
      )}
    </>
  );
}
