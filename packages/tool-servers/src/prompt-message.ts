/** Maximum characters of the prompt's name. */
const NAME = 100;

/**
 * A server's prompt as the text of a message, which the person sees before sending it. It is a code
 * block, so that its extent is visible, and nothing in it mentions a file or address of the
 * person's.
 */
export function promptMessage(server: string, prompt: string, text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  const name = prompt
    .replaceAll(/[`\s\p{Cf}]+/gu, " ")
    .trim()
    .slice(0, NAME);
  return `Do what this prompt of the tool server “${server}” asks for (\`${name}\`):\n\n${fence}text\n${text}\n${fence}\n`;
}
