import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { checkPath } from "@treadle/workspace";
import { z } from "zod";
import { sentence } from "@treadle/protocol/sentences";
import { INSTALL_LIMITS } from "../project/install-limits.ts";
import { takesChanges } from "../project/takes-changes.ts";
import { TEMPLATE_NAMES, type TemplateFile } from "../ports/templates.ts";
import { prose } from "../text/prose.ts";
import { showFiles } from "./show-files.ts";
import { describeExit } from "./describe-exit.ts";
import { defineTool, done, refused, type ToolContext } from "./tool.ts";

/** Writes a template's files into an empty project and installs its dependencies. */
export const useTemplate = defineTool({
  name: "use_template",
  description: prose(new URL("./use-template.md", import.meta.url)),
  input: z.object({ template: z.enum(TEMPLATE_NAMES) }),
  async execute({ template }, context) {
    const { workspace, readTemplate, signal, onOutput } = context;
    if (!readTemplate)
      return refused(
        sentence("template-none"),
        "There are no templates here; write the files yourself.",
      );
    if (await exists(toProjectPath("package.json"), context))
      return refused(
        sentence("template-not", { template }),
        "Nothing was written: this project has a package.json already. Templates are for empty projects.",
      );
    const files = await readTemplate(template);
    const written: TemplateFile[] = [];
    for (const { path: named, content } of files) {
      const path = checkPath(named);
      signal.throwIfAborted();
      // An existing file is the person's own, and is kept.
      if (await exists(path, context)) continue;
      const { version } = await workspace.files.write(path, content, { ifVersion: "absent" });
      context.seen.set(path, version);
      context.wrote(path, version);
      if (typeof content === "string") context.given?.set(path, content);
      written.push({ path, content });
    }
    const shown = await showFiles(written);
    if (!files.some(({ path }) => path === "package.json"))
      return done(
        sentence("template", { template }),
        `Wrote ${written.length} files:\n${shown}\nThere is nothing to install; treadle-serve serves the folder as it is.`,
      );
    // A template's dependencies are prepared: this mounts them, or fetches them the first time.
    const exit = await workspace.run("npm install", {
      onOutput,
      signal,
      isOwn: true,
      ...INSTALL_LIMITS,
    });
    const installed = describeExit("npm install", exit);
    // Started now, since a dev server picks up the files that the model writes next.
    const dev = devScript(files);
    if (installed.ok && dev !== undefined && takesChanges(dev)) workspace.warm("npm run dev");
    const result = `Wrote ${written.length} files:\n${shown}\nnpm install: ${installed.result}`;
    return installed.ok
      ? done(sentence("template", { template }), result)
      : refused(sentence("failed-for", { template }), result);
  },
});

function devScript(files: readonly TemplateFile[]): string | undefined {
  const manifest = files.find(({ path }) => path === "package.json")?.content;
  if (typeof manifest !== "string") return undefined;
  return (JSON.parse(manifest) as { scripts?: Record<string, string> }).scripts?.["dev"];
}

async function exists(path: ProjectPath, { workspace }: ToolContext): Promise<boolean> {
  return workspace.files.read(path).then(
    () => true,
    () => false,
  );
}
