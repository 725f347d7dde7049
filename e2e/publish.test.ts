import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { userInfo } from "node:os";
import { promisify } from "node:util";
import type { ProjectDetail, ProjectSettings, Publication } from "@treadle/protocol";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  NETLIFY,
  startNetlify,
  type NetlifyStandIn,
} from "../packages/publish/src/elsewhere/netlify.test-support.ts";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";
import { bin, scriptedBy } from "./support/treadle.ts";

let { page, person, treadle, context, restart } = {} as Stage;
/** Stands in for Netlify, because no account is available here. */
let netlify: NetlifyStandIn;
const TOKEN = "nfp_of_ada_3381";
beforeAll(async () => {
  netlify = await startNetlify(TOKEN);
});
afterAll(() => netlify.close());
setStage(
  {
    script: scriptNamed("guestbook"),
    env: (model) => ({
      ...scriptedBy(model),
      TREADLE_TEST_STAND_INS: `${NETLIFY}=${netlify.origin}`,
    }),
  },
  (stage) => {
    ({ page, person, treadle, context, restart } = stage);
  },
);

const dialog = () => page.getByRole("dialog", { name: "Publish" });
const publication = async () =>
  (await (
    await treadle.api(`/api/projects/${person.projectId()}/publication`)
  ).json()) as Publication;
const published = (number: number) =>
  dialog()
    .locator(`[data-release="${number}"][data-state="ready"]`)
    .getByText("Published", { exact: true });

/**
 * Waits until the project is verified and idle: a project that is being worked on cannot be
 * published.
 */
async function atRest(): Promise<void> {
  await person.sees("runs");
  const path = `/api/projects/${person.projectId()}`;
  await expect
    .poll(async () => ((await (await treadle.api(path)).json()) as ProjectDetail).working)
    .toBe(false);
}

let app: Page;
let address: string;

/**
 * Node does not resolve names below `localhost`, and its `fetch` sends only the address's own Host.
 */
const get = (path = "", host = new URL(address).host) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { port } = new URL(address);
    const asked = request({ host: "127.0.0.1", port, path: `/${path}`, headers: { host } });
    asked.on("response", (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (piece: string) => (body += piece));
      answer.on("end", () => resolve({ status: answer.statusCode!, text: body }));
    });
    asked.on("error", reject).end();
  });

