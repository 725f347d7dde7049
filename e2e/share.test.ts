import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { page, person, browser, treadle } = {} as Stage;
setStage({ script: scriptNamed("guestbook") }, (stage) => {
  ({ page, person, browser, treadle } = stage);
});

/** Concatenated, so that this file contains no key. */
const KEY = ["sk", "live", "9fKq2WmZ7bXc4Rt8YpL3"].join("_");
const SECRET = "hunter2-of-the-settings";

const dialog = () => page.getByRole("dialog", { name: "Share" });

/** Creates a link as a user does, and returns the shown text. */
async function link(fill: () => Promise<void>): Promise<string> {
  const known = await dialog().getByRole("listitem").count();
  await fill();
  await dialog().getByRole("button", { name: "Make a link" }).click();
  await dialog().getByRole("listitem").nth(known).waitFor();
  return (await dialog().getByRole("listitem").first().getByRole("link").getAttribute("href"))!;
}

/** A visitor: a browser without any earlier state. */
async function guest(address: string, options: object = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const opened = await context.newPage();
  await opened.goto(address);
  return opened;
}

/** Light on a wide page, dark on a phone: pictures, and what axe finds. */
async function look(at: Page, name: string, fullPage = false): Promise<void> {
  for (const [width, height, colorScheme] of [
    [1440, 900, "light"],
    [390, 844, "dark"],
  ] as const) {
    await at.setViewportSize({ width, height });
    await at.emulateMedia({ colorScheme });
    await picture(at, `${name}-${width}-${colorScheme}`, { fullPage });
    expect(await problemsOf(at)).toEqual([]);
  }
}

describe("a link for people without an account", () => {
  let app: Page;
  let locked: string;
  let talk: string;

  it("shows the running app behind a password, and nothing of Treadle (A133)", async () => {
    await person.open();
    await person.ask(`Build a guest book; the key is ${KEY}, and in the settings ${SECRET}`);
    await person.sees("runs");
    await treadle.api(`/api/projects/${person.projectId()}/settings/secrets/PAY`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ value: SECRET, host: "api.pay.example" }),
    });
    await page.getByRole("button", { name: "Share" }).click();
    await dialog().getByText("only in browsers on this machine").waitFor();
    locked = await link(() =>
      dialog().getByRole("textbox", { name: "Password" }).fill("correct horse"),
    );
    app = await guest(locked, { locale: "pt-BR" });
    await app.getByRole("heading", { name: "Este link tem senha" }).waitFor();
    await look(app, "share-password");
    await app.getByLabel("Senha").fill("correct horsf");
    await app.keyboard.press("Enter");
    await app.getByText("Essa não é a senha.").waitFor();
    await app.getByLabel("Senha").fill("correct horse");
    await app.keyboard.press("Enter");
    await app.getByRole("heading", { name: "Guests", exact: true }).waitFor();
    // The link's secret is no longer in the address.
    expect(new URL(app.url()).pathname).toBe("/");
    expect(await app.content()).not.toContain("__treadle");
    await app.getByRole("textbox", { name: "Name" }).fill("Grace");
    await app.getByRole("button", { name: "Sign" }).click();
    await app.getByText("Grace").waitFor();
    // Its page cannot use the workbench.
    const asked = await app.evaluate(
      (origin) => fetch(`${origin}/api/projects`, { credentials: "include" }).catch(String),
      new URL(treadle.address).origin,
    );
    expect(String(asked)).toContain("Failed to fetch");
  });

  it("shows the conversation with its verdicts, read-only and without secrets (A134)", async () => {
    talk = await link(async () => {
      await dialog().getByRole("radio", { name: "The conversation" }).check();
      await dialog().getByRole("checkbox", { name: "Let them take the source" }).check();
    });
    const make = dialog().getByRole("button", { name: "Make a link" });
    await expect.poll(() => make.evaluate((it) => it === document.activeElement)).toBe(true);
    await dialog().getByText("opened once").waitFor();
    await look(page, "share-dialog");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    const reader = await guest(talk);
    await reader.getByRole("heading", { level: 1 }).waitFor();
    await reader.getByText("Runs", { exact: true }).first().waitFor();
    await look(reader, "share-conversation", true);
    for (const fold of await reader.locator("details").all())
      await fold.evaluate((one) => one.setAttribute("open", ""));
    await picture(reader, "share-conversation-open", { fullPage: true });
    const html = await reader.content();
    const { capability } = (await (
      await treadle.api(`/api/projects/${person.projectId()}`)
    ).json()) as { capability?: string };
    for (const secret of [KEY, SECRET, process.cwd(), ...(capability ? [capability] : [])])
      expect(html).not.toContain(secret);
    expect(html).not.toMatch(/<script/i);
    const [source] = await Promise.all([
      reader.waitForEvent("download"),
      reader.getByRole("link", { name: "Take the source (ZIP)" }).click(),
    ]);
    expect(source.suggestedFilename()).toBe("source.zip");
    // A signed-in user can copy it as a project.
    const own = (await reader.getByRole("link", { name: "Make it yours" }).getAttribute("href"))!;
    await reader.goto(own);
    await reader.getByRole("heading", { name: "Not signed in" }).waitFor();
    await reader.context().close();
  });

  it("of a published app has a password field on a phone too", async () => {
    const publication = `/api/projects/${person.projectId()}/publication`;
    await treadle.api(publication, { method: "POST", body: "{}" });
    const current = async () => (await (await treadle.api(publication)).json()) as object;
    await expect.poll(current, { timeout: 60_000 }).toMatchObject({ current: 1 });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: "Share" }).click();
    await dialog().getByRole("radio", { name: "What is published" }).check();
    const field = (await dialog().getByLabel("Password").boundingBox())!;
    expect(field.width).toBeGreaterThan(120);
    expect(field.x + field.width).toBeLessThan(390);
    await look(page, "share-published");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("stops working immediately when revoked, as if it had never existed (A131)", async () => {
    await dialog()
      .getByRole("listitem")
      .filter({ hasText: "with a password" })
      .getByRole("button", { name: "Revoke" })
      .click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
    await expect.poll(() => dialog().getByRole("listitem").count()).toBe(1);
    // The pressed button is gone, and the page behind must not get the focus.
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    const inDialog = () => dialog().evaluate((it) => it.contains(document.activeElement));
    await expect.poll(inDialog).toBe(true);
    await page.keyboard.press("Tab");
    expect(await inDialog()).toBe(true);
    await app.reload();
    await app.getByRole("heading", { name: "Este link não abre nada" }).waitFor();
    await look(app, "share-gone");
    const body = (at: Page) => at.locator("main").innerText();
    const pageText = await body(app);
    await app.goto(locked.replace(/open\/.*/, `open/${"A".repeat(26)}`));
    expect(await body(app)).toBe(pageText);
    await app.context().close();
  });

  it("lets a signed-in user create a project from the conversation", async () => {
    await page.goto(talk);
    await page.getByRole("link", { name: "Make it yours" }).click();
    await page.getByRole("button", { name: "Make a copy" }).waitFor();
    await look(page, "share-yours");
    await page.getByRole("button", { name: "Make a copy" }).click();
    await page.waitForURL(/\/p\//);
    await page
      .getByText(/\(copy\)/)
      .first()
      .waitFor();
  });
});
