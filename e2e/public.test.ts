import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { picture, startBrowser } from "./support/browser.ts";
import { personAt } from "./support/person.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";
import { startTlsProxy, type TlsProxy } from "./support/tls-proxy.ts";

const URLS = [
  "--url=https://builder.example.org",
  // Another site than the workbench's, so that the frame's cookies are a third party's.
  "--preview-url=https://*.apps.example.net",
];

let treadle: Stage["treadle"];
setStage({ script: scriptNamed("guestbook"), args: URLS, page: false }, (stage) => {
  ({ treadle } = stage);
});

let proxy: TlsProxy;
let browser: Browser;
let page: Page;
let person: ReturnType<typeof personAt>;
beforeAll(async () => {
  const { url } = JSON.parse(readFileSync(join(treadle.data, "server.json"), "utf8")) as {
    url: string;
  };
  proxy = await startTlsProxy(() => Number(new URL(url).port));
  browser = await startBrowser([
    `--host-resolver-rules=MAP builder.example.org 127.0.0.1:${proxy.port}, MAP *.apps.example.net 127.0.0.1:${proxy.port}`,
  ]);
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    ignoreHTTPSErrors: true,
  });
  page = await context.newPage();
  person = personAt(page, treadle);
});
afterAll(async () => {
  await browser?.close();
  await proxy?.close();
});

/** A device without a screen, which has verified its person. */
async function addVirtualAuthenticator(at: Page): Promise<void> {
  const session = await at.context().newCDPSession(at);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

describe("one person on a rented machine", () => {
  it("signs in from elsewhere by the printed link, and sees the app in the frame", async () => {
    expect(new URL(treadle.address).origin).toBe("https://builder.example.org");
    await page.goto(treadle.address);
    await page.getByRole("button", { name: "Sign in" }).click();
    await person.ask("Build a guest book");
    await person.preview().getByRole("heading", { name: "Guests", exact: true }).waitFor();
    await picture(page, "public-frame");
  });

  it("sees the app in a tab of its own, with no more than its address", async () => {
    const origin = await page.evaluate(async () => {
      const id = location.pathname.split("/").at(-1)!;
      const detail = (await (await fetch(`/api/projects/${id}`)).json()) as {
        previewOrigin: string;
      };
      return detail.previewOrigin;
    });
    expect(origin).toMatch(/^https:\/\/[a-z0-9]+\.apps\.example\.net$/);
    const tab = await page.context().newPage();
    await tab.goto(`${origin}/`);
    await tab.getByRole("heading", { name: "Guests", exact: true }).waitFor();
    expect(new URL(tab.url()).origin).toBe(origin);

    // A browser that is not signed in is led to the sign-in, and its app's server hears nothing of it.
    const stranger = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
    await stranger.goto(`${origin}/`);
    await stranger.getByRole("heading", { name: "Not signed in" }).waitFor();
    expect(new URL(stranger.url()).host).toBe("builder.example.org");

    // A passkey of this device, for the next time.
    await addVirtualAuthenticator(page);
    await page.getByRole("button", { name: /^Account of / }).click();
    await page.getByRole("menuitem", { name: "My account" }).click();
    await page.getByRole("textbox", { name: "Name of the device" }).fill("My phone");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    const passkeys = page.getByRole("list", { name: "Passkeys" });
    await passkeys.getByText("My phone").waitFor();
    await passkeys.getByRole("button", { name: "Rename: My phone" }).click();
    await page.getByRole("textbox", { name: "Name of the passkey" }).fill("Her phone");
    await page.keyboard.press("Enter");
    await passkeys.getByText("Her phone").waitFor();

    // Signing out closes the preview, in the tab as well.
    await page.getByRole("button", { name: /^Account of / }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Not signed in" }).waitFor();
    await tab.reload();
    await tab.getByRole("heading", { name: "Not signed in" }).waitFor();
    await picture(tab, "public-signed-out");
  });

  it("signs in by the passkey alone, and arrives where they were going", async () => {
    await page.goto("https://builder.example.org/account");
    await page.getByRole("heading", { name: "Not signed in" }).waitFor();
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page
      .getByRole("list", { name: "Passkeys" })
      .getByText(/last used/)
      .waitFor();
    expect(new URL(page.url()).pathname).toBe("/account");
  });
});
