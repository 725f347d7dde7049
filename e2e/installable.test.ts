import { expect, it } from "vitest";
import { setStage, type Stage } from "./support/stage.ts";

let { page, context, person, treadle } = {} as Stage;
setStage({}, (stage) => {
  ({ page, context, person, treadle } = stage);
});

interface Manifest {
  start_url: string;
  display: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
}

it("is an app that a browser offers to install", async () => {
  await person.open();
  const client = await context.newCDPSession(page);
  const { url, errors, data } = await client.send("Page.getAppManifest");
  expect(url).toBe(`${treadle.origin}/manifest.webmanifest`);
  expect(errors).toEqual([]);
  const { start_url, display, icons } = JSON.parse(data ?? "") as Manifest;
  expect([start_url, display]).toEqual(["/", "standalone"]);
  expect(icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)).toEqual(
    expect.arrayContaining(["any any", "any 192x192", "any 512x512", "maskable 512x512"]),
  );
  const { installabilityErrors } = await client.send("Page.getInstallabilityErrors");
  // A test browser stores nothing, so it installs nothing.
  expect(
    installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"),
  ).toEqual([]);
});

it("serves its name and icons without a cookie, each in the declared size", async () => {
  const answer = await fetch(`${treadle.origin}/manifest.webmanifest`);
  expect(answer.headers.get("content-type")).toBe("application/manifest+json");
  const { icons } = (await answer.json()) as Manifest;
  for (const { src, sizes, type } of icons) {
    const icon = await fetch(`${treadle.origin}${src}`);
    expect([icon.status, icon.headers.get("content-type")]).toEqual([200, type]);
    const bytes = new DataView(await icon.arrayBuffer());
    // The header of a PNG contains its size.
    if (type === "image/png") expect(`${bytes.getUint32(16)}x${bytes.getUint32(20)}`).toBe(sizes);
  }
  expect((await fetch(`${treadle.origin}/apple-touch-icon.png`)).status).toBe(200);
  expect((await fetch(`${treadle.origin}/`)).status).toBe(401);
});

it("uses the colour of the selected theme for its window", async () => {
  const colours = () =>
    page
      .locator("meta[name=theme-color]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("content")));
  expect(await colours()).toEqual(["#fbfaf7", "#171614"]);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Type a command/ }).fill("dark theme");
  await page.keyboard.press("Enter");
  await expect.poll(colours).toEqual(["#171614", "#171614"]);
});
