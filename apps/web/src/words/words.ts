import type * as FirstWords from "./en/first-load.ts";
import type * as LaterWords from "./en/later.ts";
import { isLanguage, LANGUAGES, preferredLanguage, type Language } from "./languages.ts";

/** All texts of the page, by the folder that shows them. */
type Words = typeof FirstWords & typeof LaterWords;

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

let lists: { of: string; format: Intl.ListFormat } | undefined;

/** Names side by side, as the language has them: `a, b, c`, `a、b、c`. */
export function listed(names: readonly string[]): string {
  const of = languageTag();
  if (lists?.of !== of) lists = { of, format: new Intl.ListFormat(of, { style: "narrow" }) };
  return lists.format.format(names);
}

/** Adds texts; those that are there already stay. */
export function addWords(more: Partial<Words>): void {
  Object.assign(words, more);
}

/**
 * Loads the texts of the first page, before anything is drawn.
 * @param kept the language that the person chose; what is none of ours counts as no choice
 * @param wanted the browser's languages, the dearest first
 */
export async function startWords(kept: string | undefined, wanted: readonly string[]) {
  language = isLanguage(kept) ? kept : preferredLanguage(wanted);
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
