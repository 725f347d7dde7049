import { useState } from "react";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";
import { readShape, writeShape, type Shape } from "./devices.ts";

const KEY = "treadle.preview-shape";

/** The window in which the app is shown, stored in the browser. */
export function useShape(): [Shape, (shape: Shape) => void] {
  const [shape, setShape] = useState(() => readShape(readSetting(KEY)));
  return [
    shape,
    (next) => {
      setShape(next);
      writeSetting(KEY, writeShape(next));
    },
  ];
}
