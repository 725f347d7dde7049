import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createScriptedModel,
  loadScript,
  testScript,
  type ScriptedModel,
} from "@treadle/scripted-model";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { picture, startBrowser } from "./support/browser.ts";
import { personAt } from "./support/person.ts";
import { bareEnvironment, bin, startTreadle, type RunningTreadle } from "./support/treadle.ts";

let browser: Browser;
let model: ScriptedModel;

beforeAll(async () => {
  browser = await startBrowser();
  model = await createScriptedModel({
    script: { scripted: loadScript(testScript("early-done")) },
    key: "right",
  });
});
afterAll(async () => {
  await browser?.close();
  await model?.close();
});

/**
 * Sends one prompt to a server with these settings, and returns the page's text about how it ended.
 */
async function ends(env: Record<string, string>, name: string): Promise<string> {
  const treadle = await startTreadle({ env });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    const person = personAt(page, treadle);
    await person.open();
    await person.ask("Build a page");
    const result = page.getByRole("region", { name: "Result" });
    await result.waitFor({ timeout: 60_000 });
    await picture(page, name);
    // The typed prompt is still there, and no stack trace is shown.
    await page.getByLabel("Conversation").getByText("Build a page").first().waitFor();
    const text = await result.innerText();
    expect(text).not.toMatch(/\bat .*:\d+:\d+/);
    return text;
  } finally {
    await page.close();
    await treadle.stop();
  }
}

describe("problems that are explained in a sentence", () => {
  it("names a key that the provider rejected", async () => {
    const text = await ends(
      {
        OPENAI_BASE_URL: `${model.url}/v1`,
        OPENAI_API_KEY: "wrong",
        TREADLE_MODEL: "openai-compatible:scripted",
      },
      "wrong-key",
    );
    expect(text).toMatch(/key/i);
  });

  it("names a model that the provider does not have", async () => {
    const text = await ends(
      {
        OPENAI_BASE_URL: `${model.url}/v1`,
        OPENAI_API_KEY: "right",
        TREADLE_MODEL: "openai-compatible:no-such-model",
      },
      "unknown-model",
    );
    expect(text).toContain("no-such-model");
  });

  it("says that the provider is unreachable", async () => {
    const text = await ends(
      {
        OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
        OPENAI_API_KEY: "right",
        TREADLE_MODEL: "openai-compatible:scripted",
      },
      "provider-down",
    );
    expect(text).toMatch(/reach|connect/i);
  });

  describe("before anything is sent", () => {
    let treadle: RunningTreadle;
    let page: Page;
    beforeAll(async () => {
      treadle = await startTreadle();
      page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      await personAt(page, treadle).open();
    });
    afterAll(async () => {
      await page?.close();
      await treadle?.stop();
    });

    it("does not send an empty prompt, and says what to type", async () => {
      await page.keyboard.press("Enter");
      await page.getByText("Say what to build first").waitFor();
      expect(new URL(page.url()).pathname).toBe("/");
    });

    it("says that a prompt of 1 MB is too long, and keeps it", async () => {
      const field = page.getByRole("textbox", { name: "What shall we build?" });
      await field.fill("word ".repeat(200_000));
      await page
        .getByText(/200,000/)
        .first()
        .waitFor();
      await field.press("Enter");
      expect(await field.evaluate((node: HTMLTextAreaElement) => node.value.length)).toBe(
        1_000_000,
      );
      expect(new URL(page.url()).pathname).toBe("/");
      await picture(page, "too-long");
    });

    it("refuses the same prompt over HTTP with a sentence", async () => {
      const answer = await treadle.api("/api/projects", {
        method: "POST",
        body: JSON.stringify({ prompt: "word ".repeat(200_000) }),
      });
      expect(answer.status).toBe(413);
      expect(((await answer.json()) as { error: { message: string } }).error.message).toMatch(
        /200,000/,
      );
    });
  });

  it("F27 says how to install bubblewrap if it is missing, and starts nothing", () => {
    const data = mkdtempSync(join(tmpdir(), "treadle-no-bwrap-"));
    // This PATH contains neither the sandbox's programs nor a package manager.
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [bin, "serve", "--no-open", "--port", "0", "--data", data],
      { env: { ...bareEnvironment(), PATH: "/nowhere" }, encoding: "utf8" },
    );
    rmSync(data, { recursive: true });
    expect(status).toBe(2);
    expect(stdout).toMatch(/bubblewrap to keep generated code in its sandbox/);
    expect(stdout + stderr).not.toMatch(/^\s+at /m);
  });
});
