import type { DialectName } from "@treadle/protocol";
import { createScriptedModel, type Script } from "@treadle/scripted-model";
import type { UIMessage } from "ai";
import { expect, it } from "vitest";
import { createModelRegistry } from "../models/registry.ts";
import { orderProblems } from "../testing/check-order.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";
import { googleCut, GOOGLE_WORDS } from "./google-stream.test-support.ts";

const LINES = Array.from({ length: 60 }, (_, n) => `<li>Grüße ${n} 🙂</li>`);
const FILE = `<ul>\n${LINES.join("\n")}\n</ul>\n`;
const ANSWERS: Record<DialectName, string> = {
  native: "I have looked at it.\n\nThe list is whole, and the form wants a label.",
  artifact: `I write it.\n\n<boltArtifact id="list" title="A list">\n<boltAction type="file" filePath="index.html">\n${FILE}</boltAction>\n</boltArtifact>`,
  tags: `I write it.\n\n<write_file>\n<path>index.html</path>\n<content>\n${FILE}</content>\n</write_file>`,
};
const ASKED = "cut at its output limit";

/** The answer in three pieces; the second repeats the line that was cut. */
function piecesOf(dialect: DialectName): string[] {
  const text = ANSWERS[dialect];
  if (dialect === "native") return [text.slice(0, 31), text.slice(22, 40), text.slice(40)];
  const [one, two] = ["Grüße 20 ", "Grüße 41"].map((place) => text.indexOf(place) + 4);
  const line = text.lastIndexOf("\n", one) + 1;
  return [text.slice(0, one), text.slice(line, two), text.slice(two)];
}

interface Upstream {
  address: string;
  fetch?: typeof fetch;
  /** The messages of each request with their roles, without the system prompt. */
  prompts(): { by: string; text: string }[][];
  close(): Promise<void>;
}

async function scripted([
  first = "",
  second = "",
  third = "",
]: readonly string[]): Promise<Upstream> {
  const says = (subject: "message" | "conversation", pattern: string | RegExp) =>
    ({ type: "text", subject, pattern, not: false }) as const;
  const isFirst = { type: "turn", number: 1, orLater: false, not: false } as const;
  const limit = { type: "fault", fault: { kind: "length" } } as const;
  const script: Script = {
    name: "cut",
    steps: [
      { name: "first", when: [isFirst], parts: [{ type: "say", text: first }, limit] },
      {
        name: "third",
        when: [says("message", ASKED), says("conversation", /is whole|Grüße 30/)],
        parts: [{ type: "say", text: third }],
      },
      {
        name: "second",
        when: [says("message", ASKED)],
        parts: [{ type: "say", text: second }, limit],
      },
    ],
    otherwise: [{ type: "say", text: "Done." }],
  };
  const upstream = await createScriptedModel({ script, chunking: { min: 1, max: 23, seed: 7 } });
  return {
    address: upstream.url,
    prompts: () =>
      upstream.requests.map(({ asked }) => asked.entries.filter(({ by }) => by !== "system")),
    close: () => upstream.close(),
  };
}

/** Google has no scripted server here, so its responses are given to its client directly. */
function google(pieces: readonly string[]): Upstream {
  const prompts: { by: string; text: string }[][] = [];
  return {
    address: "http://model.invalid",
    async fetch(_url, init) {
      const { contents } = JSON.parse(String(init?.body)) as {
        contents: { role: string; parts: { text?: string }[] }[];
      };
      prompts.push(
        contents.map(({ role, parts }) => ({
          by: role === "model" ? "assistant" : "user",
          text: parts.map(({ text = "" }) => text).join(""),
        })),
      );
      const piece = pieces[prompts.length - 1];
      const body =
        piece === undefined ? GOOGLE_WORDS : googleCut(piece, prompts.length < pieces.length);
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
    prompts: () => prompts,
    close: async () => {},
  };
}

const WAYS = ["anthropic", "openai", "openai-compatible", "google"].flatMap((wire) =>
  (["native", "artifact", "tags"] as const).map((dialect) => [wire, dialect] as const),
);

it.each(WAYS)(
  "an answer over the wire of %s in the dialect %s that is cut twice becomes one answer, and only its own requests mention the cuts",
  async (wire, dialect) => {
    const pieces = piecesOf(dialect);
    const upstream = wire === "google" ? google(pieces) : await scripted(pieces);
    try {
      const registry = createModelRegistry({
        env: {},
        keys: new Map([[wire, { key: "k", address: upstream.address }]]),
        fetch: upstream.fetch,
      });
      const resolved = await registry.resolve(`${wire}:cut`);
      if (!resolved.ok) throw new Error(resolved.error.message);
      const { model } = resolved;
      const run = (history?: UIMessage[]) =>
        tryRun(model.languageModel, {
          model,
          dialect,
          workspace: htmlWorkspace(),
          request: history ? { run: "r2", history } : undefined,
        });
      const { events, workspace, saved } = await run();
      expect(orderProblems(events)).toEqual([]);
      expect(
        ofType(events, "step-end")
          .slice(0, 3)
          .map(({ finish }) => finish),
      ).toEqual(["length", "length", dialect === "native" ? "stop" : "tool-calls"]);
      if (dialect === "native") {
        const texts = ofType(events, "text");
        expect(texts.map(({ text }) => text).join("")).toBe(ANSWERS.native);
        expect(new Set(texts.map(({ id }) => id)).size).toBe(1);
      } else {
        expect(workspace.text("index.html")).toBe(FILE);
        expect(ofType(events, "call-open")).toHaveLength(1);
        const deltas = ofType(events, "call-delta").filter(({ field }) => field === "content");
        expect(deltas.map(({ text }) => text).join("")).toBe(FILE);
      }
      // The request for the rest ends with the partial answer, as written, and our message.
      const fullText = ANSWERS[dialect];
      for (const [index, asked] of upstream.prompts().slice(1, 3).entries()) {
        const [answer, request] = asked.slice(-2);
        expect([answer?.by, request?.by]).toEqual(["assistant", "user"]);
        expect(answer?.text).toBe(fullText.slice(0, answer?.text.length));
        expect(answer?.text.length).toBeGreaterThanOrEqual(pieces[index]!.length);
        expect(request?.text).toContain(ASKED);
      }
      // Later requests contain one answer without a trace of the cuts.
      const messages = [...new Map(saved.map((message) => [message.id, message])).values()];
      expect(messages.filter(({ role }) => role === "assistant").length).toBeLessThanOrEqual(2);
      await run(messages);
      const next = upstream.prompts().at(-1) ?? [];
      expect(JSON.stringify(next)).not.toContain(ASKED);
      const answers = next.filter(({ by, text }) => by === "assistant" && text !== "Done.");
      expect(answers).toHaveLength(1);
      if (dialect === "native") expect(answers[0]?.text).toBe(fullText);
      else expect(answers[0]?.text).toContain(FILE.trimEnd());
    } finally {
      await upstream.close();
    }
  },
);
