import type { Download, Page, Request } from "playwright-core";
import { SAFE_METHODS } from "@treadle/common";
import { isOwnPath } from "@treadle/probe";
import { readHiddenError } from "../watch-hidden-errors.ts";
import type { PageRest } from "../look-at-page.ts";
import type { Answer } from "./isolated.ts";

/** Maximum length of a reported dialog or error, in characters. */
const SHOWN = 200;

/** A user of the app, with a separate browser context. */
export interface Person {
  readonly page: Page;
  readonly origin: string;
  /** Resolves when the page is idle again. */
  settled(): Promise<void>;
  /** Resolves when the page's requests are answered. */
  answered(): Promise<void>;
  /** Files that the page offered for download, in order. */
  readonly downloads: Download[];
  /** Errors thrown or logged since the page was opened. */
  readonly errors: string[];
  /** Thrown errors only. */
  readonly thrown: string[];
  /** Dialogs of the page that were accepted and not reported yet. */
  readonly asked: string[];
  /**
   * Addresses requested by steps: the browser's messages about their answers are no errors of the
   * app.
   */
  readonly requested: Set<string>;
  /** Opened pages of the app that are missing or broken, and not reported yet. */
  readonly nowhere: { path: string; status: number }[];
  /** The answer to the last request of a step. */
  answer: Answer | undefined;
  /** The server's answers to the page's write requests; empty if one broke off. */
  readonly changed: Promise<string>[];
  /** Whether a script of the page requested an address to which it had sent a write request. */
  isReadBack: boolean;
}

/** Tracks a page from before it is opened. Its dialogs are accepted, and recorded. */
export function watchPerson(page: Page, origin: string, rest: PageRest): Person {
  const person: Person = {
    page,
    origin,
    settled: () => rest.settled(),
    answered: () => rest.answered(),
    downloads: [],
    errors: [],
    thrown: [],
    asked: [],
    requested: new Set(),
    nowhere: [],
    answer: undefined,
    changed: [],
    isReadBack: false,
  };
  const sentTo = new Set<string>();
  page.on("dialog", (dialog) => {
    person.asked.push(`the page asked “${dialog.message().slice(0, SHOWN)}”, and got a yes`);
    void dialog.accept().catch(() => {});
  });
  page.on("request", (request) => {
    const url = URL.parse(request.url());
    // Reports by Treadle's own script in the page are not requests of the app.
    if (url?.origin !== origin || isOwnPath(url.pathname)) return;
    const isByScript = ["fetch", "xhr"].includes(request.resourceType());
    if (!SAFE_METHODS.has(request.method())) {
      person.changed.push(answerTo(request));
      if (isByScript) sentTo.add(url.pathname);
    } else if (isByScript && sentTo.has(url.pathname)) person.isReadBack = true;
  });
  page.on("response", (response) => {
    const status = response.status();
    if (status !== 404 && status !== 410 && status < 500) return;
    const url = URL.parse(response.url());
    if (url?.origin !== origin || !response.request().isNavigationRequest()) return;
    if (response.frame() === page.mainFrame())
      person.nowhere.push({ path: url.pathname + url.search, status });
  });
  page.on("download", (download) => person.downloads.push(download));
  page.on("pageerror", (error) => {
    person.errors.push(error.message.slice(0, SHOWN));
    person.thrown.push(error.message.slice(0, SHOWN));
  });
  page.on("console", (message) => {
    const { url } = message.location();
    const isOfApp = message.type() === "error" && !person.requested.has(url);
    if (isOfApp && !readHiddenError(message)) person.errors.push(message.text().slice(0, SHOWN));
  });
  return person;
}

async function answerTo(request: Request): Promise<string> {
  try {
    return (await (await request.response())?.text()) ?? "";
  } catch {
    return "";
  }
}
