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
 * The texts in the person's language. Read them only while rendering, never while a module loads, when they are not
 * available yet.
 */
export const words = {} as Words;

let language: Language = "en";

/** The current language, as used by `Intl` and `<html lang>`. */
export const languageTag = (): string => LANGUAGES[language].tag;

let lists: { tag: string; format: Intl.ListFormat } | undefined;

/** Joins names in the style of the language: `a, b, c`, `a、b、c`. */
export function listed(names: readonly string[]): string {
  const tag = languageTag();
  if (lists?.tag !== tag) lists = { tag, format: new Intl.ListFormat(tag, { style: "narrow" }) };
  return lists.format.format(names);
}

/** A catalogue as compiled by the build; its type is that of the source. */
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

/** Adds texts in the current language; existing ones stay. */
export function addWords(more: Partial<Catalogue>): void {
  // The types are those of the catalogues' sources, because the type checker sees plain JSON where the build compiles.
  Object.assign(words, usable({ ...more } as unknown as Compiled));
}

/** Fills in a message selected by key, whether or not it has placeholders. */
export const filled = <Values>(message: string | ((values: Values) => string), values: Values) =>
  typeof message === "string" ? message : message(values);

/**
 * Loads the texts of the first page, before anything is drawn.
 * @param stored the person's chosen language; an unsupported one is ignored
 * @param preferred the browser's languages, the most preferred first
 */
export async function startWords(stored: string | undefined, preferred: readonly string[]) {
  language = isLanguage(stored) ? stored : preferredLanguage(preferred);
  document.documentElement.lang = languageTag();
  addWords(await LOADERS[language].first());
}

let later: Promise<void> | undefined;

/** Loads the texts that the first page does not show. A failure is retried at the next call. */
export function loadLaterWords(): Promise<void> {
  later ??= LOADERS[language].later().then(addWords, (error: unknown) => {
    later = undefined;
    throw error;
  });
  return later;
}

/** Loads a part of the page together with its texts. */
export async function withWords<T>(loading: Promise<T>): Promise<T> {
  const [part] = await Promise.all([loading, loadLaterWords()]);
  return part;
}
