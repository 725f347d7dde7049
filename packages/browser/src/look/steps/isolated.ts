import type { CDPSession, Page } from "playwright-core";

/** Maximum size of a file or an answer that is read, in bytes. */
const READ_BYTES = 1024 * 1024;

/** An answer of the app's server to a step's request. */
export interface Answer {
  status: number;
  body: string;
}

/**
 * Runs in an isolated world beside the page's: with its origin, cookies and files, and with browser
 * functions that the app's scripts cannot replace. Rejects with the error thrown there.
 */
async function inOwnWorld<T>(
  page: Page,
  run: (send: CDPSession["send"], contextId: number) => Promise<T>,
): Promise<T> {
  const cdp = await page.context().newCDPSession(page);
  const send = cdp.send.bind(cdp) as CDPSession["send"];
  try {
    const { frameTree } = await send("Page.getFrameTree");
    const { executionContextId } = await send("Page.createIsolatedWorld", {
      frameId: frameTree.frame.id,
    });
    return await run(send, executionContextId);
  } finally {
    await cdp.detach().catch(() => {});
  }
}

/** Sends a request like the page: to its own origin, with its cookies, following redirects. */
export function requestAsPage(
  page: Page,
  { method, url, body }: { method: string; url: string; body: string | undefined },
): Promise<Answer> {
  const isJson = body !== undefined && /^\s*[[{]/.test(body);
  const how = {
    method,
    body,
    headers: body === undefined ? {} : { "content-type": isJson ? "application/json" : "text/plain" }, // prettier-ignore
  };
  const expression = `fetch(${JSON.stringify(url)}, ${JSON.stringify(how)}).then(async (answer) => ({
    status: answer.status,
    body: (await answer.text()).slice(0, ${READ_BYTES}),
  }))`;
  return inOwnWorld(page, async (send, contextId) => {
    const { result, exceptionDetails } = await send("Runtime.evaluate", {
      expression,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error("the request got no answer");
    return result.value as Answer;
  });
}

/** The text of a downloaded file, read by the browser itself, as it is in its sandbox. */
export function readBrowserFile(page: Page, path: string): Promise<string> {
  return inOwnWorld(page, async (send, contextId) => {
    const { result } = await send("Runtime.evaluate", {
      expression: `Object.assign(document.createElement("input"), { type: "file" })`,
      contextId,
    });
    const objectId = result.objectId!;
    await send("DOM.setFileInputFiles", { files: [path], objectId });
    const read = await send("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration: `function () { return this.files[0].slice(0, ${READ_BYTES}).text(); }`,
      awaitPromise: true,
      returnByValue: true,
    });
    if (read.exceptionDetails) throw new Error("the file cannot be read");
    return String(read.result.value);
  });
}
