import { visibleProse, withoutControls } from "@treadle/protocol/safe-text";

/** Text of models and programs without what moves the cursor, retitles the window or hides itself (A41, A42). */
export const plain = (text: string): string => visibleProse(withoutControls(text));