describe("a sentence becomes an app that is published, with its data", () => {
  it("the verified state is published under a name, and its address answers", async () => {
    await person.open();
    await person.ask("Build a guest book");
    await person.sees("runs");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await dialog().getByRole("textbox", { name: "Name (optional)" }).fill("guests");
    await picture(page, "publish-first-1440");
    expect(await problemsOf(page)).toEqual([]);
    await dialog().getByRole("button", { name: "Publish" }).click();
    await published(1).waitFor({ timeout: 60_000 });
    address = (await dialog()
      .getByRole("link", { name: /guests\.localhost/ })
      .getAttribute("href"))!;
    app = await context.newPage();
    await app.goto(address);
    await app.getByRole("heading", { name: "Guests", exact: true }).waitFor();
    await app.getByRole("textbox", { name: "Name" }).fill("Ada");
    await app.getByRole("button", { name: "Sign" }).click();
    await app.getByText("Ada").waitFor();
    await app.getByText("1 cards").waitFor();
    // The published app contains nothing of Treadle except the script that reports errors.
    const script = app.locator("script");
    expect(await script.textContent()).toContain("/.well-known/treadle-errors");
    await script.evaluate((element) => element.remove());
    expect(await app.content()).not.toContain("treadle");
    await picture(page, "publish-done-1440");
    await page.keyboard.press("Escape");
  });

  it("a change with a migration is published while people use it, 50 requests a second: none fails, and their data is there in its new shape", async () => {
    await person.sendMessage("Show a count of them");
    await person.sees("runs");
    // The published app is not the one being worked on.
    expect((await get()).text).toContain("<h1>Guests</h1>");
    const asked: Promise<number>[] = [];
    const status = () =>
      get().then(
        (answer) => answer.status,
        () => 0,
      );
    const load = setInterval(() => asked.push(status()), 20);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await dialog().getByRole("button", { name: "Publish these files" }).click();
    await published(2).waitFor({ timeout: 60_000 });
    clearInterval(load);
    expect([...new Set(await Promise.all(asked))]).toEqual([200]);
    await app.reload();
    await app.getByRole("heading", { name: "1 guests" }).waitFor();
    await app.getByText("Ada was here", { exact: true }).waitFor();
    await app.getByRole("textbox", { name: "Name" }).fill("Grace");
    await app.getByRole("button", { name: "Sign" }).click();
    await app.getByRole("heading", { name: "2 guests" }).waitFor();
    // The uploaded file was copied with the rows.
    await app.getByText("2 cards").waitFor();
  });

  it("going back takes one click, and restores the data", async () => {
    await dialog().locator('[data-release="1"]').getByRole("button", { name: "Go back" }).click();
    await published(1).waitFor();
    await app.goto(address);
    await app.getByRole("heading", { name: "Guests", exact: true }).waitFor();
    await app.getByText("Ada", { exact: true }).waitFor();
    expect(await app.getByText("Grace").count()).toBe(0);
    await app.getByText("1 cards").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await picture(page, `publish-releases-1440-${colorScheme}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await picture(page, `publish-releases-390-${colorScheme}`);
      expect(await problemsOf(page)).toEqual([]);
      await page.setViewportSize({ width: 1440, height: 900 });
    }
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("a custom domain can be added, and reaches the app through a web server in front", async () => {
    await dialog().getByRole("tab", { name: "Settings" }).click();
    await dialog().getByRole("textbox", { name: "Domain" }).fill("https://guests.example.com");
    await dialog().getByRole("button", { name: "Add", exact: true }).click();
    await dialog().getByText("is not a domain that people elsewhere could open").waitFor();
    await dialog().getByRole("textbox", { name: "Domain" }).fill("guests.example.com");
    await page.keyboard.press("Enter");
    await dialog().getByRole("link", { name: "https://guests.example.com/" }).waitFor();
    for (const [width, height, colorScheme] of [
      [1440, 900, "light"],
      [390, 844, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await picture(page, `publish-domains-${width}-${colorScheme}`);
      expect(await problemsOf(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    expect((await get("", "guests.example.com")).text).toContain("Ada");
  });

  it("it can get its own port, for browsers that do not resolve such names; other apps' names are not answered there", async () => {
    await dialog().getByRole("button", { name: "Give it a port" }).click();
    const link = dialog().getByRole("link", { name: /^http:\/\/127\.0\.0\.1:42\d\d\/$/ });
    await link.waitFor();
    const byPort = (await link.getAttribute("href"))!;
    await picture(page, "publish-port-1440");
    expect(await problemsOf(page)).toEqual([]);
    await app.goto(byPort);
    await app.getByText("Ada").waitFor();
    expect((await fetch(byPort, { headers: { accept: "text/html" } })).status).toBe(200);
    await app.goto(address);
    const words = ["publish", person.projectId(), "--port", "none", "--data", treadle.data];
    const { stdout } = await promisify(execFile)(process.execPath, [bin, ...words], {
      env: { ...process.env, CI: "true" },
    });
    expect(stdout).not.toContain(byPort);
    await expect(fetch(byPort)).rejects.toThrow("fetch failed");
  });

  it("its errors are shown in its project, and it restarts automatically", async () => {
    expect((await get("boom")).status).not.toBe(200);
    await dialog()
      .getByRole("tab", { name: /^Running \d went wrong$/ })
      .click({ timeout: 20_000 });
    await dialog().getByRole("heading", { name: "Went wrong", exact: true }).waitFor();
    const taken = dialog().getByRole("region", { name: "While it runs" });
    await taken.getByText("Memory", { exact: true }).waitFor();
    await taken.getByText(/^\d+ of [\d,]+ MB$/).first().waitFor(); // prettier-ignore
    const wrong = (text: string) => dialog().getByRole("listitem").filter({ hasText: text });
    await wrong("It ended with 1: Error: boom").waitFor();
    await picture(page, "publish-errors-1440");
    await expect.poll(async () => (await get()).status, { timeout: 30_000 }).toBe(200);
    await app.goto(address);
    await app.evaluate(() => {
      setTimeout(() => {
        throw new Error("the basket of ada@lovelace.org is empty");
      });
    });
    await wrong("the basket of [e-mail] is empty").waitFor();
    expect((await publication()).errors[0]).toMatchObject({ kind: "browser", page: "/" });
    await picture(page, "publish-browser-errors-1440");
    await expect.poll(async () => (await get()).status, { timeout: 30_000 }).toBe(200);
  });

  it("restarts automatically after the server was killed", async () => {
    const { port } = new URL(treadle.origin);
    await treadle.kill("SIGKILL");
    treadle = await restart("--port", port);
    expect((await get()).text).toContain("Ada");
    expect(await publication()).toMatchObject({ current: 1, name: "guests", app: "up" });
  });

  it("the command line does the same, and prints the address", async () => {
    const words = ["publish", person.projectId(), "--back", "2", "--data", treadle.data];
    const { stdout } = await promisify(execFile)(process.execPath, [bin, ...words], {
      env: { ...process.env, CI: "true" },
    });
    expect(stdout).toBe(`Release 2 is published.\nhttps://guests.example.com/\n${address}\n`);
    expect((await get()).text).toContain("<h1>2 guests</h1>");
  });

  it("the app's data is shown, searched and changed in the page, published data separately from the preview's", async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("main").click({ position: { x: 2, y: 2 } });
    await page.keyboard.press("d");
    await page.keyboard.press("d");
    const data = page.getByRole("dialog", { name: "Data of the app" });
    await data.getByRole("combobox", { name: "Database" }).waitFor();
    const databases = data.getByRole("combobox", { name: "Database" });
    await databases.selectOption({
      label: (await databases.getByText(/^Published/).innerText()).trim(),
    });
    const value = (name: string) => data.getByRole("cell", { name, exact: true });
    await value("Grace").waitFor();
    for (const [width, height, colorScheme] of [
      [1440, 900, "light"],
      [390, 844, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await picture(page, `publish-data-${width}-${colorScheme}`);
      expect(await problemsOf(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    await data.getByRole("searchbox", { name: "Find in the rows" }).fill("grac");
    await data.getByText("1 row", { exact: true }).waitFor();
    await value("Grace").getByRole("button").click();
    await data.getByRole("textbox", { name: "name" }).fill("Grace Hopper");
    await page.keyboard.press("Enter");
    await value("Grace Hopper").waitFor();
    const changed = value("Grace Hopper").getByRole("button");
    await expect.poll(() => changed.evaluate((it) => it === document.activeElement)).toBe(true);
    await data.getByRole("button", { name: "Add a row" }).click();
    await page.keyboard.type("7");
    expect(await data.getByRole("textbox", { name: "id" }).inputValue()).toBe("7");
    // Escape cancels the row's edit, and the dialog stays.
    await page.keyboard.press("Escape");
    await data.getByRole("button", { name: "Add a row" }).waitFor();
    expect((await get()).text).toContain("Grace Hopper");
    await data.getByRole("tab", { name: "SQL" }).click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      data.getByRole("link", { name: "Download the database" }).click(),
    ]);
    expect((await readFile(await file.path())).subarray(0, 15).toString()).toBe("SQLite format 3");
    const sql = data.getByRole("textbox", { name: "SQL to run" });
    await sql.fill("SELECT age FROM guests");
    await page.keyboard.press("Control+Enter");
    await data.getByText("no such column: age").waitFor();
    await sql.fill("DELETE FROM guests WHERE name LIKE 'Grace%'");
    await page.keyboard.press("Control+Enter");
    await data.getByText("1 row changed").waitFor();
    expect((await get()).text).not.toContain("Grace");
    await data.getByRole("tab", { name: "Rows" }).click();
    const rows = data.getByLabel("File for guests");
    await rows.setInputFiles({
      name: "guests.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("name,age\nEdsger,72\n"),
    });
    await data.getByText("has no column “age”").waitFor();
    await rows.setInputFiles({
      name: "guests.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("name\nEdsger\n"),
    });
    await data.getByText("Added 1 row to guests.").waitFor();
    await value("Edsger").waitFor();
    expect((await get()).text).toContain("Edsger was here");
    await data.getByLabel(/^File for .*app\.db$/).setInputFiles(await file.path());
    await page.getByRole("alertdialog").getByRole("button", { name: "Replace it" }).click();
    await data.getByText("what was in it is kept in .data/copies").waitFor();
    expect((await get()).text).toContain("Grace");
    expect((await get()).text).not.toContain("Edsger");
    await data.getByRole("combobox", { name: "Database" }).selectOption({
      label: await data.locator("option", { hasText: "before-import" }).innerText(),
    });
    await data.getByRole("button", { name: /^Restore .*app\.db from this copy…$/ }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Restore it" }).click();
    await data.getByRole("status").getByText("what was in it is kept in .data/copies").waitFor();
    expect((await get()).text).toContain("Edsger");
    await page.keyboard.press("Escape");
  });

  it("what is found in a release holds it, until it is repaired or somebody says all the same", async () => {
    await person.sendMessage("Keep them elsewhere");
    await atRest();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await dialog().getByRole("button", { name: "Publish these files" }).click();
    const third = dialog().locator('[data-release="3"][data-state="held"]');
    await third.waitFor({ timeout: 60_000 });
    await third.getByText("The password of a database is written in a file.").waitFor();
    await third.getByText("server.js:6").waitFor();
    await dialog().getByRole("button", { name: "Scan these files again" }).waitFor();
    expect(await dialog().getByRole("button", { name: "Publish these files" }).count()).toBe(0);
    await third.getByText("A page called admin opens without a sign-in.").waitFor();
    // Two accounts were created in a copy that is not part of any release.
    await third.getByText("One signed-in person can read what another has written.").waitFor();
    await third.getByText("GET /letters").waitFor();
    expect(await publication()).toMatchObject({ current: 2 });
    expect((await get()).status).toBe(200);
    for (const [width, height, colorScheme] of [
      [1440, 900, "light"],
      [390, 844, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await picture(page, `publish-held-${width}-${colorScheme}`);
      expect(await problemsOf(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    const [report] = await Promise.all([
      page.waitForEvent("download"),
      third.getByRole("link", { name: "Save the report" }).click(),
    ]);
    expect(await readFile(await report.path(), "utf8")).toContain("server.js:6");

    const words = ["publish", person.projectId(), "--data", treadle.data];
    const run = (...more: string[]) =>
      promisify(execFile)(process.execPath, [bin, ...words, ...more], {
        env: { ...process.env, CI: "true" },
      });
    await expect(run()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /! The password of a database is written in a file\. server\.js:6\n[^]*Release 4 is held/,
      ) as string,
    });
    expect((await run("--anyway")).stdout).toMatch(/^Release 5 is published\.\n/);
    expect((await publication()).releases[0]!.gate!.decided!.by).toBe(userInfo().username);

    await third.getByRole("button", { name: "Publish all the same" }).click();
    await published(3).waitFor({ timeout: 30_000 });
    await dialog()
      .locator('[data-release="3"]')
      .getByText("Published all the same, decided by: the page.")
      .waitFor();
    const fifth = dialog().locator('[data-release="5"]');
    await fifth.getByText("Scanned: 3 problems found").click();
    const fix = fifth.getByRole("button", { name: "Fix: The password of a database" });
    await person.sendsBy(() => fix.click());
    await atRest();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await dialog().getByRole("button", { name: "Publish these files" }).click();
    await published(6).waitFor({ timeout: 60_000 });
    expect((await publication()).releases[0]!.gate!.findings).toEqual([]);
  });

  it("lists variables that only a .env file sets, and stores them as secrets of the published app", async () => {
    const path = `/api/projects/${person.projectId()}`;
    await treadle.api(`${path}/files/.env`, {
      method: "PUT",
      headers: { "if-none-match": "*" },
      body: JSON.stringify({ text: "ADMIN_PASSWORD=letmein-3381\n" }),
    });
    const missing = dialog().getByRole("group", { name: "Variables that the published app lacks" });
    await missing.getByText("ADMIN_PASSWORD").waitFor();
    await picture(page, "publish-missing-variables");
    expect(await problemsOf(page)).toEqual([]);
    expect(await dialog().textContent()).not.toContain("letmein-3381");
    await missing.getByRole("button", { name: "Keep as secrets of the published app" }).click();
    await missing.waitFor({ state: "detached" });
    const { secrets } = (await (await treadle.api(`${path}/settings`)).json()) as ProjectSettings;
    expect(secrets).toMatchObject([{ name: "ADMIN_PASSWORD", environment: "published" }]);
  });

  it("sends a site to another host with a token typed once, and shows its address", async () => {
    await person.open();
    await person.ask("A page with our opening hours");
    await atRest();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await dialog().getByRole("button", { name: "Publish" }).click();
    await published(1).waitFor({ timeout: 60_000 });
    await dialog().getByRole("tab", { name: "Elsewhere" }).click();
    const token = dialog().getByLabel("Token", { exact: true });
    const send = dialog().getByRole("button", { name: "Send release 1" });
    await token.fill("another");
    await send.click();
    await dialog().getByText("Netlify does not accept the token.").waitFor();
    await token.fill(TOKEN);
    await send.click();
    const link = dialog().getByRole("link", { name: /netlify\.app/ });
    await link.waitFor();
    const sent = (await link.getAttribute("href"))!;
    expect(netlify.files(sent)["index.html"]).toContain("Open from nine to five");
    for (const [width, height, colorScheme] of [
      [1440, 900, "light"],
      [390, 844, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await link.scrollIntoViewIfNeeded();
      await picture(page, `publish-elsewhere-${width}-${colorScheme}`);
      expect(await problemsOf(page)).toEqual([]);
    }
    const words = ["publish", person.projectId(), "--to", "netlify", "--data", treadle.data];
    const { stdout } = await promisify(execFile)(process.execPath, [bin, ...words], {
      env: { ...process.env, CI: "true" },
    });
    expect(stdout).toBe(`Release 1 is there.\n${sent}\n`);
  });

  it("asks for the token of another server once it is named, and hides rarely used fields", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const where = dialog().getByRole("combobox", { name: "Where to" });
    const send = dialog().getByRole("button", { name: "Send release 1" });
    await where.selectOption("registry");
    await dialog().getByLabel("Image").fill("ghcr.io/ada/hours");
    await dialog().getByLabel("User name").fill("ada");
    const password = dialog().getByLabel("Password or token");
    await password.fill("of-ghcr");
    await send.click();
    await dialog().getByText("A token is kept on the server.").waitFor();
    await dialog().getByText("release 1 · failed").waitFor();
    await dialog().getByLabel("Image").fill("registry.example.com/ada/hours");
    await send.click();
    await dialog().getByRole("alert").filter({ hasText: "needs a token" }).waitFor();
    await password.waitFor();
    await where.selectOption("coolify");
    expect(await dialog().getByLabel("Deploy key there").isVisible()).toBe(false);
    await dialog().getByText("Optional (7)").click();
    await dialog().getByLabel("Deploy key there").waitFor();
    await picture(page, "publish-elsewhere-coolify-1440");
    expect(await problemsOf(page)).toEqual([]);
  });
});
