/** A browser other than Chromium, as far as a smoke test needs it. */
export interface OtherBrowser {
  readonly name: string;
  goto(url: string): Promise<void>;
  /** The value of an expression in the page, as JSON has it. */
  evaluate(expression: string): Promise<unknown>;
  /** The same value in each frame of the page; undefined if it could not be read. */
  inFrames(expression: string): Promise<unknown[]>;
  /** A click of the mouse, in pixels of the window. */
  clickAt(x: number, y: number): Promise<void>;
  /** Key by key, to what has the focus. */
  type(text: string): Promise<void>;
  /** Keys that are held together: `Control+s`. */
  press(keys: string): Promise<void>;
  /** As PNG. */
  picture(): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Middle of the first visible element that fits, by its role's selector and its name; undefined: it is not there. */
const middleOf = (selector: string, name: string) => `(() => {
  const named = (one) => (one.getAttribute("aria-label") ?? one.textContent ?? "").trim();
  for (const one of document.querySelectorAll(${JSON.stringify(selector)})) {
    const box = one.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || !named(one).includes(${JSON.stringify(name)})) continue;
    one.scrollIntoView({ block: "nearest" });
    const { left, top, width, height } = one.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  }
  return null;
})()`;

const STEP_MS = 100;

/** Asks until something is true of the page. @throws Error that says what was waited for */
export async function until(
  what: string,
  ask: () => Promise<unknown>,
  timeoutMs = 60_000,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await ask())) {
    if (performance.now() > end) throw new Error(`This did not come: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}

/** Clicks an element by its visible name, once it is there. */
export async function click(browser: OtherBrowser, selector: string, name: string): Promise<void> {
  let place: unknown;
  await until(`${selector} called ${name}`, async () => {
    place = await browser.evaluate(middleOf(selector, name));
    return place;
  });
  const [x, y] = place as [number, number];
  await browser.clickAt(x, y);
}

/** Keys that WebDriver writes as characters of their own. */
const KEYS: Record<string, string> = { Enter: "\uE007", Control: "\uE009", Home: "\uE011" };

const down = (value: string) => ({ type: "keyDown", value });
const up = (value: string) => ({ type: "keyUp", value });

/** What WebDriver, either of the two, calls what a person's hands do. */
export const gestures = {
  click: (x: number, y: number) => [
    {
      type: "pointer",
      id: "mouse",
      actions: [
        { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ],
    },
  ],
  type: (text: string) => [
    { type: "key", id: "keys", actions: [...text].flatMap((value) => [down(value), up(value)]) },
  ],
  press(keys: string) {
    const values = keys.split("+").map((key) => KEYS[key] ?? key.toLowerCase());
    const actions = [...values.map(down), ...values.toReversed().map(up)];
    return [{ type: "key", id: "keys", actions }];
  },
};
