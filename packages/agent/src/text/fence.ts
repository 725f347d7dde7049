/**
 * Marks text that comes from the project or its output as data: the model must not take it for instructions. A closing
 * tag inside the text is escaped, so that the text cannot leave its fence.
 */
export function fence(name: string, text: string): string {
  const closing = new RegExp(`</(?=${name}>)`, "gi");
  return `<${name}>\n${text.replaceAll(closing, "<\\/")}\n</${name}>`;
}
