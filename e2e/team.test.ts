import { Secret, TOTP } from "otpauth";
import type { Locator, Page } from "playwright-core";
import type { ScriptedModel } from "@treadle/scripted-model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  startIdentityProvider,
  type IdentityProviderServer,
} from "../packages/server/src/api/accounts/identity-provider.test-support.ts";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { personAt } from "./support/person.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";
import { scriptedBy } from "./support/treadle.ts";

let { page, person, browser, treadle } = {} as Stage;
let idp: IdentityProviderServer;
beforeAll(async () => void (idp = await startIdentityProvider()));
afterAll(() => idp.close());
const env = (model: ScriptedModel) => ({
  ...scriptedBy(model),
  TREADLE_OIDC_ISSUER: idp.issuer,
  TREADLE_OIDC_CLIENT_ID: idp.clientId,
  TREADLE_OIDC_CLIENT_SECRET: idp.clientSecret,
  TREADLE_OIDC_NAME: "Example",
  TREADLE_OIDC_SCOPES: "openid profile email groups",
  TREADLE_OIDC_GROUP_ROLES: '{"staff": "member"}',
});
setStage({ script: scriptNamed("chat"), args: ["--team"], env }, (stage) => {
  ({ page, person, browser, treadle } = stage);
  idp.register([`${treadle.origin}/sign-in/provider/return`]);
});

/** Wide and as on a phone, light and dark: pictures, and what axe finds. */
async function look(at: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const)
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await at.setViewportSize({ width, height });
      await at.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await picture(at, `team-${name}-${width}-${colorScheme}`);
      await expect
        .poll(() => problemsOf(at, colorScheme === "dark" ? "colours" : "all"), {
          message: `${name} ${width}`,
        })
        .toEqual([]);
      const isWider = await at.evaluate(
        () => document.documentElement.scrollWidth > window.innerWidth,
      );
      expect(isWider, `${name} ${width}`).toBe(false);
    }
}

/** Opens a page of the account's menu. */
async function go(at: Page, name: string): Promise<void> {
  await at.getByRole("button", { name: /^Account of / }).click();
  await at.getByRole("menuitem", { name }).click();
  await at.getByRole("heading", { level: 1, name }).waitFor();
}

/** What a link or a token is shown as, once. */
const shownOnce = (at: Page | Locator): Promise<string> =>
  at.getByRole("status").locator("code").innerText();

