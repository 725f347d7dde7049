import { join } from "node:path";
import type { Clock } from "@treadle/agent";
import type { Store } from "@treadle/store";
import { checkpointTrees } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { gitLogins } from "@treadle/git";
import { siteFolder } from "../publications/make-release.ts";
import type { ReadyRelease, Publications } from "../publications/publications.ts";
import { createElsewhere, type ElsewhereService } from "./elsewhere.ts";
import { openElsewhereList } from "./stored-deployments.ts";
import { hostTokens } from "./host-tokens.ts";
import type { ReleaseToSend, Sending } from "./target.ts";
import { TARGETS } from "./targets.ts";

/** Creates the service that sends releases to other hosts, with its stores. */
export async function openElsewhere(parts: {
  store: Store;
  dataDirectory: string;
  /** The addresses of the hosts' APIs. */
  origin: Sending["origin"];
  clock: Clock;
  publications: Pick<Publications, "findReady">;
  folderOf(project: string): string;
  onNotice(text: string): void;
}): Promise<ElsewhereService> {
  const { store, dataDirectory, publications } = parts;
  return createElsewhere({
    ...parts,
    targets: TARGETS,
    list: await openElsewhereList(store),
    tokens: hostTokens(store),
    logins: gitLogins(store, dataDirectory),
    sshFolder: join(dataDirectory, "git"),
    exists: async (project) => (await store.projects.get(project)) !== undefined,
    findRelease: (project, number) => releaseToSend(publications.findReady(project, number)),
  });
}

function releaseToSend({ name, release, folder }: ReadyRelease): ReleaseToSend {
  const { number, revision, checkpoint, kind } = release;
  const known = { name, number, revision };
  if (kind !== "app") return { ...known, kind: "site", folder: siteFolder(folder) };
  const { gitDirectory, trees } = checkpointTrees(join(folder, "state"));
  const tree = trees.get(checkpoint);
  if (tree === undefined)
    throw new ApiFailure(409, "not-ready", sentence("release-files-gone", { number }));
  return { ...known, kind: "app", sources: { gitDirectory, trees, tree } };
}
