/** The languages of the page. */
export const LANGUAGES = {
  en: { tag: "en", name: "English" },
  zh: { tag: "zh-CN", name: "简体中文" },
  ja: { tag: "ja", name: "日本語" },
  pt: { tag: "pt-BR", name: "Português (Brasil)" },
} as const;

export type Language = keyof typeof LANGUAGES;

export const isLanguage = (text: string | undefined): text is Language =>
  text !== undefined && Object.hasOwn(LANGUAGES, text);

/**
 * The first of the person's languages that the page supports, in any spelling (`zh-Hant-TW`, `pt`), or else English.
 */
export function preferredLanguage(preferred: readonly string[]): Language {
  return preferred.map((tag) => tag.toLowerCase().split("-")[0]).find(isLanguage) ?? "en";
}