describe("a team", () => {
  let ada: Page;
  const field = () => ada.getByRole("textbox", { name: "Say what to change" });
  const members = () => page.getByRole("dialog", { name: "Members" });
  const role = () => members().getByRole("combobox", { name: "Role of Ada Lovelace" });
  /** Opens the project's members, where Ada is one with a role: a viewer, if a test before did not come so far. */
  async function openMembers() {
    if (await members().isVisible()) return;
    await page.getByRole("button", { name: "Project" }).click();
    await page.getByRole("menuitem", { name: "Members" }).click();
    const candidate = members().getByRole("combobox", { name: "Person or team" });
    await role()
      .or(candidate.filter({ hasText: "Ada Lovelace" }))
      .first()
      .waitFor();
    if (await role().isVisible()) return;
    await candidate.selectOption("Ada Lovelace");
    await members().getByRole("button", { name: "Add" }).click();
    await role().waitFor();
  }

  it("begins with its owner, who enters by the printed link", async () => {
    await page.goto(treadle.address);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Account of Owner" }).waitFor();
    await look(page, "first");
  });

  it("lets somebody in by a link that an administrator makes", async () => {
    await go(page, "People");
    await page.getByRole("textbox", { name: "Email address" }).fill("ada@example.com");
    await page.getByRole("button", { name: "Make a link" }).click();
    const link = await shownOnce(page);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    ada = await context.newPage();
    await ada.goto(link);
    await ada.getByLabel("Your name").fill("Ada Lovelace");
    await ada.getByLabel("A password").fill("correct horse battery");
    await ada.getByRole("button", { name: "Sign in" }).click();
    await ada.getByRole("button", { name: "Account of Ada Lovelace" }).click();
    // She is no administrator.
    await ada.getByRole("menuitem", { name: "My account" }).waitFor();
    const items = await ada.getByRole("menuitem").allInnerTexts();
    expect(items.filter((item) => ["People", "Audit log"].includes(item))).toEqual([]);
    await ada.keyboard.press("Escape");
    await page.reload();
    await page.getByRole("textbox", { name: "New team" }).fill("Kitchen");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("combobox", { name: "Add to Kitchen" }).selectOption("Ada Lovelace");
    await page
      .getByRole("list", { name: "Members of Kitchen" })
      .getByText("Ada Lovelace")
      .waitFor();
    await look(page, "people");
  });

  it("shows a viewer everything of a project, and offers nothing that would change it", async () => {
    await page.getByRole("link", { name: "Treadle" }).click();
    await person.ask("Build a shopping list");
    await person.sees("runs");
    await openMembers();
    await look(page, "members");

    await ada.goto(`${treadle.origin}/p/${person.projectId()}`);
    await ada.getByText("You may not change this project").waitFor();
    await personAt(ada, treadle).sees("runs");
    expect(await field().count()).toBe(0);
    expect(await ada.getByRole("button", { name: /^(?:Publish|Share|Check)/ }).count()).toBe(0);
    await ada.getByRole("button", { name: "Project" }).click();
    await ada.getByRole("menuitem", { name: "Context" }).waitFor();
    for (const name of ["Rename", "Members", "Delete"])
      expect(await ada.getByRole("menuitem", { name, exact: true }).count(), name).toBe(0);
    await ada.keyboard.press("Escape");
    const sent = await ada.evaluate(async () => {
      const address = location.pathname.replace("/p/", "/api/projects/");
      const body = JSON.stringify({ text: "Add eggs" });
      const headers = { "content-type": "application/json" };
      return (await fetch(`${address}/messages`, { method: "POST", headers, body })).status;
    });
    expect(sent).toBe(403);
    await look(ada, "viewer");
  });

  it("lets an editor send in the page that is open", async () => {
    await openMembers();
    await role().selectOption({ label: "Editor" });
    const editor = personAt(ada, treadle);
    await editor.sendMessage("Add eggs");
    await page.getByText("Add eggs").waitFor();
    await editor.sees("runs");
  });

  it("lets two people type in one file at once while the model changes it", async () => {
    await page.keyboard.press("Escape");
    const text = (at: Page) => at.locator(".cm-content").filter({ visible: true });
    for (const at of [page, ada]) {
      await at.getByRole("tab", { name: "Code" }).click();
      await at.getByRole("treeitem", { name: "index.html" }).click();
      await text(at).getByText("Bread").waitFor();
    }
    await page.getByRole("button", { name: "Ada Lovelace: index.html" }).waitFor();
    await look(page, "together");
    await text(page).press("Control+Home");
    await text(ada).press("Control+End");
    const path = `/api/projects/${person.projectId()}`;
    const read = () =>
      page.evaluate(async (address) => {
        const answer = await fetch(address);
        return ((await answer.json()) as { text: string }).text;
      }, `${path}/files/index.html`);
    await Promise.all([
      page.evaluate(async (address) => {
        const headers = { "content-type": "application/json" };
        await fetch(address, { method: "POST", headers, body: '{"text":"Add eggs"}' });
      }, `${path}/messages`),
      text(page).pressSequentially("typed by the owner", { delay: 40 }),
      text(ada).pressSequentially("typed by Ada", { delay: 60 }),
    ]);
    const hasAll = (content: string) =>
      /^typed by the owner[^]*Eggs[^]*Eggs[^]*typed by Ada\n?$/.test(content.trim());
    await expect.poll(async () => hasAll(await read())).toBe(true);
    for (const at of [page, ada])
      for (const typed of ["typed by the owner", "typed by Ada"])
        await expect.poll(() => text(at).innerText()).toContain(typed);
    await ada.locator(".cm-ySelectionCaret").first().waitFor({ state: "attached" });
    // One's own typing is undone, and nobody else's.
    const undo = async () => {
      await text(page).press("Control+z");
      return read();
    };
    await expect.poll(undo).not.toMatch(/^typed/);
    expect(await read()).toContain("typed by Ada");
  });

  it("shows a comment on a line to everybody, follows it through edits, and sends it to the model", async () => {
    const line = ada.locator(".cm-line").filter({ hasText: "Bread" }).filter({ visible: true });
    await line.first().click();
    await ada.getByRole("button", { name: "Comment on this line" }).click();
    const comments = (at: Page) => at.getByRole("dialog", { name: "Comments" });
    await comments(ada).getByRole("textbox", { name: "New comment" }).fill("Why **bread**? <b>");
    await comments(ada).getByRole("button", { name: "Comment", exact: true }).click();
    // The text area still holds the same words until the comment was accepted.
    const written = (at: Page) =>
      comments(at).getByRole("paragraph").filter({ hasText: "Why **bread**? <b>" });
    await written(ada).waitFor();
    await ada.keyboard.press("Escape");
    await page.locator(".cm-comment-mark[title]").filter({ visible: true }).first().waitFor();
    await page.getByRole("button", { name: "1 open comment" }).click();
    await written(page).waitFor();
    // Only its author edits it.
    expect(await comments(page).getByRole("button", { name: "Edit comment" }).count()).toBe(0);
    await comments(page).getByRole("button", { name: "Reply" }).click();
    await comments(page).getByRole("textbox", { name: "Reply" }).fill("Because");
    await comments(page).getByRole("button", { name: "Reply" }).click();
    await comments(page).getByRole("paragraph").filter({ hasText: "Because" }).waitFor();
    await comments(page).getByRole("checkbox", { name: "Send this to the model" }).check();
    await look(page, "comments");
    await comments(page).getByRole("button", { name: "Send 1 to the model" }).click();
    const request = page.getByRole("list", { name: "Work on this comment" });
    await request.getByText(/^index\.html:\d+$/).waitFor();
    await request.getByText("Why **bread**? <b>").waitFor();
    await ada.getByRole("button", { name: "1 open comment" }).click();
    await comments(ada).getByText("Sent to the model").waitFor();
    await comments(ada).getByRole("button", { name: "Resolve" }).click();
    await page.getByRole("button", { name: "Comments, none open" }).waitFor();
    await ada.keyboard.press("Escape");
  });

  it("lets a guest comment on an element and a checkpoint by a link, until the link is revoked", async () => {
    await page.getByRole("button", { name: "Share" }).click();
    const access = page.getByRole("region", { name: "Access for guests" });
    const makeLink = async (role: string) => {
      await access.getByRole("combobox", { name: "Guests may" }).selectOption(role);
      await access.getByRole("button", { name: "Make a link for guests" }).click();
      return shownOnce(access);
    };
    await access.getByRole("checkbox", { name: "Guests need no account" }).check();
    const link = await makeLink("View and comment");
    await look(page, "links");
    const guest = await (
      await browser.newContext({ viewport: { width: 1440, height: 900 } })
    ).newPage();
    await guest.goto(link);
    await guest.getByRole("textbox", { name: "Your name" }).fill("Grace");
    await guest.getByRole("button", { name: "Open the project" }).first().click();
    // She sees what a viewer sees, and comments.
    await guest.getByText("You may not change this project").waitFor();
    const written = async (text: string) => {
      const comments = guest.getByRole("dialog", { name: "Comments" });
      await comments.getByRole("textbox", { name: "New comment" }).fill(text);
      await comments.getByRole("button", { name: "Comment", exact: true }).click();
      await comments.getByRole("paragraph").filter({ hasText: text }).waitFor();
      expect(await comments.getByRole("checkbox", { name: "Send this to the model" }).count()).toBe(
        0,
      );
      await guest.keyboard.press("Escape");
    };
    await guest.getByRole("button", { name: "Select an element" }).click();
    await personAt(guest, treadle).preview().getByText("Bread").first().click();
    await guest
      .getByRole("region", { name: "Selected element" })
      .getByRole("button", { name: "Comment" })
      .click();
    await written("Larger, please");
    await guest.getByRole("button", { name: "History" }).click();
    await guest
      .getByRole("button", { name: /^More for / })
      .first()
      .click();
    await guest.getByRole("menuitem", { name: "Comment" }).click();
    await written("This one was best");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "2 open comments" }).click();
    const comments = page.getByRole("dialog", { name: "Comments" });
    for (const [text, place] of [
      ["Larger, please", "li"],
      ["This one was best", "Checkpoint"],
    ] as const)
      await comments
        .getByRole("listitem")
        .filter({ hasText: text })
        .getByText(place)
        .first()
        .waitFor();
    await comments.getByText("Grace").first().waitFor();
    await look(page, "comments-of-a-guest");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Share" }).click();
    await access.getByRole("button", { name: "Revoke" }).click();
    await guest.getByText("Your session has ended").waitFor();
    await guest.goto(link);
    await guest.getByText("This link was used already").waitFor();
    await guest.context().close();
    await page.keyboard.press("Escape");
  });

  it("shows a terminal to others only while its owner shares it", async () => {
    const terminals = (at: Page) => at.getByRole("region", { name: "Terminals" });
    const share = async (name: string) => {
      await terminals(page).getByRole("button", { name: "More of the terminal" }).click();
      await page.getByRole("menuitemradio", { name }).click();
      await page.keyboard.press("Escape");
    };
    await page.getByRole("button", { name: "Terminal", exact: true }).click();
    const screen = (at: Page) =>
      terminals(at).getByRole("tabpanel").filter({ visible: true }).locator(".xterm-rows");
    const printed = (at: Page) => expect.poll(() => screen(at).innerText());
    const input = terminals(page).getByRole("textbox", { name: "Terminal 1", exact: true });
    await input.focus();
    await printed(page).toContain("$");
    await input.pressSequentially("echo from-the-own''er\n");
    await printed(page).toContain("from-the-owner");
    await ada.getByRole("button", { name: "Terminal", exact: true }).click();
    await terminals(ada).getByRole("tab", { name: "Terminal 1 · Owner" }).click();
    await terminals(ada).getByText("is not shared with you").waitFor();
    await printed(ada).not.toContain("from-the-owner");
    await share("Others see it");
    await terminals(ada).getByRole("button", { name: "Open again" }).click();
    await printed(ada).toContain("from-the-owner");
    await share("Only you see it");
    await terminals(ada).getByText("no longer shares this terminal").waitFor();
    await look(ada, "terminal-not-shared");
  });

  it("says in an open page that its person is no member any more", async () => {
    await openMembers();
    await members().getByRole("button", { name: "Remove Ada Lovelace" }).click();
    await ada.getByRole("heading", { name: "no access to this project any more" }).waitFor();
  });

  it("publishes what a second person has tried and approved, and tells the one who asked what was refused", async () => {
    await page.keyboard.press("Escape");
    const project = person.projectId();
    await go(page, "People");
    const publishing = page
      .getByRole("group", { name: "projects of Kitchen" })
      .getByRole("checkbox", { name: "Publishing" });
    await publishing.click();
    // Ada could not answer, so nobody could answer the owner's own requests.
    await page.getByRole("alert").getByText("Only Owner could answer").waitFor();
    await page
      .getByRole("list", { name: "Members of Kitchen" })
      .getByRole("combobox", { name: "Role of Ada Lovelace" })
      .selectOption("Owner");
    await publishing.click();
    await expect.poll(() => publishing.isChecked()).toBe(true);
    await page.goto(`${treadle.origin}/p/${project}`);
    await page.getByRole("button", { name: "Project" }).click();
    await page.getByRole("menuitem", { name: "Members" }).click();
    await members().getByRole("combobox", { name: "Person or team" }).selectOption("Team Kitchen");
    await members().getByRole("button", { name: "Add" }).click();
    await members().getByRole("combobox", { name: "Role of Team Kitchen" }).selectOption("Editor");
    await page.keyboard.press("Escape");

    await ada.goto(`${treadle.origin}/p/${project}`);
    await ada.evaluate(async () => {
      const address = location.pathname.replace("/p/", "/api/projects/");
      const headers = { "content-type": "application/json" };
      await fetch(`${address}/check`, { method: "POST", headers, body: "{}" });
    });
    await personAt(ada, treadle).sees("runs");
    const askToPublish = ada.getByRole("button", { name: "Ask to publish" });
    await askToPublish.click();
    const dialog = ada.getByRole("dialog", { name: "Ask to publish" });
    const ask = dialog.getByRole("button", { name: /^Ask (?:to publish|again)$/ });
    await dialog.getByRole("textbox", { name: "Name (optional)" }).fill("groceries");
    await dialog.getByRole("textbox", { name: "What is new" }).fill("Eggs are on the list");
    await ask.click();
    await dialog.getByText("Waiting for a second person").waitFor();
    await look(ada, "asked");

    await page.getByRole("button", { name: "1 request waits for you" }).waitFor();
    await go(page, "Requests");
    const request = page.getByRole("article", { name: /^Ada Lovelace asks to publish/ });
    await request.getByText("Eggs are on the list").waitFor();
    await request.getByRole("button", { name: "Start a copy to try" }).click();
    const copy = await request.getByRole("link", { name: "Open the copy" }).getAttribute("href");
    await look(page, "request");
    const tried = await page.context().newPage();
    await tried.goto(copy!);
    await tried.getByText("Bread").first().waitFor();
    await tried.close();
    await request.getByRole("button", { name: "Refuse" }).click();
    await request.getByRole("textbox", { name: "What is missing" }).fill("Cheese is missing");
    await request.getByRole("button", { name: "Refuse" }).click();
    await page.getByText("No request waits for you").waitFor();

    await dialog.getByText("Refused by Owner").waitFor();
    await dialog.getByText("Cheese is missing").waitFor();
    await dialog.getByRole("textbox", { name: "Name (optional)" }).fill("groceries");
    await ask.click();
    await request.getByRole("button", { name: "Approve", exact: true }).click();
    await dialog.getByText("Done by Owner").waitFor();
    await tried
      .context()
      .newPage()
      .then(async (published) => {
        await published.goto(treadle.origin.replace("localhost", "groceries.localhost"));
        await published.getByText("Bread").first().waitFor();
        await published.close();
      });
    await ada.keyboard.press("Escape");
  });

  it("has an account page with an authenticator app, sessions and API tokens", async () => {
    await ada.goto(`${treadle.origin}/account`);
    await ada.getByRole("button", { name: "Set up" }).click();
    const code = ada.getByRole("textbox", { name: "Code" });
    await code.waitFor();
    await ada.getByRole("img", { name: "QR code" }).waitFor();
    await look(ada, "authenticator");
    const secret = await ada.locator("form code").innerText();
    await code.fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await ada.getByRole("button", { name: "Confirm" }).click();
    await ada.getByRole("list", { name: "Authenticator app" }).waitFor();
    await ada.getByRole("textbox", { name: "What it is for" }).fill("CI");
    await ada.getByRole("button", { name: "Make a token" }).click();
    const token = await shownOnce(ada);
    const asProgram = (path: string) =>
      fetch(`${treadle.origin}${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect((await asProgram("/api/projects")).status).toBe(200);
    await look(ada, "account");
    await ada.getByRole("button", { name: "Revoke" }).click();
    await expect.poll(async () => (await asProgram("/api/projects")).status).toBe(401);
  });

  it("lets somebody in at the identity provider, and shows what its token said and what came of it", async () => {
    await page.keyboard.press("Escape");
    await go(page, "Identity provider");
    await page.getByRole("textbox", { name: "Group" }).fill("cooks");
    await page.getByRole("combobox", { name: "Grants" }).selectOption("Kitchen: Viewer");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("list", { name: "What groups grant" }).getByText("cooks").waitFor();

    idp.accounts.set("carl", { name: "Carl Benz", groups: ["staff", "cooks", "tea"] });
    idp.signInAs("carl");
    const carl = await (await browser.newContext()).newPage();
    await carl.goto(treadle.origin);
    await look(carl, "signed-out");
    await carl.getByRole("link", { name: "Sign in with Example" }).click();
    await carl.getByRole("button", { name: "Account of Carl Benz" }).waitFor();
    await carl.goto(`${treadle.origin}/account`);
    await carl.getByText("By the groups staff, cooks.").waitFor();
    await look(carl, "own-identity");
    await page.reload();
    await page.getByText("Carl Benz · Groups gave the role.").click();
    await page.getByText("Teams: Kitchen (Viewer).").waitFor();
    await look(page, "identity-provider");
    await carl.context().close();
  });

  it("keeps an audit log that is filtered, and exported as JSON Lines", async () => {
    await page.keyboard.press("Escape");
    await go(page, "Audit log");
    const entries = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
    await page.getByRole("combobox", { name: "Who" }).selectOption("Ada Lovelace");
    await page.getByRole("combobox", { name: "What" }).selectOption("signed in");
    await expect.poll(() => entries.allInnerTexts()).toHaveLength(1);
    await look(page, "audit");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export" }).click();
    const stream = await (await download).createReadStream();
    const lines = (await stream.toArray()).join("").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ name: "Ada Lovelace", action: "sign-in" }),
    ]);
  });

  it("removes a person, whose projects go to somebody else and who is signed out", async () => {
    await ada.goto(treadle.origin);
    await personAt(ada, treadle).ask("Build a shopping list");
    await personAt(ada, treadle).sees("runs");
    await go(page, "People");
    await page.getByRole("button", { name: "Remove Ada Lovelace" }).first().click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await ada.getByRole("heading", { name: "You are signed out" }).waitFor();
    await page.goto(`${treadle.origin}/p/${personAt(ada, treadle).projectId()}`);
    await person.sees("runs");
  });
});
