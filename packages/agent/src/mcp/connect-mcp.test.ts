import { afterEach, describe, expect, it } from "vitest";
import { COMPLETIONS, RESULT_LIMIT } from "./limits.ts";
import { connectFixture, type Connected } from "./start-fixture.test-support.ts";

const open: Connected[] = [];
afterEach(async () => {
  for (const { connection } of open.splice(0)) await connection.close();
});
async function connect(...args: Parameters<typeof connectFixture>): Promise<Connected> {
  const connected = await connectFixture(...args);
  open.push(connected);
  return connected;
}
const signal = new AbortController().signal;

describe("a connected server", () => {
  it("says who it is and lists tools, resources and prompts", async () => {
    const { connection, log } = await connect({ KEY: "k" });
    expect(connection.title).toBe("fixture 1.0.0");
    const [echo] = (await connection.tools()).tools;
    expect(echo).toMatchObject({
      name: "echo",
      description: "Says a text back.",
      inputSchema: { properties: { text: { type: "string" } } },
      readOnly: false,
    });
    expect(await connection.resources()).toEqual([
      { uri: "note://1", name: "A note" },
      { uri: "note://{number}", name: "Any note", template: true },
    ]);
    expect(await connection.prompts()).toEqual([
      {
        name: "greet",
        description: "Greets.",
        arguments: [
          { name: "who", description: "Whom to greet", required: true },
          { name: "how", description: "In which tone", required: false },
        ],
      },
      { name: "look", description: "Looks at a picture.", arguments: [] },
    ]);
    expect((await connection.readResource("note://1")).text).toBe("note://1:\na note");
    expect((await connection.getPrompt("greet", { who: "Ada" })).text).toBe(
      "Greet Ada. Never read @.env.",
    );
    expect(log()).toContain("started with k");
  });

  it("answers calls with text, whatever it sent, and within a limit", async () => {
    const { connection } = await connect();
    expect(await connection.call("echo", { text: "hi" }, signal)).toEqual({
      ok: true,
      text: "You said: hi",
    });
    expect((await connection.call("mixed", {}, signal)).text).toBe(
      "A picture:\n[image image/png, 5 bytes, which is not shown]\nnote://1:\na note",
    );
    expect(await connection.call("fails", {}, signal)).toEqual({
      ok: false,
      text: "It did not work.",
    });
    const huge = await connection.call("huge", {}, signal);
    expect(huge.text.length).toBeLessThan(RESULT_LIMIT + 100);
    expect(huge.text).toContain("985000 characters left out");
  });

  it("fills a prompt in: words, who says them, pictures; what is neither is named", async () => {
    const { connection } = await connect();
    const { text, pictures } = await connection.getPrompt("look", {});
    expect(text).toBe(
      "User:\nWhat is this?\n[image image/tiff, 69 bytes, which is not shown]\nnote://1:\na note\nAssistant:\nA point.",
    );
    expect(pictures).toMatchObject([{ mediaType: "image/png" }]);
  });

  it("completes an argument, as far as that is of help", async () => {
    const { connection } = await connect();
    expect(connection.completes).toBe(true);
    const complete = (value: string) => connection.complete("greet", { name: "who", value }, {});
    expect(await complete("A")).toEqual(["Ada", "Alan"]);
    const all = await complete("");
    expect(all).toHaveLength(COMPLETIONS);
    expect(all.every((value) => value !== "" && value.length < 100)).toBe(true);
  });

  it("that prints lines that are not messages still works", async () => {
    const { connection, log } = await connect({ MODE: "noise" });
    expect((await connection.tools()).tools).not.toHaveLength(0);
    expect(log()).toContain("It printed what is no message: Welcome!");
  });

  it("that sends answers nobody waits for, or what is no message, is understood all the same", async () => {
    const { connection, log } = await connect();
    expect((await connection.call("strays", {}, signal)).text).toBe("After strays.");
    expect((await connection.call("echo", { text: "hi" }, signal)).ok).toBe(true);
    expect(log()).toContain("unknown message ID");
    expect(log().length).toBeLessThan(5_000);
  });

  it("that sends no answer, dies or floods ends that call with a typed error", async () => {
    const { connection } = await connect();
    await expect(connection.call("malformed", {}, signal)).rejects.toMatchObject({
      name: "McpError",
      code: "malformed",
    });
    const stop = new AbortController();
    const never = connection.call("never", {}, stop.signal);
    stop.abort();
    await expect(never).rejects.toMatchObject({ code: "aborted" });

    const dying = await connect();
    await expect(dying.connection.call("dies", {}, signal)).rejects.toMatchObject({
      code: "ended",
    });
    expect((await dying.ended).code).toBe("ended");
    await expect(dying.connection.call("echo", {}, signal)).rejects.toMatchObject({
      name: "McpError",
    });

    const flooding = await connect();
    await expect(flooding.connection.call("flood", {}, signal)).rejects.toMatchObject({
      name: "McpError",
    });
    expect((await flooding.ended).code).toBe("too-large");
  });

  it("that never answers, exits immediately or is not a tool server is not connected", async () => {
    await expect(connect({ MODE: "silent" }, { timeoutMs: 300 })).rejects.toMatchObject({
      code: "timeout",
    });
    await expect(connect({ MODE: "exit" })).rejects.toMatchObject({ code: "ended" });
    // It answers with the request itself.
    await expect(connect({ MODE: "parrot" })).rejects.toMatchObject({ code: "malformed" });
    await expect(connect({ MODE: "not-a-server" })).rejects.toMatchObject({ code: "malformed" });
    const stop = new AbortController();
    const waiting = connect({ MODE: "silent" }, { signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ name: "McpError" });
  });
});
