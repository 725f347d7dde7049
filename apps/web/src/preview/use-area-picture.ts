import { useState, type RefObject } from "react";
import type { Shot } from "./area-picture.tsx";

/** Maximum width and height of the picture in pixels; a larger one would be scaled down for the model. */
const MAX_PICTURE_SIDE_PX = 1_560;

const side = (pixels: number) => Math.min(MAX_PICTURE_SIDE_PX, Math.max(200, pixels));

/** The picture of the page in the frame from which the person cuts an area; undefined until one is taken. */
export function useAreaPicture(
  frame: RefObject<HTMLIFrameElement | null>,
  page: Pick<Shot, "path" | "port" | "dark">,
) {
  const [shot, setShot] = useState<Shot>();
  return {
    shot,
    close: () => setShot(undefined),
    take() {
      const { clientWidth, clientHeight } = frame.current ?? { clientWidth: 0, clientHeight: 0 };
      setShot({ ...page, width: side(clientWidth), height: side(clientHeight) });
    },
  };
}
