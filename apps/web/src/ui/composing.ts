/**
 * Whether an input method takes the key for itself: its Enter ends a composition, its Escape gives one up, and neither is
 * meant for the page. 229: some end a composition with a key that no longer says that it is composing.
 */
export const isComposing = ({ isComposing, keyCode }: KeyboardEvent): boolean =>
  isComposing || keyCode === 229;
