import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gestures, type OtherBrowser } from "./other-browser.ts";

/** How long a browser may take to begin, in milliseconds. */
const BEGIN_MS = 60_000;

/** Firefox without a window, over WebDriver BiDi as the browser itself speaks it. */
export async function startFirefox(executable: string): Promise<OtherBrowser> {
  const profile = mkdtempSync(join(tmpdir(), "treadle-firefox-"));
  writeFileSync(join(profile, "user.js"), 'user_pref("browser.shell.checkDefaultBrowser", false);');
  const child = spawn(
    executable,
    ["--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", profile],
    { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, HOME: profile } },
  );
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    let output = "";
    const failed = (why: string) => reject(new Error(`Firefox did not begin (${why}):\n${output}`));
    const late = setTimeout(() => failed("in time"), BEGIN_MS);
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(output)?.[1];
      if (!found) return;
      clearTimeout(late);
      resolve(found);
    });
    child.once("exit", (code) => failed(`it ended with ${code}`));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", () => reject(new Error("Firefox took no connection")));
  });
  let ids = 0;
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  socket.addEventListener("message", ({ data }) => {
    const { id, type, result, message } = JSON.parse(String(data)) as {
      id?: number;
      type: string;
      result: Record<string, unknown>;
      message?: string;
    };
    const asked = waiting.get(id ?? -1);
    if (!asked) return;
    waiting.delete(id ?? -1);
    if (type === "success") asked.resolve(result);
    else asked.reject(new Error(message ?? type));
  });
  const send = (method: string, params: object): Promise<Record<string, unknown>> => {
    const asked = Promise.withResolvers<Record<string, unknown>>();
    waiting.set(++ids, asked);
    socket.send(JSON.stringify({ id: ids, method, params }));
    return asked.promise;
  };
  await send("session.new", { capabilities: {} });
  interface Context {
    context: string;
    children: Context[];
  }
  const tree = async () =>
    ((await send("browsingContext.getTree", {})) as { contexts: Context[] }).contexts[0]!;
  const page = (await tree()).context;
  await send("browsingContext.setViewport", {
    context: page,
    viewport: { width: 1440, height: 900 },
  });

  const evaluateIn = async (context: string, expression: string) => {
    const answer = (await send("script.evaluate", {
      expression: `JSON.stringify(${expression})`,
      target: { context },
      awaitPromise: true,
    })) as { type: string; result?: { value?: string }; exceptionDetails?: { text: string } };
    if (answer.type !== "success") throw new Error(answer.exceptionDetails?.text ?? answer.type);
    return answer.result?.value === undefined
      ? undefined
      : (JSON.parse(answer.result.value) as unknown);
  };
  const act = async (actions: object[]) =>
    void (await send("input.performActions", { context: page, actions }));
  return {
    name: "Firefox",
    goto: async (url) =>
      void (await send("browsingContext.navigate", { context: page, url, wait: "complete" })),
    evaluate: (expression) => evaluateIn(page, expression),
    async inFrames(expression) {
      const { children } = await tree();
      const all = await Promise.all(
        children.map(({ context }) => evaluateIn(context, expression).catch(() => undefined)),
      );
      return all;
    },
    clickAt: (x, y) => act(gestures.click(x, y)),
    type: (text) => act(gestures.type(text)),
    press: (keys) => act(gestures.press(keys)),
    async picture() {
      const { data } = (await send("browsingContext.captureScreenshot", { context: page })) as {
        data: string;
      };
      return Buffer.from(data, "base64");
    },
    async close() {
      socket.close();
      child.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
