import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import compileMessage from "icu-minify/compile";
import type { CompiledMessage } from "icu-minify/format";

/** Messages in ICU MessageFormat, in groups that may be nested. */
export interface Catalogue {
  [key: string]: string | Catalogue;
}

/** A compiled catalogue: text without values is a string, any other message an array. */
export interface CompiledCatalogue {
  [key: string]: CompiledMessage | CompiledCatalogue;
}

/**
 * Compiles all messages of a catalogue. Throws an error that names the first message that is not valid ICU MessageFormat.
 */
export function compileCatalogue(catalogue: Catalogue, group = ""): CompiledCatalogue {
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, message]) => {
      const name = group + key;
      if (typeof message !== "string") return [key, compileCatalogue(message, `${name}.`)];
      try {
        return [key, compileMessage(message)];
      } catch (error) {
        throw new Error(`${name} is no message: ${(error as Error).message}`, { cause: error });
      }
    }),
  );
}

/**
 * The values of a message, each with its TypeScript type, sorted by name; empty for a message without values. Throws if it
 * is not valid ICU MessageFormat, or contains a tag: the page inserts elements through a placeholder.
 */
export function valuesOf(message: string): Map<string, string> {
  const types = new Map<string, string>();
  const add = (name: string, type: string) => {
    // A value counted in one place may be shown literally in another.
    if (!types.has(name) || type !== ANY) types.set(name, type);
  };
  const visit = (elements: MessageFormatElement[]): void => {
    for (const element of elements) {
      switch (element.type) {
        case TYPE.literal:
        case TYPE.pound:
          break;
        case TYPE.argument:
          add(element.value, ANY);
          break;
        case TYPE.number:
          add(element.value, "number");
          break;
        case TYPE.date:
        case TYPE.time:
          add(element.value, "Date");
          break;
        case TYPE.plural:
          add(element.value, "number");
          Object.values(element.options).forEach((option) => visit(option.value));
          break;
        case TYPE.select:
          add(element.value, "true" in element.options ? "boolean" : "string");
          Object.values(element.options).forEach((option) => visit(option.value));
          break;
        case TYPE.tag:
          throw new Error(`<${element.value}> in a message`);
      }
    }
  };
  visit(parse(message));
  return new Map([...types].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const ANY = "string | number";

/** Each message of a catalogue with its name, such as `files.rename`. */
export function messagesIn(catalogue: Catalogue, group = ""): [name: string, message: string][] {
  return Object.entries(catalogue).flatMap(([key, message]) =>
    typeof message === "string"
      ? [[group + key, message] satisfies [string, string]]
      : messagesIn(message, `${group}${key}.`),
  );
}

/** The TypeScript source of the type that lists the values of each message. */
export function valueTypes(catalogue: Catalogue): string {
  const rows = messagesIn(catalogue).flatMap(([name, message]) => {
    const values = [...valuesOf(message)].map(([value, type]) => `${value}: ${type}`);
    return values.length === 0 ? [] : [`  "${name}": { ${values.join("; ")} };`];
  });
  return `/** The values of each message that has some. Written by \`catalogues/write-values.ts\` from the English catalogue. */
export interface MessageValues {
${rows.join("\n")}
}
`;
}
