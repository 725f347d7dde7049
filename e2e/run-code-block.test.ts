import { expect, it } from "vitest";
import { setStage, type Stage } from "./support/stage.ts";
import { talkTo } from "./support/talk.ts";

let { page, treadle } = {} as Stage;
let project = "";
const { sendAndWait } = talkTo(
  () => treadle,
  () => project,
);
setStage(
  {
    script: {
      name: "advice",
      steps: [],
      otherwise: [{ type: "say", text: "Look:\n\n```bash\necho seen-$((40 + 2))\n```\n" }],
    },
  },
  async (stage) => {
    ({ page, treadle } = stage);
    const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
    ({ id: project } = (await made.json()) as { id: string });
  },
);

it("a command that the model shows is run by a click, in a terminal of its own, and not before", async () => {
  const { eventsOf } = await sendAndWait("How do I look at it?");
  expect(eventsOf("call-open")).toEqual([]);
  await page.goto(treadle.address);
  await page.goto(`${treadle.origin}/p/${project}`);
  const screen = page.getByRole("tabpanel").filter({ visible: true }).locator(".xterm-rows");
  const run = page.getByRole("button", { name: "Run in a terminal" });
  await run.click();
  await expect.poll(() => screen.textContent(), { timeout: 60_000 }).toContain("seen-42");
  await expect.poll(() => page.getByRole("tab", { name: /^Terminal \d/ }).count()).toBe(1);
  await run.click();
  await expect.poll(() => page.getByRole("tab", { name: /^Terminal \d/ }).count()).toBe(2);
  await expect.poll(() => screen.textContent(), { timeout: 60_000 }).toContain("seen-42");
}, 180_000);
