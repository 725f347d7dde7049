import { APICallError } from "@ai-sdk/provider";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { expect, it } from "vitest";
import {
  answer,
  call,
  scriptedModel,
  textParts,
  streamOf,
} from "../../testing/scripted-model.test-support.ts";
import { createFakeWorkspace } from "../../testing/fake-workspace.test-support.ts";
import { ofType, tryRun, type TryOptions } from "../../testing/try-run.test-support.ts";
import { playModel } from "./play-model.ts";
import { recordModel } from "./record-model.ts";
import type { RecordedExchange } from "./types.ts";

const WRITES = call("write_file", { path: "index.html", content: "<h1>Hi</h1>" });

async function recorded(answers: Parameters<typeof scriptedModel>, options: TryOptions = {}) {
  const exchanges: RecordedExchange[] = [];
  const model = recordModel(scriptedModel(...answers), (one) => exchanges.push(one));
  return { ...(await tryRun(model, options)), exchanges };
}

function play(exchanges: RecordedExchange[]) {
  const left = JSON.parse(JSON.stringify(exchanges)) as RecordedExchange[];
  return playModel({ provider: "mock", modelId: "m" }, (kind) => {
    const at = left.findIndex((one) => one.kind === kind);
    return at < 0 ? undefined : left.splice(at, 1)[0]!.answer;
  });
}

it("a recorded run that is played again does the same, with the same requests", async () => {
  const first = await recorded([answer("Well.", WRITES), answer("Done.")]);
  expect(first.exchanges.map(({ kind }) => kind)).toEqual(["step", "step"]);
  expect(first.exchanges[0]!.request.messages[0]).toMatchObject({ role: "user" });
  expect(first.exchanges[0]!.request.system).toContain("Treadle");
  const again: RecordedExchange[] = [];
  const second = await tryRun(recordModel(play(first.exchanges), (one) => again.push(one)));
  expect(again).toEqual(first.exchanges);
  expect(second.workspace.text("index.html")).toBe("<h1>Hi</h1>");
  expect(second.result.verdict).toBe(first.result.verdict);
});

it("neighbouring pieces of one text are recorded as one", async () => {
  const { exchanges } = await recorded([answer("A rather long sentence that comes in pieces.")]);
  const texts = exchanges[0]!.answer.filter(({ type }) => type === "text-delta");
  expect(texts.map(({ delta }) => delta)).toEqual(["A rather long sentence that comes in pieces."]);
});

it("a refusal and a broken stream are recorded, and played as what they were", async () => {
  const refuse = new APICallError({
    message: "Busy",
    url: "https://provider.example/?key=secret-key",
    requestBodyValues: { key: "secret-key" },
    statusCode: 529,
    isRetryable: true,
  });
  const first = await recorded([
    refuse,
    () => streamOf(textParts("Half"), new TypeError("terminated")),
  ]);
  expect(JSON.stringify(first.exchanges)).not.toContain("secret-key");
  const [one, two] = first.exchanges;
  expect(one!.answer).toMatchObject([{ type: "failed", statusCode: 529, isRetryable: true }]);
  expect(two!.answer.at(-1)).toMatchObject({ type: "broken" });
  const second = await tryRun(play(first.exchanges));
  const end = (events: (typeof first)["events"]) => ofType(events, "run-end")[0]?.error?.code;
  expect(end(second.events)).toBe(end(first.events));
});

it("a request beyond the recording ends the run instead of waiting", async () => {
  const { result } = await tryRun(play([]));
  expect(result.outcome).toBe("error");
});

it("a picture's bytes are recorded only as a hash", async () => {
  const url = `data:image/png;base64,${Buffer.from("not really a picture").toString("base64")}`;
  const message = {
    id: "m1",
    role: "user" as const,
    parts: [{ type: "file" as const, mediaType: "image/png", url }],
  };
  const { exchanges } = await recorded([answer("I see.")], { request: { message } });
  const prompt = JSON.stringify(exchanges[0]!.request.messages);
  expect(prompt).toContain('"sha256"');
  expect(prompt).not.toContain(Buffer.from("not really a picture").toString("base64"));
});

it("recorded work is given in place of running anything", async () => {
  const workspace = createFakeWorkspace();
  const asked: string[] = [];
  const { exchanges, events } = await recorded(
    [answer("", WRITES, call("run_command", { command: "npm test" })), answer("Done.")],
    {
      workspace,
      ports: {
        recorded: {
          result: (tool) => {
            asked.push(tool);
            return tool === "run_command"
              ? { ok: true, title: "Ran npm test", result: "as recorded" }
              : undefined;
          },
          evidence: () => untriedEvidence("0"),
        },
      },
    },
  );
  expect(workspace.commands).toEqual([]);
  expect(asked).toEqual(["write_file", "run_command"]);
  expect(JSON.stringify(exchanges[1]!.request.messages)).toContain("as recorded");
  expect(ofType(events, "evidence").at(-1)?.evidence.revision).toBe(await workspace.revision());
});
