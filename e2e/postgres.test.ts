import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectDetail } from "@treadle/protocol";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { postgresPrograms } from "../packages/workspace/src/testing/postgres.test-support.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";
import { talkTo } from "./support/talk.ts";
import { scriptedBy } from "./support/treadle.ts";

describe.skipIf(postgresPrograms === undefined)(
  "an app that keeps its data in a PostgreSQL of Treadle's own (needs the programs of this machine)",
  () => {
    let { page, person, treadle, context, model } = {} as Stage;
    setStage(
      {
        script: scriptNamed("guestbook-postgres"),
        env: (model) => ({
          ...scriptedBy(model),
          TREADLE_PREPARE: "none",
        }),
      },
      (stage) => {
        ({ page, person, treadle, context, model } = stage);
      },
    );

    const { read } = talkTo(
      () => treadle,
      () => person.projectId(),
    );
    const dialog = () => page.getByRole("dialog", { name: "Publish" });
    const published = (number: number) =>
      dialog()
        .locator(`[data-release="${number}"][data-state="ready"]`)
        .getByText("Published", { exact: true });
    let app: Page;

    async function sign(name: string): Promise<void> {
      await app.getByRole("textbox", { name: "Name" }).fill(name);
      await app.getByRole("button", { name: "Sign" }).click();
      await app.getByText(name).waitFor();
    }

    async function atRest(): Promise<void> {
      await person.sees("runs", 300_000);
      const path = `/api/projects/${person.projectId()}`;
      await expect
        .poll(async () => ((await (await treadle.api(path)).json()) as ProjectDetail).working)
        .toBe(false);
    }

    it("is verified in the preview; what the model sees of the database contains no password", async () => {
      await person.open();
      await person.ask("Build a guest book");
      await atRest();
      const entries = await read(0, ({ type }) => type === "run-end");
      const text = JSON.stringify(entries);
      expect(text).toContain(`treadle_${person.projectId()}_preview`);
      expect(text).toContain("PGHOST=127.0.0.1");
      expect(text).toContain("PGPORT=5432");
      expect(text).not.toMatch(/PASSWORD|TREADLE_APPS/);
      expect(text).not.toContain(treadle.data);
    });

    it("is published with its own data", async () => {
      await treadle.api(`/api/projects/${person.projectId()}/settings/data`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ keepsData: true }),
      });
      await person.preview().getByRole("textbox", { name: "Name" }).fill("Only in the preview");
      await person.preview().getByRole("button", { name: "Sign" }).click();
      await person.preview().getByText("Only in the preview").waitFor();
      await page.getByRole("button", { name: "Publish" }).click();
      await dialog().getByRole("textbox", { name: "Name (optional)" }).fill("people");
      await dialog().getByRole("button", { name: "Publish" }).click();
      await published(1).waitFor();
      const link = dialog().getByRole("link", { name: /people\.localhost/ });
      const address = (await link.getAttribute("href"))!;
      app = await context.newPage();
      await app.goto(address);
      await app.getByRole("heading", { name: "Guests", exact: true }).waitFor();
      expect(await app.getByText("Only in the preview").count()).toBe(0);
      await sign("Ada");
    });

    it("a release with a migration migrates the data, and going back restores it", async () => {
      await page.keyboard.press("Escape");
      await person.sendMessage("Show a count of them");
      await atRest();
      const requests = model.requests.map(({ body }) => JSON.stringify(body));
      expect(requests[0]).not.toContain("localhost:5432");
      expect(requests.at(-1)).toMatch(/localhost:5432.*with the tables \\+"guests\\+"/);
      await page.getByRole("button", { name: "Publish" }).click();
      await dialog().getByRole("button", { name: "Publish these files" }).click();
      await published(2).waitFor();
      await app.reload();
      await app.getByRole("heading", { name: "1 guests" }).waitFor();
      await app.getByText("Ada was here", { exact: true }).waitFor();
      await sign("Grace");
      await app.getByRole("heading", { name: "2 guests" }).waitFor();
      await dialog().locator('[data-release="1"]').getByRole("button", { name: "Go back" }).click();
      await published(1).waitFor();
      await app.reload();
      await app.getByRole("heading", { name: "Guests", exact: true }).waitFor();
      await app.getByText("Ada", { exact: true }).waitFor();
      expect(await app.getByText("Grace").count()).toBe(0);
    });

    it("is shown and changed in the page, separately for the preview and the published app", async () => {
      await page.keyboard.press("Escape");
      await page.getByRole("main").click({ position: { x: 2, y: 2 } });
      await page.keyboard.press("d");
      await page.keyboard.press("d");
      const data = page.getByRole("dialog", { name: "Data of the app" });
      const databases = data.getByRole("combobox", { name: "Database" });
      await databases.waitFor();
      const value = (name: string) => data.getByRole("cell", { name, exact: true });
      await data.getByRole("combobox", { name: "Table" }).selectOption("guests");
      await value("Only in the preview").waitFor();
      await picture(page, "postgres-data");
      await databases.selectOption({
        label: (await databases.getByText(/^Published · PostgreSQL/).innerText()).trim(),
      });
      await value("Ada").getByRole("button").click();
      await data.getByRole("textbox", { name: "name" }).fill("Ada Lovelace");
      await page.keyboard.press("Enter");
      await value("Ada Lovelace").waitFor();
      await app.reload();
      await app.getByText("Ada Lovelace", { exact: true }).waitFor();
      await data
        .getByRole("checkbox", { name: "Save them with each turn", checked: true })
        .waitFor();
      const [fullDownload] = await Promise.all([
        page.waitForEvent("download"),
        data.getByRole("link", { name: "Download the database" }).click(),
      ]);
      expect(await readFile(await fullDownload.path(), "utf8")).toContain("'Ada Lovelace'");
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        data.getByRole("link", { name: "Download as CSV" }).click(),
      ]);
      expect(await readFile(await file.path(), "utf8")).toMatch(/^id,name,at\r\n1,Ada Lovelace,/);
      await data.getByLabel("File for guests").setInputFiles({
        name: "guests.csv",
        mimeType: "text/csv",
        buffer: Buffer.from("name\nEdsger\n"),
      });
      await data.getByText("Added 1 row to guests.").waitFor();
      await app.reload();
      await app.getByText("Edsger", { exact: true }).waitFor();
    });

    it("is restored with the files to its state before a turn, if the user chose so", async () => {
      await page.keyboard.press("Escape");
      const path = `/api/projects/${person.projectId()}`;
      await person.preview().getByRole("textbox", { name: "Name" }).fill("After the turn");
      await person.preview().getByRole("button", { name: "Sign" }).click();
      await person.preview().getByRole("heading", { name: "2 guests" }).waitFor();
      const { checkpoints } = (await (await treadle.api(`${path}/checkpoints`)).json()) as {
        checkpoints: { checkpoint: string; hasData?: true }[];
      };
      const retained = checkpoints.filter(({ hasData }) => hasData);
      expect(retained).toHaveLength(1);
      const back = await treadle.api(`${path}/restore`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ checkpoint: retained[0]!.checkpoint, data: true }),
      });
      expect(back.status).toBe(200);
      await person.preview().getByRole("heading", { name: "Guests", exact: true }).waitFor();
      await person.preview().getByText("Only in the preview", { exact: true }).waitFor();
      expect(await person.preview().getByText("After the turn").count()).toBe(0);
    });

    it("is removed with its project", async () => {
      const id = person.projectId();
      const mark = join(treadle.data, "postgres/projects", id);
      expect(existsSync(mark)).toBe(true);
      await treadle.api(`/api/projects/${id}`, { method: "DELETE" });
      await expect.poll(() => existsSync(mark)).toBe(false);
    });
  },
);
