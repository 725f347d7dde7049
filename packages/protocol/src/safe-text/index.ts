/** Text of strangers (models, programs, files, servers) as it may be shown: the one home of what is taken out or shown. */
export { plainOutput, withoutControls } from "./escapes.ts";
export { headOf, tailOf } from "./cut.ts";
export { visible, visibleExactly, visibleProse, visibleText } from "./visible.ts";
