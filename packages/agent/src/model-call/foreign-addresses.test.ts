import { afterEach, expect, it, vi } from "vitest";
import type { UIMessage } from "ai";
import { answer, scriptedModel, toldText } from "../testing/scripted-model.test-support.ts";
import { tryRun } from "../testing/try-run.test-support.ts";

afterEach(() => vi.unstubAllGlobals());

it("A101 an address in a conversation that somebody else made is asked by nobody", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: RequestInfo | URL) => {
    asked.push(input instanceof Request ? input.url : String(input));
    return new Response(Buffer.from("89504e470d0a1a0a", "hex"), {
      headers: { "content-type": "image/png" },
    });
  });
  const prompts: string[] = [];
  const model = scriptedModel((options) => {
    prompts.push(toldText(options));
    return [...answer("That is all.")];
  });
  const history: UIMessage[] = [
    {
      id: "m0",
      role: "user",
      parts: [
        { type: "file", mediaType: "image/png", url: "http://metadata.example/latest" },
        { type: "file", mediaType: "text/plain", url: "https://evil.example/?a=b" },
        { type: "text", text: "Look at this" },
      ],
    },
    {
      id: "m1",
      role: "assistant",
      parts: [
        { type: "file", mediaType: "image/png", url: "https://evil.example/2.png" },
        { type: "text", text: "I did." },
      ],
    },
  ];
  const { result } = await tryRun(model, { request: { history } });
  expect(result.outcome).toBe("done");
  expect(asked).toEqual([]);
  expect(prompts.join()).toContain("Look at this");
  expect(prompts.join()).not.toMatch(/evil\.example|metadata\.example/);
});
