import { spawn, type ChildProcessByStdio } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  client as editor,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createScriptedModel, loadScript, type ScriptedModel } from "@treadle/scripted-model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bareEnvironment, bin, cache, root } from "./support/treadle.ts";

let model: ScriptedModel;
let env: Record<string, string>;
const made = mkdtempSync(join(tmpdir(), "treadle-agents-"));
beforeAll(async () => {
  const script = loadScript(join(root, "e2e/scripts/approvals.md"));
  model = await createScriptedModel({ script });
  env = {
    ...(bareEnvironment() as Record<string, string>),
    TREADLE_CACHE: cache,
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: "test",
    TREADLE_MODEL: "openai-compatible:scripted",
  };
});
afterAll(async () => {
  await model?.close();
  rmSync(made, { recursive: true, force: true });
});

describe("treadle acp, as used by an editor", () => {
  const folder = join(made, "app");
  let agent: ChildProcessByStdio<Writable, Readable, null>;
  const updates: SessionUpdate[] = [];
  const asked: RequestPermissionRequest[] = [];
  /** The choice of the user in the editor; undefined: they cancel the turn. */
  let choice: string | undefined = "once";

  const agentText = () =>
    updates
      .flatMap((update) =>
        update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
          ? [update.content.text]
          : [],
      )
      .join("");

  beforeAll(() => {
    mkdirSync(folder);
    agent = spawn(process.execPath, [bin, "acp", "--data", join(made, "acp")], {
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
  });
  afterAll(() => agent.kill("SIGKILL"));

  it("asks before writing protected files, can be cancelled, builds in the folder and reports the verdict", async () => {
    const stream = ndJsonStream(
      Writable.toWeb(agent.stdin),
      Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>,
    );
    await editor({ name: "editor" })
      .onNotification(methods.client.session.update, ({ params }) => {
        updates.push(params.update);
      })
      .onRequest(methods.client.session.requestPermission, async ({ params, agent: back }) => {
        asked.push(params);
        if (choice !== undefined)
          return { outcome: { outcome: "selected" as const, optionId: choice } };
        await back.notify(methods.agent.session.cancel, { sessionId: params.sessionId });
        return { outcome: { outcome: "cancelled" as const } };
      })
      .connectWith(stream, async (treadle) => {
        const { protocolVersion, agentInfo } = await treadle.request(methods.agent.initialize, {
          protocolVersion: PROTOCOL_VERSION,
          clientCapabilities: {},
        });
        expect(protocolVersion).toBe(PROTOCOL_VERSION);
        expect(agentInfo?.name).toBe("treadle");
        // The folder that an editor without a project uses: the user's home, which contains
        // Treadle's keys.
        await expect(
          treadle.request(methods.agent.session.new, { cwd: homedir(), mcpServers: [] }),
        ).rejects.toThrow(/whole home folder/);

        const { sessionId } = await treadle.request(methods.agent.session.new, {
          cwd: folder,
          mcpServers: [],
        });
        const prompt = async (text: string) => {
          const words = { type: "text" as const, text };
          return treadle.request(methods.agent.session.prompt, { sessionId, prompt: [words] });
        };

        choice = undefined;
        expect(await prompt("Please leave a rule")).toMatchObject({ stopReason: "cancelled" });
        expect(asked).toHaveLength(1);
        expect(asked[0]?.toolCall.title).toContain("AGENTS.md");
        expect(existsSync(join(folder, "AGENTS.md"))).toBe(false);

        choice = "once";
        expect(await prompt("Carry out this plan once more")).toMatchObject({
          stopReason: "end_turn",
        });
        expect(agentText()).toContain("Runs");
        expect(readFileSync(join(folder, "index.html"), "utf8")).toContain("Milk");
        const calls = updates.filter((update) => update.sessionUpdate === "tool_call");
        expect(calls.length).toBeGreaterThan(0);
        expect(
          updates.some(
            (update) =>
              update.sessionUpdate === "tool_call_update" &&
              update.locations?.some(({ path }) => path === join(folder, "index.html")),
          ),
        ).toBe(true);
      });
  });

  it("ends on request, even if its editor keeps its input open", async () => {
    const ended = new Promise<number | null>((resolve) => {
      agent.once("exit", resolve);
    });
    agent.kill();
    expect(await ended).toBe(0);
  });
});

describe("treadle mcp, as used by another agent", () => {
  it("builds with its own server, asks, receives an answer, and ends verified", async () => {
    const client = new Client({ name: "agent", version: "1" });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [bin, "mcp", "--data", join(made, "mcp")],
        env,
      }),
    );
    type Called = { isError?: boolean; structuredContent: Record<string, unknown> };
    const call = async (name: string, args: Record<string, unknown>) => {
      const called = (await client.callTool(
        { name, arguments: args },
        { timeout: 80_000 },
      )) as Called;
      expect(called.isError, JSON.stringify(called)).toBeFalsy();
      return called.structuredContent;
    };
    let state = await call("build", { prompt: "Please leave a rule" });
    expect(state).toMatchObject({ outcome: "waiting", question: { tool: "write_file" } });
    const { project } = state as { project: string };
    const answer = (approve: boolean) => {
      const { id: question } = state.question as { id: string };
      return call("answer", { project, question, approve });
    };
    state = await answer(false);
    expect(state.outcome).toBe("done");
    state = await call("build", { prompt: "Carry out this plan once more", project });
    while (state.outcome === "waiting") state = await answer(true);
    expect(state).toMatchObject({ outcome: "done", verdict: "runs" });
    expect(await call("status", { project })).toMatchObject({
      verdict: "runs",
      evidence: { parts: { page: { state: "held" } } },
    });
    await client.close();
  });
});
