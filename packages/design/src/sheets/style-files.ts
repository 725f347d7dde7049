const STYLE_FILE = /\.(?:css|pcss|postcss)$/i;
const MARKUP_FILE = /\.(?:html?|vue|svelte|astro)$/i;

/** Whether a file can hold style sheets that are read here. */
export const canHoldStyles = (path: string): boolean =>
  STYLE_FILE.test(path) || MARKUP_FILE.test(path);

/** Whether a file is a style sheet by itself. */
export const isStyleSheet = (path: string): boolean => STYLE_FILE.test(path);
