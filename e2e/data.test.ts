import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ScriptedModel } from "@treadle/scripted-model";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";
import { scriptedBy } from "./support/treadle.ts";

let { treadle, page, person } = {} as Stage;

const env = (model: ScriptedModel) => ({ ...scriptedBy(model), TREADLE_PREPARE: "none" });
setStage({ script: scriptNamed("guests"), env }, async (stage) => {
  ({ treadle, page, person } = stage);
  await person.open();
});

const guests = () => person.preview().getByRole("listitem").allInnerTexts();
const heading = (name: string) => person.preview().getByRole("heading", { name }).waitFor();
async function sign(name: string): Promise<void> {
  await person.preview().getByLabel("Name").fill(name);
  await person.preview().getByRole("button", { name: "Sign" }).click();
  await expect.poll(guests).toContain(name);
}
const project = async () =>
  (await (await treadle.api(`/api/projects/${person.projectId()}`)).json()) as {
    revision: string;
    evidence: { revision: string };
  };

describe("an app that stores data in SQLite", () => {
  // The package is not preinstalled: a busy machine takes minutes for its ten megabytes.
  it("installs better-sqlite3, which needs no compiler here, and is verified", async () => {
    await person.ask("Make a guest book");
    await person.sees("runs", 500_000);
    await heading("Guests");
  }, 600_000);

  it("is the same revision after use: what was proven stays proven", async () => {
    const before = await project();
    await sign("Ada");
    await sign("Grace & <b>Co</b>");
    const seen = Number(await person.preview().getByRole("status").innerText());
    expect(seen).toBeGreaterThan(1);
    const after = await project();
    expect(after.revision).toBe(before.revision);
    expect(after.evidence.revision).toBe(before.evidence.revision);
    await person.sees("runs");
  });

  it("has what was entered in its archive and where its file is downloaded, although the app has it open", async () => {
    const download = async (path: string) =>
      new Uint8Array(
        await (await treadle.api(`/api/projects/${person.projectId()}/${path}`)).arrayBuffer(),
      );
    const files = unzipSync(await download("export.zip"));
    const folder = mkdtempSync(join(tmpdir(), "treadle-data-"));
    try {
      for (const bytes of [files["guests.db"]!, await download("files/guests.db?raw")]) {
        writeFileSync(join(folder, "guests.db"), bytes);
        const database = new DatabaseSync(join(folder, "guests.db"));
        const rows = database.prepare("SELECT name FROM guests ORDER BY rowid").all();
        database.close();
        expect(rows.map(({ name }) => name)).toEqual(["Ada", "Grace & <b>Co</b>"]);
      }
      expect(Object.keys(files).filter((name) => name.startsWith(".data/transfer"))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("keeps what was entered when the person goes back to older sources", async () => {
    await person.sendMessage("Call it Who was here");
    await page
      .getByLabel("Conversation")
      .getByText("It is called “Who was here” now.")
      .first()
      .waitFor();
    await person.sees("runs");
    await heading("Who was here");
    await sign("Edsger");
    await page.getByRole("button", { name: /history/i }).click();
    await page
      .getByRole("button", { name: /^Go back to/ })
      .first()
      .click();
    await heading("Guests");
    await expect.poll(guests).toEqual(["Ada", "Grace & <b>Co</b>", "Edsger"]);
    await picture(page, "data-kept");
  });
});
