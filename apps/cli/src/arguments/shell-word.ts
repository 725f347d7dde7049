/** Quotes a text as one word for bash, zsh and other POSIX shells. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
