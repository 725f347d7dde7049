import { NAME_LIMIT, plainName, titleOf } from "../project-context/project-name.ts";
import type { ProjectContext } from "../project-context/project-context.ts";

/**
 * Takes the name that a model gives the project, where it has none but the first words of what it was asked for: a
 * name that a person gave stays.
 * @param asked what the turn was asked for
 */
export async function nameProject(
  context: Pick<ProjectContext, "id" | "parts" | "record" | "append">,
  asked: string,
  given: string | undefined,
): Promise<void> {
  const name = [...plainName(given ?? "")].slice(0, NAME_LIMIT).join("").trim();
  if (name === "") return;
  const { name: standing } = await context.record();
  if (name === standing || (standing !== titleOf(asked) && standing !== "New project")) return;
  await context.parts.store.projects.update(context.id, { name });
  context.append({ type: "project-renamed", name });
}

/** Titles that an artifact is given where the model wrote none: of a file, or of a command. */
const NO_NAME = /^(?:\S+\.[a-z0-9]{1,10}|shell command|work|untitled|project|app)$/i;

/** What a model calls what it makes, from the title of an artifact; undefined where that says nothing. */
export function nameInTitle(title: string): string | undefined {
  const name = plainName(title);
  return name === "" || NO_NAME.test(name) ? undefined : name;
}
