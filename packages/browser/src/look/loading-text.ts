const WORDS =
  "loading|please wait|one moment|hold on|initiali[sz]ing|wird geladen|lädt|laden|lade|bitte warten|chargement|cargando|caricamento|carregando|загрузка|加载中|読み込み中";
const LINE = new RegExp(
  String.raw`^\W{0,3}(?:${WORDS})(?:\W{0,3}|\b[^\n]{0,40}(?:…|\.\.\.))$`,
  "iu",
);

/** The line of a page's text that says it is still loading. */
export function waitingLine(text: string): string | undefined {
  return text
    .split("\n")
    .map((line) => line.trim())
    .find((line) => LINE.test(line));
}
