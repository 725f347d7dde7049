import { setImmediate } from "node:timers/promises";
import type { CheckReport, Evidence, PictureInfo } from "@treadle/protocol";
import { EVIDENCE_PARTS, findingWords } from "@treadle/protocol/evidence";
import { headOf, visibleProse } from "@treadle/protocol/safe-text";
import { MARK } from "@treadle/common";
import { CONVERSATION_STYLE } from "./conversation-style.ts";
import { isHiddenPath } from "./hidden-path.ts";
import { escapeHtml } from "./html.ts";
import { MASK } from "./mask.ts";
import { drawableKey, drawnTexts, redactedTexts, type Drawable } from "./prepare-texts.ts";
import { PICTURE_PATH, SOURCE_PATH } from "./paths.ts";
import type {
  SharedConversation,
  SharedPart,
  SharedStep,
  SharedTurn,
} from "./read-conversation.ts";
import type { ShareWords } from "./share-words.ts";

/** Maximum number of turns shown; earlier ones are left out. */
const TURNS = 200;
/** The verdict at the start of a summary, which is shown above it in the reader's language. */
const SAID_ABOVE = /^(?:Verified|Runs|Failed|Not verified): /;
/** Maximum length of a written file that is shown, in characters. */
const CODE = 8_000;

export interface PageOptions {
  words: ShareWords;
  /** The value for `<html lang>`. */
  tag: string;
  costs: boolean;
  source: boolean;
  /**
   * The address where a signed-in user can make a copy; absent if the workbench is not reachable
   * from there.
   */
  ownLink?: string | undefined;
  now: number;
}

/** The options of the page, and the functions that prepare its texts. */
interface Page extends PageOptions {
  /** Removes private values from a text. */
  redact(text: string): string;
  /** Renders Markdown or code. */
  draw(one: Drawable): string;
}

interface ShownPage {
  html: string;
  /** Hashes of the pictures on the page. */
  pictures: Set<string>;
}

/**
 * Renders a conversation as one page that needs no script. Its texts are untrusted: they are
 * redacted and rendered in parser threads. The page is composed three times: to collect the texts
 * to redact, to collect what is rendered of them, and with both results.
 * @param project id of the project
 * @param secrets values that must not be shown
 */
export async function conversationPage(
  conversation: SharedConversation,
  options: PageOptions,
  project: string,
  secrets: readonly string[],
): Promise<ShownPage> {
  const texts = new Set<string>();
  await compose(conversation, {
    ...options,
    redact: (text) => (texts.add(text), ""),
    draw: () => "",
  });
  const redacted = await redactedTexts(project, texts, secrets);
  const redact = (text: string) => (text === "" ? "" : (redacted.get(text) ?? MASK));
  const drawables: Drawable[] = [];
  await compose(conversation, { ...options, redact, draw: (one) => (drawables.push(one), "") });
  const drawn = await drawnTexts(project, drawables);
  const draw = (one: Drawable) => drawn.get(drawableKey(one)) ?? "";
  return compose(conversation, { ...options, redact, draw });
}

async function compose({ name, turns }: SharedConversation, options: Page): Promise<ShownPage> {
  const { words, tag, redact, source, ownLink, now } = options;
  const pictures = new Set<string>();
  const shown = turns.slice(-TURNS);
  const title = escapeHtml(visibleProse(redact(name)));
  const pieces: string[] = [];
  for (const [index, turn] of shown.entries()) {
    pieces.push(turnHtml(turn, index + turns.length - shown.length, options, pictures));
    // Yields to other requests between two turns.
    await setImmediate();
  }
  const earlier =
    turns.length > shown.length
      ? `<p class="quiet">${filled(words.earlier, turns.length - shown.length)}</p>`
      : "";
  const html = `<!doctype html><html lang="${tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${CONVERSATION_STYLE}</style></head><body><main>
<header>${MARK}<h1 dir="auto">${title}</h1><p>${words.shared} · ${words.asOf} ${timeHtml(now, tag)}</p></header>
${earlier}${pieces.join("") || `<p class="quiet">${words.empty}</p>`}
${footer(words, { source, ownLink })}</main></body></html>`;
  return { html, pictures };
}

function footer(
  words: ShareWords,
  { source, ownLink }: { source: boolean; ownLink: string | undefined },
): string {
  const take = source
    ? `<div><a class="button" href="${SOURCE_PATH}" download>${words.takeSource}</a><p>${words.takeAbout}</p></div>`
    : "";
  const own =
    ownLink === undefined
      ? ""
      : `<div><a class="button" href="${escapeHtml(ownLink)}">${words.mine}</a><p>${words.mineAbout}</p></div>`;
  return take + own === "" ? "" : `<footer>${take}${own}</footer>`;
}

function turnHtml(turn: SharedTurn, index: number, options: Page, pictures: Set<string>): string {
  const { words, tag, redact } = options;
  const bubble = `<div class="said" dir="auto">${escapeHtml(visibleProse(redact(turn.text)))}</div>`;
  const parts = turn.parts.map((part) => partHtml(part, options, pictures)).join("");
  return `<article aria-labelledby="turn-${index}"><h2 id="turn-${index}">${words.you} · ${timeHtml(turn.at, tag)}</h2>
${bubble}${sent(turn.pictures, words, pictures)}${parts}${endHtml(turn, options, pictures)}</article>`;

  function sent(all: readonly PictureInfo[], { sentPicture }: ShareWords, shown: Set<string>) {
    return all.map(({ hash }) => pictureHtml(hash, sentPicture, shown)).join("");
  }
}

