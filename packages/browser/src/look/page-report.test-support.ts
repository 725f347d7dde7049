import type { PageReport } from "@treadle/protocol";

/** The report of a working page. */
export const WORKS: PageReport = {
  source: "headless",
  path: "/",
  status: 200,
  contentType: "text/html",
  title: "A page",
  rendered: true,
  text: "A page",
  uncaughtErrors: [],
  consoleErrors: [],
  failedRequests: [],
  ms: 100,
};
