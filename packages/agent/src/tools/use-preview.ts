import { z } from "zod";
import { prose } from "../text/prose.ts";
import {
  freshValue,
  PAGE_ACTS,
  parseSteps,
  problemWords,
  stepExamples,
  stepWords,
  withFresh,
  type PageStep,
  type StepProblem,
} from "@treadle/protocol/checks";
import { sentence } from "@treadle/protocol/sentences";
import { pageText } from "../preview/page-text.ts";
import { defineTool, done, refused } from "./tool.ts";
import { openPage } from "../preview/open-page.ts";

/** Maximum number of steps in a call. */
const STEPS = 40;

/** A step as an object, which models write because similar tools use this form. */
const parts = z.strictObject({
  do: z.enum(PAGE_ACTS),
  on: z.string().optional(),
  text: z.string().optional(),
});

/**
 * A step as text; an object is converted. The type is stated for the sent schema, which cannot derive it from the
 * union.
 */
const stepInput = z
  .preprocess((given) => {
    const { success, data } = parts.safeParse(given);
    return success ? stepWords(data as PageStep) : given;
  }, z.string())
  .meta({ type: "string" });

const noStep = (problem: StepProblem) =>
  `Nothing was done: ${problemWords(problem)}. Every form of a step, one a line:\n${stepExamples().join("\n")}`;

/** Acts in the running app as a person would, and reports the result. */
export const usePreview = defineTool({
  name: "use_preview",
  description: prose(new URL("./use-preview.md", import.meta.url)),
  input: z.object({
    path: z.string().optional(),
    steps: z.array(stepInput).min(1).max(STEPS),
  }),
  async execute({ path = "/", steps: words }, context) {
    const { steps: written, problem } = parseSteps(words);
    if (problem) return refused(sentence("could-not-use"), noStep(problem));
    const steps = withFresh(written, freshValue());
    const opened = await openPage(path, steps, context);
    if ("refuse" in opened) return refused(sentence("could-not-use"), opened.refuse);
    const { use, note } = opened;
    const failed = use.steps.findIndex(({ ok }) => !ok);
    const trace = use.steps
      .map(({ ok, said: text }, index) => `${index + 1}. ${ok ? "ok" : "FAILED"} ${text}`)
      .join("\n");
    const result = `${trace}\n${pageText(use)}${note}`;
    if (failed >= 0) return refused(sentence("used-failed", { step: failed + 1 }), result);
    if (use.steps.length < steps.length) return refused(sentence("used-closed"), result);
    const outcome = done(sentence("used", { count: steps.length }), result);
    return opened.picture ? { ...outcome, picture: opened.picture } : outcome;
  },
});
