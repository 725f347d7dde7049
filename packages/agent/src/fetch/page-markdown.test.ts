import { expect, it } from "vitest";
import { answer, call, scriptedModel } from "../testing/scripted-model.test-support.ts";
import { ofType, tryRun } from "../testing/try-run.test-support.ts";
import { pageMarkdown } from "./page-markdown.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

it("HTML is read as Markdown, without its scripts and menus", async () => {
  const html =
    "<nav>Menu</nav><script>alert(1)</script><h1>Tasks</h1><p>Read <a href='/a'>this</a>.</p><pre><code>x</code></pre>";
  expect(await pageMarkdown("text/html; charset=utf-8", bytes(html))).toBe(
    "# Tasks\n\nRead [this](/a).\n\n```\nx\n```",
  );
});

it("A166 HTML that takes too long to convert is read as its source, and the server goes on meanwhile", async () => {
  const html = "<div>".repeat(40_000);
  let turns = 0;
  const timer = setInterval(() => turns++, 20);
  const text = await pageMarkdown("text/html", bytes(html));
  clearInterval(timer);
  expect(text).toContain("<div><div>");
  expect(turns).toBeGreaterThan(20);
});

it("a page that is being converted is given up when the caller stops", async () => {
  const stop = new AbortController();
  const reading = pageMarkdown("text/html", bytes("<div>".repeat(40_000)), stop.signal);
  stop.abort(new Error("stopped"));
  await expect(reading).rejects.toThrow("stopped");
});

it("other text stays as it is, in its own character set; an unknown one counts as UTF-8", async () => {
  expect(await pageMarkdown("text/plain; charset=iso-8859-1", new Uint8Array([0xe4]))).toBe("ä");
  expect(await pageMarkdown("text/plain; charset=nonsense", bytes("ä"))).toBe("ä");
});

it("fetch_url is asked about by its host, and says what it refuses", async () => {
  const asks = () =>
    scriptedModel(
      answer("", call("fetch_url", { url: "http://127.0.0.1:1/?key=secret" })),
      answer("No."),
    );
  const approvals = {
    policy: () => ({ mode: "auto" as const, always: [] }),
    isSigned: () => false,
  };
  const asked = await tryRun(asks(), { ports: { approvals } });
  expect(asked.result.outcome).toBe("waiting");
  expect(ofType(asked.events, "question")[0]?.question).toMatchObject({
    subject: { kind: "outside", what: ["127.0.0.1:1"] },
  });
  const refused = await tryRun(asks());
  expect(ofType(refused.events, "call-end")[0]).toMatchObject({ status: "error" });
  expect(ofType(refused.events, "call-end")[0]?.result).toContain("not a public address");
});
