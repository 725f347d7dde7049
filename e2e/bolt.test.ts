/**
 * A bolt client against the built server: sends a prompt and receives a page as artifacts, which
 * are checked here.
 */
import { createArtifactParser } from "@treadle/dialects";
import { createDataStreamDecoder } from "@treadle/dialects/data-stream";
import { loadScript, testScript } from "@treadle/scripted-model";
import { expect, it } from "vitest";
import { setStage, type Stage } from "./support/stage.ts";

let { treadle } = {} as Stage;
setStage({ script: { scripted: loadScript(testScript("early-done")) }, page: false }, (stage) => {
  ({ treadle } = stage);
});

it("builds for a bolt client what the page then shows, repaired and verified", async () => {
  const answer = await treadle.api("/api/chat", {
    method: "POST",
    body: JSON.stringify({
      id: "a-chat",
      messages: [
        {
          id: "1",
          role: "user",
          content: "[Model: scripted]\n\n[Provider: OpenAILike]\n\nBuild a page",
        },
      ],
      files: {},
      promptId: "default",
      contextOptimization: true,
      chatMode: "build",
      apiKeys: { OpenAI: "not read" },
    }),
  });
  expect(answer.status).toBe(200);
  const decoder = createDataStreamDecoder();
  const parts = [...decoder.write(await answer.text()), ...decoder.end()];
  expect(parts.filter(({ type }) => type === "invalid" || type === "error")).toEqual([]);
  const text = parts.flatMap((part) => (part.type === "text" ? [part.value] : [])).join("");
  expect(text).toContain("**Runs**: ");

  const files = new Map<string, string>();
  const parser = createArtifactParser({
    onEvent(event) {
      if (event.type === "action-close" && event.complete && event.filePath !== undefined)
        files.set(event.filePath, event.content.trim());
    },
  });
  parser.write(text);
  parser.end();
  const project = answer.headers.get("x-treadle-project");
  expect(files.size).toBeGreaterThan(0);
  for (const [path, content] of files) {
    const saved = await (await treadle.api(`/api/projects/${project}/files/${path}`)).json();
    expect(saved.text.trim()).toBe(content);
  }
  expect(await (await treadle.api(`/api/projects/${project}`)).json()).toMatchObject({
    name: "Page",
  });
}, 180_000);

it("improves a prompt for a bolt client, with the model that it names or the one selected here", async () => {
  for (const [model, provider] of [
    ["scripted", "OpenAILike"],
    ["sonar", "Perplexity"],
  ]) {
    const answer = await treadle.api("/api/enhancer", {
      method: "POST",
      // As bolt.diy's page sends it, without a content type for JSON.
      headers: { "content-type": "text/plain;charset=UTF-8" },
      body: JSON.stringify({ message: "Build a page", model, provider: { name: provider } }),
    });
    const text = await answer.text();
    expect([answer.status, text]).toEqual([
      200,
      expect.stringContaining("I'll write a small page"),
    ]);
    expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
  }
}, 60_000);
