/** The style of the button that sends a message again, the same before and after its menu has loaded. */
export const RETRY_BUTTON =
  "inline-flex size-7 items-center justify-center rounded text-quiet hover:bg-hover hover:text-ink pointer-coarse:size-11";
