import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ARE_PICTURES_TAKEN, picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { model, treadle, page, person, restart } = {} as Stage;

setStage({ own: true, script: scriptNamed("protected-files") }, (stage) => {
  ({ model, treadle, page, person, restart } = stage);
});

/** Whether the newest request to the model holds this. */
const wasSent = (words: string) => JSON.stringify(model.requests.at(-1)?.body).includes(words);
const file = (path: string) => `/api/projects/${person.projectId()}/files/${path}`;
const textOf = async (path: string) => (await (await treadle.api(file(path))).text()) || "";
const settings = () => page.getByRole("dialog", { name: "Settings" });

/** Runs one more turn to its end. */
async function turn(sentence: string): Promise<void> {
  const before = model.requests.length;
  await person.sendMessage(sentence);
  await expect.poll(() => model.requests.length).toBeGreaterThan(before);
  await page.getByText("There it is.").last().waitFor();
  await expect
    .poll(async () => (await treadle.api(`/api/projects/${person.projectId()}`)).json())
    .toMatchObject({ working: false });
}

async function pictures(name: string): Promise<void> {
  if (!ARE_PICTURES_TAKEN) return;
  for (const [colorScheme, width, height] of [
    ["dark", 390, 844],
    ["light", 1440, 900],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    await picture(page, `${name}-${width}-${colorScheme}`);
  }
}

describe("files that agents follow", () => {
  it("are not sent to the model if a server wrote them between turns, and the user is told once (A24)", async () => {
    await person.open();
    await person.ask("A page that says Milk");
    await person.sees("runs");
    await treadle.api(file("go"), {
      method: "PUT",
      headers: { "if-none-match": "*" },
      body: JSON.stringify({ text: "" }),
    });
    await expect.poll(() => textOf("AGENTS.md")).toContain("AGENTS-ORDERS");
    await turn("Go on");
    expect(wasSent("-ORDERS")).toBe(false);
    const notice = page.getByRole("region", { name: "Changed outside this page" });
    await notice.getByText(/AGENTS\.md were changed by a program of the project/).waitFor();
    await pictures("protected-notice");
    await turn("Look up the skill");
    expect(wasSent("There is no such skill")).toBe(true);
    expect(wasSent("-ORDERS")).toBe(false);
    await expect.poll(() => notice.count()).toBe(1);
  });

  it("are sent once they were accepted in the settings, and only then (A24)", async () => {
    await page.getByRole("button", { name: "Project settings" }).first().click();
    await settings().getByText("not given until you accept it").waitFor();
    await settings()
      .getByRole("button", { name: "Accept .npmrc as it is" })
      .scrollIntoViewIfNeeded();
    await pictures("protected-settings");
    await settings().getByRole("button", { name: "Accept AGENTS.md as it is" }).click();
    await settings().getByText("not given until").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await turn("Go on");
    expect(wasSent("AGENTS-ORDERS")).toBe(true);
    expect(wasSent("SKILL-ORDERS")).toBe(false);
  });

  it("are restored if a command changed them, and changed after all with one click (A24)", async () => {
    await turn("Tidy the rules");
    const notice = page.getByRole("region", { name: "Put back" });
    expect(await textOf("AGENTS.md")).toContain("AGENTS-ORDERS");
    await notice.getByText("The changed version").click();
    await notice.getByText("Tidied by a command.").waitFor();
    await picture(page, "protected-put-back-open");
    await pictures("protected-put-back");
    await notice.getByRole("button", { name: "Use this version of AGENTS.md" }).click();
    await notice.getByText("as you wanted").waitFor();
    expect(await textOf("AGENTS.md")).toContain("Tidied by a command.");
    await turn("Go on");
    expect(wasSent("Tidied by a command.")).toBe(true);
  });

  it("are sent if they changed while nothing of the project ran, but not after a kill (A24)", async () => {
    const { data } = treadle;
    await treadle.api(file("go"), { method: "DELETE" });
    const rules = join(data, "projects", person.projectId(), "files", "AGENTS.md");
    const path = new URL(page.url()).pathname;
    const again = async (signal: NodeJS.Signals, text: string) => {
      await page.goto("about:blank");
      await treadle.kill(signal);
      writeFileSync(rules, text);
      treadle = await restart();
      await page.goto(treadle.address);
      await page.goto(`${treadle.origin}${path}`);
      await turn("Go on");
    };
    await again("SIGTERM", "Written by hand.\n");
    expect(wasSent("Written by hand.")).toBe(true);
    await again("SIGKILL", "Who wrote this?\n");
    expect(wasSent("Who wrote this?")).toBe(false);
  });
});
