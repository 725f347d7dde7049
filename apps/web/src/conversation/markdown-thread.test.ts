import { describe, expect, it } from "vitest";
import { createMarkdownThread, type MarkdownWorker } from "./markdown-thread.ts";
import { readMarkdown } from "./read-markdown.ts";

/** A worker that never answers for the text "endless". */
function fakeWorker(ended: string[]): MarkdownWorker {
  const worker: MarkdownWorker = {
    onmessage: null,
    onerror: null,
    terminate: () => void ended.push("ended"),
    postMessage(text: string) {
      if (text !== "endless")
        queueMicrotask(() =>
          worker.onmessage?.call(worker as Worker, { data: readMarkdown(text) } as MessageEvent),
        );
    },
  };
  queueMicrotask(() => worker.onmessage?.call(worker as Worker, { data: "ready" } as MessageEvent));
  return worker;
}

describe("A167 the thread that parses Markdown", () => {
  it("is terminated by a text that takes too long, which is shown as plain text; the next text is parsed", async () => {
    const ended: string[] = [];
    const thread = createMarkdownThread(() => fakeWorker(ended), 10);
    const [first, endless, next] = await Promise.all(
      ["*a*", "endless", "b"].map((text) => thread.read(text)),
    );
    expect(first?.nodes).toEqual([{ tag: "p", children: [{ tag: "em", children: ["a"] }] }]);
    expect(endless).toBeUndefined();
    expect(next?.nodes).toEqual([{ tag: "p", children: ["b"] }]);
    expect(ended).toEqual(["ended"]);
  });

  it("leaves texts plain if it cannot be started", async () => {
    const thread = createMarkdownThread(() => {
      throw new Error("refused");
    });
    expect(await thread.read("a")).toBeUndefined();
  });
});

describe("Markdown", () => {
  it("reports where its last block begins, which is all that changes as the text grows", () => {
    const text = "# A\n\nb\n\n- c\n- d";
    expect(text.slice(readMarkdown(text).lastBlock)).toBe("- c\n- d");
    expect(readMarkdown("").lastBlock).toBe(0);
  });
});
