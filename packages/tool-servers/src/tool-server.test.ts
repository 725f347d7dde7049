import { asSentence } from "@treadle/protocol/sentences";
import { McpError, type connectMcp, type McpConnection } from "@treadle/agent";
import { expect, it } from "vitest";
import { createToolServer } from "./tool-server.ts";

type ConnectOptions = Parameters<typeof connectMcp>[0];
type McpToolList = Awaited<ReturnType<McpConnection["tools"]>>;

const NO_TOOLS: McpToolList = { tools: [], left: undefined };
const tool = (name: string): McpToolList => ({
  tools: [{ name, description: "", schema: { type: "object" } }] as unknown as McpToolList["tools"],
  left: undefined,
});

/** A server whose connections the test opens, answers and closes. */
function byHand() {
  const made: { options: ConnectOptions; answers: Record<string, PromiseWithResolvers<never>>; isClosed: boolean; connect: PromiseWithResolvers<void> }[] = []; // prettier-ignore
  const server = createToolServer({
    config: { type: "stdio", command: "x", args: [], env: {} },
    where: "machine",
    reach: async () => ({ type: "http", url: "http://x/", headers: {} }),
    async connect(options) {
      const answers: Record<string, PromiseWithResolvers<never>> = {};
      const one = { options, answers, isClosed: false, connect: Promise.withResolvers<void>() };
      made.push(one);
      await one.connect.promise;
      const ask = (what: string) => () => (answers[what] = Promise.withResolvers<never>()).promise;
      return {
        title: `number ${made.indexOf(one) + 1}`,
        completes: false,
        tools: ask("tools"),
        resources: ask("resources"),
        prompts: ask("prompts"),
        close: async () => void (one.isClosed = true),
      } as Partial<McpConnection> as McpConnection;
    },
  });
  const nth = async (index: number) => {
    await expect.poll(() => made.length).toBeGreaterThan(index);
    return made[index]!;
  };
  /** Answers a request as soon as it has been sent. */
  async function answer(index: number, what: string, value: unknown): Promise<void> {
    const one = await nth(index);
    await expect.poll(() => one.answers[what]).toBeDefined();
    one.answers[what]!.resolve(value as never);
  }
  async function answerAll(index: number, tools = NO_TOOLS): Promise<void> {
    (await nth(index)).connect.resolve();
    await answer(index, "tools", tools);
    await answer(index, "resources", []);
    await answer(index, "prompts", []);
  }
  return { server, made, nth, answer, answerAll };
}

it("is idle after a close, whatever the server answers to earlier requests", async () => {
  const { server, made, nth, answer } = byHand();
  const refreshed = server.refresh();
  (await nth(0)).connect.resolve();
  await answer(0, "tools", tool("old"));
  await answer(0, "resources", []);
  await expect.poll(() => made[0]!.answers["prompts"]).toBeDefined();
  const closed = server.close();
  await answer(0, "prompts", []);
  await closed;
  expect(await refreshed).toBe(false);
  expect(server.state).toBe("idle");
  expect(made[0]!.isClosed).toBe(true);
});

it("connects when it is needed while closed, and keeps that connection's list", async () => {
  const { server, made, nth, answer, answerAll } = byHand();
  const first = server.refresh();
  (await nth(0)).connect.resolve();
  await expect.poll(() => made[0]!.answers["tools"]).toBeDefined();
  const closed = server.close();
  const second = server.refresh();
  await answerAll(1, tool("new"));
  expect(await second).toBe(true);
  // The closed connection answers last, which has no effect.
  await answer(0, "tools", tool("old"));
  expect(await first).toBe(false);
  await closed;
  expect(server.definitions.map(({ name }) => name)).toEqual(["new"]);
  expect([server.state, server.title]).toEqual(["connected", "number 2"]);
  expect(made.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

it("does not fail because a closed connection was asked for a list", async () => {
  const { server, made, nth, answerAll } = byHand();
  const listed = server.listChanges();
  (await nth(0)).connect.resolve();
  await expect.poll(() => made[0]!.answers["tools"]).toBeDefined();
  await server.close();
  const refreshed = server.refresh();
  await answerAll(1);
  made[0]!.answers["tools"]!.reject(new McpError("ended", asSentence("it ended")));
  await expect(listed).rejects.toThrow("it ended");
  expect(await refreshed).toBe(true);
  expect(server.state).toBe("connected");
});

it("leaves no program that was started while it was closed", async () => {
  const { server, made, nth } = byHand();
  const refreshed = server.refresh();
  const one = await nth(0);
  const closed = server.close();
  one.connect.resolve();
  await closed;
  expect(await refreshed).toBe(false);
  expect([one.isClosed, server.state, made.length]).toEqual([true, "idle", 1]);
});
