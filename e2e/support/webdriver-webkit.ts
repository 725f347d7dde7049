import { spawn, type ChildProcess } from "node:child_process";
import { freePort } from "./free-port.ts";
import { gestures, until, type OtherBrowser } from "./other-browser.ts";

/** On a virtual screen the driver sometimes waits for a frame that is never drawn. */
const PICTURE_MS = 20_000;

export interface WebKitPrograms {
  driver: string;
  browser: string;
  /** The program that provides a screen if there is none. */
  screen: string;
}

const ending = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill();
  });

/** WebKitGTK's MiniBrowser, over WebDriver, on a virtual screen. */
export async function startWebKit(programs: WebKitPrograms): Promise<OtherBrowser> {
  const screen = spawn(
    programs.screen,
    ["-displayfd", "3", "-screen", "0", "1440x900x24", "-nolisten", "tcp"],
    { stdio: ["ignore", "ignore", "ignore", "pipe"] },
  );
  const display = await new Promise<string>((resolve, reject) => {
    screen.stdio[3]!.on("data", (chunk: Buffer) => resolve(`:${chunk.toString().trim()}`));
    screen.once("exit", (code) => reject(new Error(`The screen ended with ${code}.`)));
  });
  const port = await freePort();
  const driver = spawn(programs.driver, [`--port=${port}`, "--host=127.0.0.1"], {
    stdio: "ignore",
    env: {
      ...process.env,
      DISPLAY: display,
      GDK_BACKEND: "x11",
      WEBKIT_DISABLE_DMABUF_RENDERER: "1",
    },
  });
  const ask = async (
    method: string,
    path: string,
    body?: object,
    signal?: AbortSignal,
  ): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const { value } = (await answer.json()) as { value: unknown };
    if (!answer.ok) throw new Error((value as { message?: string }).message ?? answer.statusText);
    return value;
  };
  await until("WebKitWebDriver", () => ask("GET", "/status").catch(() => undefined));
  const { sessionId } = (await ask("POST", "/session", {
    capabilities: {
      alwaysMatch: {
        browserName: "MiniBrowser",
        "webkitgtk:browserOptions": { binary: programs.browser, args: ["--automation"] },
      },
    },
  })) as { sessionId: string };
  const session = `/session/${sessionId}`;
  await ask("POST", `${session}/window/rect`, { x: 0, y: 0, width: 1440, height: 900 });
  const evaluate = (expression: string) =>
    ask("POST", `${session}/execute/sync`, { script: `return ${expression}`, args: [] });
  const act = async (actions: object[]) =>
    void (await ask("POST", `${session}/actions`, { actions }));
  return {
    name: "WebKit",
    goto: async (url) => void (await ask("POST", `${session}/url`, { url })),
    evaluate,
    async inFrames(expression) {
      const count = Number(await evaluate("document.querySelectorAll('iframe').length"));
      const all: unknown[] = [];
      for (let index = 0; index < count; index++)
        try {
          await ask("POST", `${session}/frame`, { id: index });
          all.push(await evaluate(expression));
        } catch {
          all.push(undefined);
        } finally {
          await ask("POST", `${session}/frame`, { id: null });
        }
      return all;
    },
    clickAt: (x, y) => act(gestures.click(x, y)),
    type: (text) => act(gestures.type(text)),
    press: (keys) => act(gestures.press(keys)),
    async picture() {
      const signal = AbortSignal.timeout(PICTURE_MS);
      const answer = await ask("GET", `${session}/screenshot`, undefined, signal);
      return Buffer.from(String(answer), "base64");
    },
    async close() {
      await ask("DELETE", session).catch(() => undefined);
      await ending(driver);
      await ending(screen);
    },
  };
}
