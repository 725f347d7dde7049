import { z } from "zod";
import { evidenceText } from "../text/evidence-text.ts";
import { fence } from "../text/fence.ts";
import { prose } from "../text/prose.ts";
import { judge } from "@treadle/protocol/evidence";
import { sentence } from "@treadle/protocol/sentences";
import { defineTool, done } from "./tool.ts";

/** Gives the evidence for the current revision, and gathers it first if there is none. */
export const readBuildResult = defineTool({
  name: "read_build_result",
  description: prose(new URL("./read-build-result.md", import.meta.url)),
  input: z.object({ wait_seconds: z.number().min(0).max(300).optional() }),
  async execute({ wait_seconds }, context) {
    const looked = context.evidence();
    const waited =
      wait_seconds === undefined
        ? await looked
        : await Promise.race([looked, patience(wait_seconds, context)]);
    if (waited === undefined)
      return done(
        sentence("read-build-none"),
        "(no build result reported yet — the project is being looked at; ask again with more wait_seconds)",
      );
    const { verdict, reason } = judge(waited);
    return done(
      sentence("read-build", { verdict }),
      `${verdict}: ${reason}\n${fence("build-result", evidenceText(waited, context.now()))}`,
    );
  },
});

async function patience(
  seconds: number,
  { sleep }: { sleep(ms: number): Promise<void> },
): Promise<undefined> {
  await sleep(seconds * 1000);
  return undefined;
}
