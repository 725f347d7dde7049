import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { ScriptedModel } from "@treadle/scripted-model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";
import { scriptedBy } from "./support/treadle.ts";

const SECRET = "wk-the-key-of-the-weather";
const LOGIN = `Basic ${Buffer.from("office:its-password").toString("base64")}`;

/**
 * This machine's proxy has a login, as in an office; it answers requests for `weather.example.com`
 * itself.
 */
let office: Server;
const asked: string[] = [];
let { model, treadle, page, person } = {} as Stage;

beforeAll(async () => {
  office = createServer((request, response) => {
    asked.push(request.url!);
    if (request.headers["proxy-authorization"] !== LOGIN) response.writeHead(407).end();
    else response.end("sunny");
  });
  // Node's fetch tunnels plain requests as well; requests through the tunnel are answered here.
  office.on("connect", (request, socket, head) => {
    asked.push(request.url!);
    if (request.headers["proxy-authorization"] !== LOGIN)
      return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    if (head.length > 0) socket.unshift(head);
    inner.emit("connection", socket);
  });
  const inner = createServer((_request, response) => response.end("sunny"));
  office.listen(0, "127.0.0.1");
  await once(office, "listening");
});
afterAll(() => {
  office?.close();
  office?.closeAllConnections();
});

function env(scripted: ScriptedModel): Record<string, string> {
  const { port } = office.address() as AddressInfo;
  const proxy = `http://office:its-password@127.0.0.1:${port}`;
  return {
    ...scriptedBy(scripted, "weather"),
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    // The registry is reached as usual.
    NO_PROXY: new URL(process.env.npm_config_registry ?? "https://registry.npmjs.org/").hostname,
  };
}
setStage({ script: { weather: scriptNamed("weather") }, env }, async (stage) => {
  ({ model, treadle, page, person } = stage);
  await person.open();
});

const reload = () => page.getByRole("button", { name: "Reload", exact: true }).click();

const openSettings = async () => {
  await page.getByRole("button", { name: /^Project / }).click();
  await page.getByRole("menuitem", { name: "Project settings" }).click();
};

