import { z } from "zod";
import { prose } from "../text/prose.ts";
import { PAGE_ACTS, type PageStep } from "../ports/browser.ts";
import { pageText } from "../preview/page-text.ts";
import { defineTool, done, refused } from "./tool.ts";
import { openPage } from "../preview/open-page.ts";

/** Steps of one call. */
const STEPS = 40;

/** Does in the running app what a person would, and tells what came of it. */
export const usePreview = defineTool({
  name: "use_preview",
  description: prose(new URL("./use-preview.md", import.meta.url)),
  input: z.object({
    path: z.string().optional(),
    steps: z
      .array(
        z.object({
          do: z.enum(PAGE_ACTS),
          on: z.string().optional(),
          text: z.string().optional(),
        }),
      )
      .min(1)
      .max(STEPS),
  }),
  async execute({ path = "/", steps }, context) {
    const opened = await openPage(path, steps as PageStep[], context);
    if ("refuse" in opened) return refused("Could not use the page", opened.refuse);
    const { use, note } = opened;
    const failed = use.steps.findIndex(({ ok }) => !ok);
    const said = use.steps
      .map(({ ok, said }, index) => `${index + 1}. ${ok ? "ok" : "FAILED"} ${said}`)
      .join("\n");
    const result = `${said}\n${pageText(use)}${note}`;
    if (failed >= 0) return refused(`Used the page: step ${failed + 1} did not work`, result);
    if (use.steps.length < steps.length)
      return refused("Used the page: it could not be opened", result);
    const outcome = done(
      `Used the page: ${steps.length} ${steps.length === 1 ? "step" : "steps"}`,
      result,
    );
    return opened.picture ? { ...outcome, picture: opened.picture } : outcome;
  },
});
