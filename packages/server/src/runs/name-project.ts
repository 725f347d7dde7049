import { NAME_LIMIT, plainName, titleOf } from "../project-context/project-name.ts";
import type { ProjectContext } from "../project-context/project-context.ts";

/**
 * Names the project after the model's title, unless a person has named it.
 * @param asked the request of the turn, from which the project's first name was made
 * @param given the model's title; undefined or empty changes nothing
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

/** Titles of an artifact that name no project: a file's name, or a default. */
const NO_NAME = /^(?:\S+\.[a-z0-9]{1,10}|shell command|work|untitled|project|app)$/i;

/** A project name from the title of an artifact; undefined if that is a default. */
export function nameInTitle(title: string): string | undefined {
  const name = plainName(title);
  return name === "" || NO_NAME.test(name) ? undefined : name;
}