function partHtml(part: SharedPart, options: Page, pictures: Set<string>): string {
  const { words, redact, draw } = options;
  const markdown = (text: string) => draw({ kind: "markdown", text: visibleProse(redact(text)) });
  switch (part.type) {
    case "text":
      return markdown(part.text);
    case "plan":
      return `<details open><summary>${words.plan}</summary>${markdown(part.text)}</details>`;
    case "message":
      return `<div class="said" dir="auto">${escapeHtml(visibleProse(redact(part.text)))}</div>${part.pictures.map(({ hash }) => pictureHtml(hash, words.sentPicture, pictures)).join("")}`;
    case "steps": {
      const lines = part.steps.map((step) => stepHtml(step, options, pictures)).join("");
      return `<details><summary>${filled(words.steps, part.steps.length)}</summary><ul class="steps">${lines}</ul></details>`;
    }
  }
}

function stepHtml(step: SharedStep, options: Page, pictures: Set<string>): string {
  const { words, redact, draw } = options;
  const { path, code, ok } = step;
  const hidden = isHiddenPath(path ?? "") || /(?:^|[\s/])\.[a-z]/i.test(step.title);
  const title = hidden ? words.hiddenFile : visibleProse(redact(step.title.replace(/\s+/g, " ")));
  const name = `<span${ok ? "" : ' class="failed"'}>${escapeHtml(title)}${ok ? "" : ` (${words.states.failed})`}</span>`;
  const picture =
    step.picture === undefined ? "" : pictureHtml(step.picture, words.picture, pictures);
  if (hidden || !code) return `<li>${name}${picture}</li>`;
  const shown = redact(code);
  const cut = shown.length > CODE ? `${headOf(shown, CODE)}\n…` : shown;
  const language = path?.slice(path.lastIndexOf(".") + 1) ?? "";
  return `<li><details><summary>${name}</summary>${draw({ kind: "code", text: cut, language })}</details>${picture}</li>`;
}

function endHtml(
  { end, evidence }: SharedTurn,
  { words, redact, costs }: Page,
  pictures: Set<string>,
): string {
  if (!end) return `<p class="quiet">${words.going}</p>`;
  const { verdict, outcome, summary, usage, ms } = end;
  const stopped = outcome === "done" ? undefined : words.outcomes[outcome];
  if (verdict === undefined && stopped === undefined && !costs) return "";
  const title = verdict === undefined ? stopped : words.verdicts[verdict];
  const cost = costs
    ? `<p class="quiet">${[`${Math.round(ms / 1000)} s`, filled(words.tokens, usage.inputTokens + usage.outputTokens), ...(usage.costUsd === undefined ? [] : [`$${usage.costUsd.toFixed(2)}`])].join(" · ")}</p>`
    : "";
  const seen = evidence && verdict ? evidenceHtml(evidence, { words, redact }, pictures) : "";
  const heading = title === undefined ? "" : `<strong>${title}</strong>`;
  const text = redact(summary).replace(SAID_ABOVE, "");
  const about = text === "" ? "" : `<p dir="auto">${escapeHtml(visibleProse(text))}</p>`;
  return `<div class="end is-${verdict ?? "none"}">${heading}${title === undefined ? "" : about}${seen}${cost}</div>`;
}

function evidenceHtml(
  { parts, checks = [], pages, findings = [] }: Evidence,
  { words, redact }: Pick<Page, "words" | "redact">,
  pictures: Set<string>,
): string {
  const line = (name: string, held: boolean, summary: string) =>
    `<li class="${held ? "held" : "broken"}">${escapeHtml(name)} (${words.states[held ? "held" : "failed"]})${summary === "" ? "" : `: ${escapeHtml(visibleProse(redact(summary)))}`}</li>`;
  const isSettled = ({ state }: Pick<CheckReport, "state">) =>
    state === "held" || state === "failed";
  const lines = [
    ...EVIDENCE_PARTS.filter((part) => ["held", "failed"].includes(parts[part].state)).map((part) =>
      line(words.parts[part], parts[part].state === "held", parts[part].summary),
    ),
    ...checks
      .filter(isSettled)
      .map(({ name, state }) =>
        line(`${words.checks}: ${visibleProse(redact(name))}`, state === "held", ""),
      ),
  ];
  const picture = pages.find((page) => page.picture)?.picture;
  const looked = picture ? pictureHtml(picture.hash, words.picture, pictures) : "";
  const beside = findings.map(
    (finding) => `<li dir="auto">${escapeHtml(visibleProse(redact(findingWords(finding))))}</li>`,
  );
  const also =
    beside.length > 0
      ? `<details><summary>${words.alsoSeen}</summary><ul>${beside.join("")}</ul></details>`
      : "";
  return `${lines.length > 0 ? `<ul>${lines.join("")}</ul>` : ""}${also}${looked}`;
}

function pictureHtml(hash: string, about: string, pictures: Set<string>): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) return "";
  pictures.add(hash);
  return `<img src="${PICTURE_PATH}${hash}" alt="${escapeHtml(about)}" loading="lazy">`;
}

const filled = (text: string, amount: number) => text.replace("{n}", amount.toLocaleString("en"));

const timeHtml = (at: number, tag: string) =>
  `<time datetime="${new Date(at).toISOString()}">${new Date(at).toLocaleString(tag, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })} UTC</time>`;
