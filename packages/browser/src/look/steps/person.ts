import type { Download, Page, Request } from "playwright-core";
import { SAFE_METHODS } from "@treadle/common";
import { isOwnPath } from "../../probe/own-paths.ts";
import { readHiddenError } from "../watch-hidden-errors.ts";
import type { PageRest } from "../look-at-page.ts";
import type { Answer } from "./isolated.ts";

/** Characters of a dialog or an error that are reported. */
const SHOWN = 200;

/** One who uses the app, in a browser context of their own. */
export interface Person {
  readonly page: Page;
  readonly origin: string;
  /** Resolves when the page rests again. */
  settled(): Promise<void>;
  /** Resolves when what the page asked for is answered. */
  answered(): Promise<void>;
  /** Files that the page gave out, in order. */
  readonly downloads: Download[];
  /** What was thrown, or logged as an error, since the page was opened. */
  readonly errors: string[];
  /** What was thrown alone. */
  readonly thrown: string[];
  /** What the page asked and was agreed to, and nobody has reported yet. */
  readonly asked: string[];
  /** Addresses that steps asked for: what the browser logs of their answers is no error of the app. */
  readonly requested: Set<string>;
  /** Pages of the app that were opened, are not there or broke, and nobody has reported yet. */
  readonly nowhere: { path: string; status: number }[];
  /** The answer to the last request of a step. */
  answer: Answer | undefined;
  /** What the app's server answered to requests of the page that are to change something; empty where that broke off. */
  readonly changed: Promise<string>[];
  /** Whether a script of the page asked for an address to which it, or one before it, had sent such a request. */
  isReadBack: boolean;
}

/** Follows a page from before it is opened. Nobody is there to answer: what it asks is agreed to, and noted. */
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
    // What Treadle's own script in the page reports is no request of the app's.
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
