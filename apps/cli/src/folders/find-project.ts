import type { ProjectSummary } from "@treadle/protocol";

/**
 * The project that is meant by its id, its name, or a beginning of either that only one has.
 * @throws Error with a sentence that names what there is
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

/** Projects that a sentence names at most. */
const NAMED = 5;

function listed(projects: readonly ProjectSummary[]): string {
  const names = projects.slice(0, NAMED).map(({ id, name }) => `${id} (${name})`);
  const more = projects.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
