/** The beginning of a text, at most `size` characters. */
export const cut = (text: unknown, size = 2000): string => String(text).slice(0, size);
