import type { CompiledMessage } from "icu-minify/format";
import type * as FirstWords from "./en/first-load.ts";
import type * as LaterWords from "./en/later.ts";
import { formatMessage } from "./format-message.ts";
import { isLanguage, LANGUAGES, preferredLanguage, type Language } from "./languages.ts";
import type { MessageValues } from "./message-values.ts";

type Catalogue = typeof FirstWords & typeof LaterWords;

/** A catalogue as the page uses it: a message with placeholders is a function of their values, any other a string. */
type Messages<Group, Path extends string = ""> = {
  readonly [Key in keyof Group & string]: Group[Key] extends string
    ? `${Path}${Key}` extends infer Name extends keyof MessageValues
      ? (values: MessageValues[Name]) => string
      : string
    : Messages<Group[Key], `${Path}${Key}.`>;
};

/** All texts of the page, by the folder that shows them. */
type Words = Messages<Catalogue>;

const LOADERS: Record<
  Language,
  { first: () => Promise<typeof FirstWords>; later: () => Promise<typeof LaterWords> }
> = {
  en: { first: () => import("./en/first-load.ts"), later: () => import("./en/later.ts") },
  zh: { first: () => import("./zh/first-load.ts"), later: () => import("./zh/later.ts") },
  ja: { first: () => import("./ja/first-load.ts"), later: () => import("./ja/later.ts") },
  pt: { first: () => import("./pt/first-load.ts"), later: () => import("./pt/later.ts") },
};

/**
 * The texts, in the person's language. They are read while something is shown, never while a module is loaded: by then
 * they have not come.
 */
export const words = {} as Words;

let language: Language = "en";

/** The language that is shown, as `Intl` and `<html lang>` write it. */
export const languageTag = (): string => LANGUAGES[language].tag;

let lists: { tag: string; format: Intl.ListFormat } | undefined;

/** Names side by side, as the language has them: `a, b, c`, `a、b、c`. */
export function listed(names: readonly string[]): string {
  const tag = languageTag();
  if (lists?.tag !== tag) lists = { tag, format: new Intl.ListFormat(tag, { style: "narrow" }) };
  return lists.format.format(names);
}

/** A catalogue as the build compiles it; its type is that of the source. */
interface Compiled {
  [key: string]: CompiledMessage | Compiled;
}

type Message = string | ((values: Record<string, unknown>) => string);
interface Usable {
  [key: string]: Message | Usable;
}

function usable(compiled: Compiled): Usable {
  const tag = languageTag();
  return Object.fromEntries(
    Object.entries(compiled).map(([key, message]) => {
      if (typeof message === "string") return [key, message];
      if (Array.isArray(message))
        return [key, (values: Record<string, unknown>) => formatMessage(message, tag, values)];
      return [key, usable(message)];
    }),
  );
}

/** Adds texts in the language that is shown; those that are there already stay. */
export function addWords(more: Partial<Catalogue>): void {
  // The types are those of the catalogues' sources: the build compiles what the type checker sees as plain JSON.
  Object.assign(words, usable({ ...more } as unknown as Compiled));
}

/** A message that was chosen by a key, whether it has a place for the values or not. */
export const filled = <Values>(message: string | ((values: Values) => string), values: Values) =>
  typeof message === "string" ? message : message(values);

/**
 * Loads the texts of the first page, before anything is drawn.
 * @param stored the language that the person chose; what is none of ours counts as no choice
 * @param preferred the browser's languages, the dearest first
 */
export async function startWords(stored: string | undefined, preferred: readonly string[]) {
  language = isLanguage(stored) ? stored : preferredLanguage(preferred);
  document.documentElement.lang = languageTag();
  addWords(await LOADERS[language].first());
}

let later: Promise<void> | undefined;

/** Loads the texts of everything that the first page does not show. What fails is tried again the next time. */
export function laterWords(): Promise<void> {
  later ??= LOADERS[language].later().then(addWords, (error: unknown) => {
    later = undefined;
    throw error;
  });
  return later;
}

/** A part of the page that is loaded when it is needed, together with the texts that it shows. */
export async function withWords<T>(loading: Promise<T>): Promise<T> {
  const [part] = await Promise.all([loading, laterWords()]);
  return part;
}
