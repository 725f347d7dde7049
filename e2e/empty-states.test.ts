import { expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { page, person, treadle } = {} as Stage;
setStage({ script: scriptNamed("page") }, (stage) => ({ page, person, treadle } = stage));

it("shows the description of a project that does not run, with the button that starts it", async () => {
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  const { id } = (await made.json()) as { id: string };
  const write = (path: string, text: string) =>
    treadle.api(`/api/projects/${id}/files/${path}`, {
      method: "PUT",
      headers: { "if-none-match": "*" },
      body: JSON.stringify({ text }),
    });
  await write("README.md", "# Bee shop\n\nStart it with `npm run dev`.\n");
  await write("index.html", "<!doctype html><title>Bees</title><h1>Bees</h1>");
  await person.signIn();
  await page.goto(`${treadle.origin}/p/${id}`);
  const readme = page.getByRole("article", { name: "README.md" });
  await readme.getByRole("heading", { name: "Bee shop" }).waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect
      .poll(() => problemsOf(page, colorScheme === "dark" ? "colours" : "all"))
      .toEqual([]);
    await picture(page, `not-started-${colorScheme}`);
  }
  await page.getByRole("button", { name: "Start it" }).click();
  await person.preview().getByRole("heading", { name: "Bees" }).waitFor();
  await readme.waitFor({ state: "detached" });
});

it("suggests the app's known paths in the address field", async () => {
  const field = page.getByRole("combobox", { name: "Address in the app" });
  const list = await field.getAttribute("list");
  const routes = page.locator(`datalist[id="${list}"] option`);
  await expect
    .poll(() => routes.evaluateAll((all) => all.map((one) => one.getAttribute("value"))))
    .toContain("/");
});
