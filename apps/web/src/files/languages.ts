import type { LanguageSupport } from "@codemirror/language";

const script = (options: { jsx?: boolean; typescript?: boolean }) => () =>
  import("@codemirror/lang-javascript").then(({ javascript }) => javascript(options));
const css = () => import("@codemirror/lang-css").then((module) => module.css());
const html = () => import("@codemirror/lang-html").then((module) => module.html());
const json = () => import("@codemirror/lang-json").then((module) => module.json());
const markdown = () => import("@codemirror/lang-markdown").then((module) => module.markdown());

const LANGUAGES = new Map<string, () => Promise<LanguageSupport>>([
  ["js", script({ jsx: true })],
  ["mjs", script({ jsx: true })],
  ["cjs", script({ jsx: true })],
  ["jsx", script({ jsx: true })],
  ["ts", script({ typescript: true })],
  ["mts", script({ typescript: true })],
  ["cts", script({ typescript: true })],
  ["tsx", script({ jsx: true, typescript: true })],
  ["css", css],
  ["html", html],
  ["htm", html],
  ["svg", html],
  ["vue", html],
  ["svelte", html],
  ["json", json],
  ["md", markdown],
  ["markdown", markdown],
]);

/** Loads the language for a file's extension; undefined if it is unknown. */
export function loadLanguage(path: string): Promise<LanguageSupport> | undefined {
  return LANGUAGES.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase())?.();
}
