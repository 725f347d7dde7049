import { visibleProse, withoutControls } from "@treadle/protocol/safe-text";

/**
 * Text of models and programs without characters that move the cursor, change the window title or
 * hide text (A41, A42).
 */
export const plain = (text: string): string => visibleProse(withoutControls(text));
