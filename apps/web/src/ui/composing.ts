/**
 * Whether an input method handles the key itself: its Enter ends a composition and its Escape cancels one. 229: the key
 * code that some input methods send after they stop reporting a composition.
 */
export const isComposing = ({ isComposing, keyCode }: KeyboardEvent): boolean =>
  isComposing || keyCode === 229;
