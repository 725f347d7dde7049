import type { PageReport } from "@treadle/protocol";

/** What is seen of a page that works. */
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
