import type { PageReport } from "@treadle/protocol";
import type { CDPSession, Page } from "playwright-core";
import { ACTS, askLinks } from "./dead-links.ts";
import { isDrawn } from "./is-drawn.ts";
import { READ_PAGE, type PageReading } from "./read-page.ts";
import { until } from "./wait-for-rest.ts";

const WORDS =
  "loading|please wait|one moment|hold on|initiali[sz]ing|wird geladen|lädt|laden|lade|bitte warten|chargement|cargando|caricamento|carregando|загрузка|加载中|読み込み中";

const LINE = new RegExp(
  String.raw`^\W{0,3}(?:${WORDS})(?:\W{0,3}|\b[^\n]{0,40}(?:…|\.\.\.))$`,
  "iu",
);

/** The line of a page's text that says it is still loading. */
function waitingLine(text: string): string | undefined {
  return text
    .split("\n")
    .map((line) => line.trim())
    .find((line) => LINE.test(line));
}

/** Maximum number of texts named. */
const NAMED = 3;
/** Texts of a page that cannot be read: all, or these. */
export type Unread = Pick<PageReport, "unreadable" | "faint">;

interface Closer {
  rendered: boolean;
  unread: Unread;
  waiting: string | undefined;
  links: string[];
  dead: PageReport["failedRequests"];
}

/** Checks that only the looking browser can make: of pictures, and of the links' targets. */
export async function lookCloser(
  page: Page,
  cdp: CDPSession,
  origin: string,
  sight: { rendered: boolean; text: string },
  ends: AbortSignal,
): Promise<Closer | undefined> {
  const read = await readTexts(page, ends);
  if (!read) return undefined;
  const { reading, drawn, unread } = read;
  const links = reading.links.filter((link) => !ACTS.test(link));
  const dead = await until(askLinks(cdp, origin, links, ends), ends).catch(() => []);
  const spins = reading.waits && sight.text === "";
  return {
    rendered: reading.certain || (drawn ?? sight.rendered),
    unread,
    waiting: waitingLine(sight.text) ?? (spins ? "a spinner" : undefined),
    links,
    dead,
  };
}

/** Reads the texts of a page, and compares doubtful ones with a picture. */
export async function readTexts(page: Page, ends: AbortSignal) {
  const reading = await until(page.evaluate<PageReading>(`(${READ_PAGE})()`), ends).catch(
    () => undefined,
  );
  if (!reading) return undefined;
  const { certain, doubtful } = reading;
  const seen = doubtful.filter(({ faded }) => !certain || !faded);
  const drawn = certain && seen.length === 0 ? undefined : await isDrawn(page, seen);
  const none = !certain && seen.length > 0 && drawn !== undefined && !drawn.boxes.includes(true);
  const lost = seen.filter(({ faded }, at) => !faded && drawn?.boxes[at] === false);
  const faint = [...new Set(lost.map(({ text }) => text))].slice(0, NAMED);
  const unread: Unread = none ? { unreadable: true } : faint.length > 0 ? { faint } : {};
  return { reading, drawn: drawn?.page, unread };
}
