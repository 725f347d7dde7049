/** Makes untrusted text (from models, programs, files, servers) safe to display. */
export { plainOutput, withoutControls } from "./escapes.ts";
export { headOf, tailOf } from "./cut.ts";
export { visible, visibleExactly, visibleProse, visibleText } from "./visible.ts";
