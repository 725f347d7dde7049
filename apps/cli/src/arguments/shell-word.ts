/** A text as bash, zsh and other shells of POSIX's kind read it back: one word, whatever is in it. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
