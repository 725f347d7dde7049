import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { valuesOf } from "./compile.ts";

/** The sentences of one group, by their codes, in ICU MessageFormat. */
export type Sentences = Readonly<Record<string, string>>;

/**
 * The TypeScript source of one group of the server's English sentences: a function for each code. The server, the command
 * line and the client library format them without a parser or a library.
 * @param name of the exported constant
 */
export function englishSource(name: string, sentences: Sentences): string {
  const functions = Object.entries(sentences).map(([code, message]) => {
    const types = [...valuesOf(message)];
    const names = types.map(([value]) => value).join(", ");
    const fields = types.map(([value, type]) => `${value}: ${type === "number" ? type : "Value"}`);
    const parameters = types.length === 0 ? "" : `{ ${names} }: { ${fields.join("; ")} }`;
    return `  "${code}": (${parameters}) => ${templateOf(parse(message))},`;
  });
  const needsValue = functions.some((text) => text.includes(": Value"));
  return `${needsValue ? 'import type { Value } from "../types.ts";\n\n' : ""}\
/** Written by \`catalogues/write-values.ts\` of the page from its English catalogue. */
export const ${name} = {
${functions.join("\n")}
};
`;
}

/** A string or template literal for a message. `counted` is the value that a number sign stands for. */
function templateOf(elements: readonly MessageFormatElement[], counted = ""): string {
  if (elements.every((element) => element.type === TYPE.literal))
    return JSON.stringify(elements.map(({ value }) => value).join(""));
  return `\`${elements.map((element) => partOf(element, counted)).join("")}\``;
}

function partOf(element: MessageFormatElement, counted: string): string {
  switch (element.type) {
    case TYPE.literal:
      return element.value.replace(/[\\`]|\$(?=\{)/g, "\\$&");
    case TYPE.argument:
      return `\${${element.value}}`;
    case TYPE.pound:
      return `\${${counted}.toLocaleString("en")}`;
    case TYPE.number:
      return `\${${element.value}.toLocaleString("en")}`;
    case TYPE.plural:
    case TYPE.select: {
      const { other, ...options } = element.options;
      const { value } = element;
      const branch = (option: typeof other) =>
        templateOf(option?.value ?? [], element.type === TYPE.plural ? value : counted);
      // English has two plural forms, "one" for 1 and "other".
      const condition = (key: string) =>
        element.type === TYPE.select
          ? `${value} === ${JSON.stringify(key)}`
          : `${value} === ${key === "one" ? "1" : key.slice(1)}`;
      const choices = Object.entries(options).map(
        ([key, option]) => `${condition(key)} ? ${branch(option)} : `,
      );
      return `\${${choices.join("")}${branch(other)}}`;
    }
    default:
      throw new Error("A sentence of the server has dates, times or tags.");
  }
}