describe("a host outside", () => {
  it("A27 is refused, reported to the model and shown to the user", async () => {
    await person.ask("Show me the weather");
    await person.sees("runs");
    const notice = page.getByLabel("Refused connections");
    await notice.getByText(/A connection to weather\.example\.com was refused/).waitFor();
    await person.preview().getByText("No weather").waitFor();
    await page
      .getByLabel("Conversation")
      .getByText(/It needs weather\.example\.com, which this project may not reach yet\./)
      // The end of the turn mentions it once more.
      .first()
      .waitFor();
    const sentText = model.requests.map(({ body }) => JSON.stringify(body)).join("\n");
    expect(sentText.includes("egress refused: weather.example.com.")).toBe(true);
    expect(asked).toEqual([]);
    await picture(page, "egress-refused");
    // On a narrow page, its text does not become a tall column beside the button.
    const size = page.viewportSize()!;
    const words = notice.getByText(/A connection to/);
    for (const width of [390, 430, 470, 510]) {
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(async () => (await words.boundingBox())?.width).toBeGreaterThan(180);
    }
    await picture(page, "egress-refused-phone");
    await page.setViewportSize(size);
  });

  it("is allowed with the button of the turn's card, which looks again", async () => {
    const result = page.getByRole("region", { name: "Result" }).last();
    await result.getByRole("button", { name: "Allow weather.example.com", exact: true }).click();
    await result
      .getByRole("button", { name: "Allow weather.example.com", exact: true })
      .waitFor({ state: "detached" });
    await person.sees("runs");
    await reload();
    await person.preview().getByText("It is sunny.").waitFor();
    // A permission can be removed again; then the question is asked anew.
    await openSettings();
    const dialog = page.getByRole("dialog", { name: "Settings" });
    await dialog.getByRole("button", { name: "Remove weather.example.com" }).click();
    await dialog.getByRole("list", { name: "Allowed hosts" }).waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await reload();
    await person.preview().getByText("No weather").waitFor();
  });

  it("is allowed with one click, and reached without a restart", async () => {
    await page.getByRole("button", { name: "Allow weather.example.com for this project" }).click();
    await page.getByText("weather.example.com can be reached now.").waitFor();
    await picture(page, "egress-allowed");
    await reload();
    await person.preview().getByText("It is sunny.").waitFor();
    await page.getByRole("button", { name: "Let the model try again" }).click();
    await page.getByLabel("Conversation").getByText("It answers now: sunny.").first().waitFor();
    await person.sees("runs");
    expect(await page.getByLabel("Refused connections").count()).toBe(0);
    // The office's login was added outside; nothing inside knows of it.
    const sentText = model.requests.map(({ body }) => JSON.stringify(body)).join("\n");
    expect(sentText.includes("its-password")).toBe(false);
  });

  it("is removed from the list again in the project's settings", async () => {
    await openSettings();
    const dialog = page.getByRole("dialog", { name: "Settings" });
    await dialog.getByRole("button", { name: "Remove weather.example.com" }).click();
    await dialog.getByRole("list", { name: "Allowed hosts" }).waitFor({ state: "detached" });
    await dialog.getByLabel("Host", { exact: true }).fill("169.254.169.254");
    await page.keyboard.press("Enter");
    await dialog.getByText("“169.254.169.254” cannot be allowed as a host.").waitFor();
    await dialog.getByLabel("Host", { exact: true }).fill("*.example.com");
    await page.keyboard.press("Enter");
    await dialog.getByRole("listitem").getByText("*.example.com").waitFor();
    await picture(page, "egress-settings");
    // Each switch takes effect immediately, and is shown so after reopening.
    const known = dialog.getByRole("checkbox", { name: /^Fonts, npm's CDNs/ });
    const held = dialog.getByRole("checkbox", { name: /^Hold my own browser/ });
    expect([await known.isChecked(), await held.isChecked()]).toEqual([true, false]);
    await known.click();
    await expect.poll(() => known.isChecked()).toBe(false);
    await held.click();
    await expect.poll(() => held.isChecked()).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    const settings = await (
      await treadle.api(`/api/projects/${person.projectId()}/settings`)
    ).json();
    expect([settings.staticHosts.on, settings.limitPreview]).toEqual([false, true]);
    await openSettings();
    expect([await known.isChecked(), await held.isChecked()]).toEqual([false, true]);
    await known.click();
    await expect.poll(() => known.isChecked()).toBe(true);
    await held.click();
    await expect.poll(() => held.isChecked()).toBe(false);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });
});

describe("a secret", () => {
  it("A33 is given to the app's server and shown nowhere, on a phone as well", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Settings" });
    const secret = dialog.getByRole("form", { name: "A secret" });
    await secret.getByLabel("Name").fill("WEATHER_KEY");
    await secret.getByLabel("For the host").fill("weather.example.com");
    await secret.getByLabel("Value").fill(SECRET);
    await picture(page, "secret-390");
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true);
    await secret.getByRole("button", { name: "Keep" }).click();
    await dialog.getByText("WEATHER_KEY").waitFor();
    await dialog.getByRole("button", { name: "Restart it" }).click();
    await dialog.getByRole("button", { name: "Restart it" }).waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1440, height: 900 });
    await person.preview().getByText("Key: given").waitFor();

    const project = `/api/projects/${person.projectId()}`;
    for (const path of [project, `${project}/settings`, `${project}/export.zip`]) {
      const body = Buffer.from(await (await treadle.api(path)).arrayBuffer()).toString("latin1");
      expect([path, body.includes(SECRET)]).toEqual([path, false]);
    }
    expect((await page.content()).includes(SECRET)).toBe(false);
  });
});
