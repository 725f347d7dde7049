/** Words before another command, which they run. */
const CARRIERS = new Set(["npx", "bunx", "pnpx", "exec", "cross-env", "env", "dotenv", "--"]);

export const isAssignment = (word = ""): boolean => /^[A-Za-z_]\w*=/.test(word);

/** Whether a word precedes the program that a command runs. */
export const isBefore = (word = ""): boolean => isAssignment(word) || CARRIERS.has(word);
