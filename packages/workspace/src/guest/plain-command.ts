/** What no shell would read as anything but itself. */
const PLAIN = /^[\w@%+,./:-]+$/;

/** The words of a command that a shell would do nothing to but split; undefined for any other. */
export function plainWords(command: string): [string, ...string[]] | undefined {
  const words = command.trim().split(/ +/);
  return words.every((word) => PLAIN.test(word)) ? (words as [string, ...string[]]) : undefined;
}
