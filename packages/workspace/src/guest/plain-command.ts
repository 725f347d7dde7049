/** Words without any character that a shell interprets. */
const PLAIN = /^[\w@%+,./:-]+$/;

/** The words of a command that needs no shell beyond splitting; undefined for any other. */
export function plainWords(command: string): [string, ...string[]] | undefined {
  const words = command.trim().split(/ +/);
  return words.every((word) => PLAIN.test(word)) ? (words as [string, ...string[]]) : undefined;
}
