import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { valuesOf } from "./compile.ts";

/** The sentences of one group, by their codes, in ICU MessageFormat. */
export type Sentences = Readonly<Record<string, string>>;

const VALUE_TYPE = 'import type { Value } from "';

/**
 * The TypeScript source of one group of the server's English sentences: a function for each code. The server, the command
 * line and the client library format them without a parser or a library.
 * @param name of the exported constant
 */
export function englishSource(name: string, sentences: Sentences): string {
  const functions = functionsOf(sentences, "en");
  const needsValue = functions.includes(": Value");
  return `${needsValue ? `${VALUE_TYPE}../types.ts";\n\n` : ""}\
/** Written by \`catalogues/write-values.ts\` of the page from its English catalogue. */
export const ${name} = {
${functions}
};
`;
}

/**
 * The TypeScript source of one group in the other languages, for pages that the server itself shows.
 * @param name of the exported constant, which has a field for each language
 */
export function translatedSource(name: string, byTag: Readonly<Record<string, Sentences>>): string {
  const languages = Object.entries(byTag).map(
    ([tag, sentences]) => `  "${tag}": {\n${functionsOf(sentences, tag)}\n  },`,
  );
  return `type Value = string | number;

/** Written by \`catalogues/write-values.ts\` of the page from its catalogues. */
export const ${name} = {
${languages.join("\n")}
};
`;
}

function functionsOf(sentences: Sentences, tag: string): string {
  const functions = Object.entries(sentences).map(([code, message]) => {
    const types = [...valuesOf(message)];
    const names = types.map(([value]) => value).join(", ");
    const fields = types.map(([value, type]) => `${value}: ${type === "number" ? type : "Value"}`);
    const parameters = types.length === 0 ? "" : `{ ${names} }: { ${fields.join("; ")} }`;
    return `  "${code}": (${parameters}) => ${templateOf(parse(message), tag)},`;
  });
  return functions.join("\n");
}

/** A string or template literal for a message. `counted` is the value that a number sign stands for. */
function templateOf(elements: readonly MessageFormatElement[], tag: string, counted = ""): string {
  if (elements.every((element) => element.type === TYPE.literal))
    return JSON.stringify(elements.map(({ value }) => value).join(""));
  return `\`${elements.map((element) => partOf(element, tag, counted)).join("")}\``;
}

function partOf(element: MessageFormatElement, tag: string, counted: string): string {
  switch (element.type) {
    case TYPE.literal:
      return element.value.replace(/[\\`]|\$(?=\{)/g, "\\$&");
    case TYPE.argument:
      return `\${${element.value}}`;
    case TYPE.pound:
      return `\${${counted}.toLocaleString("${tag}")}`;
    case TYPE.number:
      return `\${${element.value}.toLocaleString("${tag}")}`;
    case TYPE.plural:
    case TYPE.select: {
      const { other, ...options } = element.options;
      const { value } = element;
      const branch = (option: typeof other) =>
        templateOf(option?.value ?? [], tag, element.type === TYPE.plural ? value : counted);
      // Of these languages, English and Portuguese have another form, "one" for 1, and Portuguese for 0 as well.
      const one = tag.startsWith("pt") ? `Math.floor(Math.abs(${value})) < 2` : `${value} === 1`;
      const condition = (key: string) =>
        element.type === TYPE.select
          ? `${value} === ${JSON.stringify(key)}`
          : key === "one"
            ? one
            : `${value} === ${key.slice(1)}`;
      const choices = Object.entries(options).map(
        ([key, option]) => `${condition(key)} ? ${branch(option)} : `,
      );
      return `\${${choices.join("")}${branch(other)}}`;
    }
    default:
      throw new Error("A sentence of the server has dates, times or tags.");
  }
}
