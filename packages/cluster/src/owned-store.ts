import type { Store } from "@treadle/store";
import type { LeaseOwnership } from "./lease-ownership.ts";

/**
 * A store whose writes to a project first make this server its owner. They reject with ApiFailure 503 `elsewhere` if
 * another server owns it. Events are appended only by the runtime of a project, which is owned already.
 */
export function ownedStore(
  store: Store,
  { ownToWrite: own }: Pick<LeaseOwnership, "ownToWrite">,
): Store {
  const { projects, messages, secrets, log } = store;
  /** The method, after the project in its first argument is owned. */
  const first =
    <Words extends [project: string, ...unknown[]], Result>(
      method: (...words: Words) => Promise<Result>,
    ) =>
    async (...words: Words): Promise<Result> => {
      await own(words[0]);
      return method(...words);
    };
  return {
    ...store,
    projects: {
      ...projects,
      async create(project) {
        await own(project.id);
        await projects.create(project);
      },
      update: first((id, change) => projects.update(id, change)),
      remove: first((id) => projects.remove(id)),
    },
    messages: {
      ...messages,
      put: first((project, message) => messages.put(project, message)),
    },
    secrets: {
      ...secrets,
      put: first((project, secret) => secrets.put(project, secret)),
      remove: first((project, ...what) => secrets.remove(project, ...what)),
    },
    log: {
      ...log,
      async copy(from, to, ...how) {
        await own(to);
        await log.copy(from, to, ...how);
      },
    },
  };
}
