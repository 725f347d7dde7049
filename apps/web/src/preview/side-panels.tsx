import { Suspense, type RefObject } from "react";
import { useDesignPreview } from "../design/use-design-preview.ts";
import { useDesignStore } from "../project/design-store.ts";
import type { Recorder } from "../record/use-recorder.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import type { Visual } from "../visual/use-visual.ts";

const { Part: RecordPanel } = lazyPart(() => import("../record/record-panel.tsx"));
const { Part: DesignPanel } = lazyPart(() => import("../design/design-panel.tsx"));
const { Part: VisualPanel } = lazyPart(() => import("../visual/visual-panel.tsx"));

/** The design panel, if it is open: beside the page, or below it on a narrow screen. */
export function DesignSide() {
  const isOpen = useDesignStore((state) => state.isOpen);
  return (
    isOpen && (
      <div className="w-80 shrink-0 max-wide:h-1/2 max-wide:w-full">
        <Suspense fallback={null}>
          <DesignPanel />
        </Suspense>
      </div>
    )
  );
}

/**
 * The steps of a check being recorded, the picked element and the design. Beside the page, or below it on a narrow
 * screen.
 */
export function SidePanels({
  recorder,
  visual,
  frame,
  origin,
}: {
  recorder: Recorder;
  visual: Visual;
  frame: RefObject<HTMLIFrameElement | null>;
  origin: string;
}) {
  useDesignPreview(frame, origin);
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
      <DesignSide />
    </>
  );
}
