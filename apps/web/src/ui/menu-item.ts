/** The style of one menu line. */
export const MENU_ITEM =
  "flex w-full items-center gap-2 px-3 py-1.5 text-left outline-none select-none data-highlighted:bg-hover data-disabled:opacity-50 pointer-coarse:min-h-11";
