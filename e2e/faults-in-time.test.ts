/**
 * F2, F16 and F26 through the whole product. F5 and F17 wait for limits of minutes: see
 * `soak/waits.ts`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setStage, type Stage } from "./support/stage.ts";
import { LATE, talkTo } from "./support/talk.ts";
import { CUTS, timeScript, WRITTEN } from "./support/time-script.ts";
import { scriptedBy } from "./support/treadle.ts";

let { treadle, page, person } = {} as Stage;
setStage(
  {
    script: timeScript,
    page: {},
    env: (model) => ({
      ...scriptedBy(model),
      TREADLE_PREPARE: "none",
    }),
  },
  async (stage) => {
    ({ treadle, page, person } = stage);
    await person.open();
  },
);

async function newProject() {
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  const { id } = (await made.json()) as { id: string };
  const talk = talkTo(
    () => treadle,
    () => id,
  );
  return {
    ...talk,
    id,
    onDisk: (path: string) => readFileSync(join(treadle.data, "projects", id, "files", path), "utf8"), // prettier-ignore
  };
}

it(
  "F2 an answer is cut at many positions: a file is old or new, a command ran completely or not at all, and the run ends once",
  async () => {
    const { api, sendAndWait, onDisk } = await newProject();
    const endings = new Set<string>();
    let goneOn = 0;
    for (const bytes of CUTS) {
      const path = `cut-${bytes}.txt`;
      const headers = { "if-none-match": "*" };
      await api(`/files/${path}`, { method: "PUT", headers, body: JSON.stringify({ text: "old\n" }) }); // prettier-ignore
      const { eventsOf, end } = await sendAndWait(`Cut after ${bytes}.`);
      const where = `cut after byte ${bytes}`;
      expect(eventsOf("run-end"), where).toHaveLength(1);
      expect(["old\n", WRITTEN], where).toContain(onDisk(path));
      const opened = eventsOf("call-open").map(({ call }) => call);
      expect(eventsOf("call-end").map((one) => one.call).sort(), where).toEqual(opened.sort()); // prettier-ignore
      endings.add(end.error?.code ?? end.outcome);
      const isCut = eventsOf("waiting").some(({ reason }) => reason === "retry");
      if (!isCut && onDisk(path) === WRITTEN) break;
      goneOn++;
    }
    // The interrupted answer is continued automatically.
    expect([...endings]).toEqual(["done"]);
    expect(goneOn).toBeGreaterThan(3);
    const ran = onDisk("ran.txt").trim().split("\n");
    const begun = ran.filter((line) => line.startsWith("begun"));
    expect(ran).toEqual(begun.flatMap((line) => [line, line.replace("begun", "ended")]));
  },
  LATE,
);

describe("at the page", () => {
  it(
    "F16 the app's port is taken by another program: it uses the next one, and the preview follows",
    async () => {
      const { id, sendAndWait } = await newProject();
      await page.goto(`${treadle.origin}/p/${id}`);
      const { eventsOf } = await sendAndWait("Taken.");
      expect(eventsOf("server").at(-1)?.server.ports).toContain(5174);
      await person.preview().getByRole("heading", { name: "On port 5174" }).waitFor();
    },
    LATE,
  );

  it(
    "F26 the machine sleeps for an hour and its clock jumps back a day: the page continues where it was",
    async () => {
      const { id, sendAndWait } = await newProject();
      const lines: string[] = [];
      page.on("websocket", (socket) => {
        if (socket.url().includes(`${id}/events`)) lines.push(socket.url());
      });
      await page.clock.install();
      await page.goto(`${treadle.origin}/p/${id}`);
      await sendAndWait("Before it slept.");
      await page.getByText("Before it slept.").first().waitFor();
      // Its connections stay open, but nothing is sent.
      process.kill(treadle.pid, "SIGSTOP");
      try {
        await page.clock.setSystemTime(Date.now() - 86_400_000);
        await page.clock.fastForward("01:00:00");
      } finally {
        process.kill(treadle.pid, "SIGCONT");
      }
      await expect.poll(() => lines.length, { timeout: 60_000 }).toBeGreaterThan(1);
      expect((await sendAndWait("After it woke.")).end.outcome).toBe("done");
      await page.getByText("After it woke.").first().waitFor();
      expect(await page.getByText("Before it slept.").count()).toBe(
        await page.getByText("After it woke.").count(),
      );
    },
    LATE,
  );
});
