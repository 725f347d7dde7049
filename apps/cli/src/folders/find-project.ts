import type { ProjectSummary } from "@treadle/protocol";

/**
 * Finds a project by id, name, or an unambiguous prefix of either.
 * @throws Error with a message that lists the candidates
 */
export function findProject(projects: readonly ProjectSummary[], meant: string): ProjectSummary {
  const word = meant.toLowerCase();
  const exact = projects.filter(({ id, name }) => id === meant || name.toLowerCase() === word);
  const found =
    exact.length > 0
      ? exact
      : projects.filter(
          ({ id, name }) => id.startsWith(meant) || name.toLowerCase().startsWith(word),
        );
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new Error(
      `${found.length} projects could be “${meant}”: ${listed(found)}. Name one by its id.`,
    );
  const there =
    projects.length === 0 ? "There are no projects yet" : `There are ${listed(projects)}`;
  throw new Error(`There is no project “${meant}”. ${there}.`);
}

/** Maximum number of projects listed in a message. */
const NAMED = 5;

function listed(projects: readonly ProjectSummary[]): string {
  const names = projects.slice(0, NAMED).map(({ id, name }) => `${id} (${name})`);
  const more = projects.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
