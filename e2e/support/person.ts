import { setTimeout as sleep } from "node:timers/promises";
import type { FrameLocator, Page } from "playwright-core";
import type { RunningTreadle } from "./treadle.ts";

/** How often the server is asked whether a turn has ended, in milliseconds. */
const TURN_POLL_MS = 150;

/** What a person does at the page, by the names that a person reads. */
export function personAt(page: Page, treadle: RunningTreadle) {
  const verdict = () => page.getByRole("status").and(page.locator("[data-verdict]"));
  /** The project to which the last message was sent, and how many turns it had begun before. */
  let sent: { project: string; turns: number } | undefined;
  /**
   * How many turns a project has begun, and whether one of them goes on, as this page's person is told. The page itself is
   * not asked: that took eight times as long, ten times a second.
   */
  const turnsOf = async (project: string): Promise<{ turns?: number; working: boolean }> => {
    const { origin } = new URL(page.url());
    const cookies = await page.context().cookies(origin);
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const answer = await fetch(`${origin}/api/projects/${project}`, { headers: { cookie } });
    if (!answer.ok) throw new Error(`the project is not told: ${answer.status}`);
    return (await answer.json()) as { turns?: number; working: boolean };
  };
  async function noteTurns(): Promise<void> {
    const project = projectAt(page);
    const before = project && (await turnsOf(project).catch(() => undefined));
    sent = project && before ? { project, turns: before.turns ?? 0 } : undefined;
  }
  async function turnEnds(timeout = 120_000): Promise<void> {
    if (!sent || sent.project !== projectAt(page)) return;
    const { project, turns } = sent;
    const deadline = performance.now() + timeout;
    for (;;) {
      // The server may be away, or the page may just be loading.
      const now = await turnsOf(project).catch(() => undefined);
      if (now && (now.turns ?? 0) > turns && !now.working) break;
      if (performance.now() > deadline) throw new Error(`the turn goes on after ${timeout} ms`);
      await sleep(TURN_POLL_MS);
    }
    sent = undefined;
  }
  return {
    /** The first page, in the language that the heading is of. */
    async open(heading = "What shall we build?"): Promise<void> {
      await page.goto(treadle.address);
      await page.getByRole("textbox", { name: heading }).waitFor();
    },
    /** Signs in as `open` does, without the first page: for a project's page that is opened next. */
    async signIn(): Promise<void> {
      await page.context().request.get(treadle.address);
    },
    /** Types a sentence on the first page and sends it with Enter. */
    async ask(sentence: string): Promise<void> {
      await page.getByRole("textbox", { name: "What shall we build?" }).fill(sentence);
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/p\//);
    },
    /** Sends another message, on the project's page. */
    async sendMessage(sentence: string): Promise<void> {
      const field = page.getByRole("textbox", { name: "Say what to change" });
      await noteTurns();
      await field.fill(sentence);
      await field.press("Enter");
    },
    /** Sends a message in another way than by typing it: by a button, say. */
    async sendsBy(act: () => Promise<void>): Promise<void> {
      await noteTurns();
      await act();
    },
    /** Waits until the turn of the last message has ended, whatever it came to. */
    turnEnds,
    /**
     * Waits until the header's chip shows it; a verdict, only once the turn of the last message has ended, because the
     * chip shows that of the turn before until then.
     */
    async sees(
      state: "verified" | "runs" | "failed" | "unverified" | "working",
      timeout = 120_000,
    ): Promise<void> {
      if (state !== "working") await turnEnds(timeout);
      await verdict()
        .and(page.locator(`[data-verdict="${state}"]`))
        .waitFor({ timeout });
    },
    /** The running app, inside the page. */
    preview: (): FrameLocator => page.frameLocator('iframe[title="Preview of the app"]'),
    tab: (name: "Preview" | "Code" | "Changes") => page.getByRole("tab", { name }).click(),
    projectId: () => projectAt(page)!,
  };
}

/** Id of the project whose page is open. */
const projectAt = (page: Page): string | undefined => /\/p\/([^/?#]+)/.exec(page.url())?.[1];
