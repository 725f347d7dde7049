import { sentence } from "@treadle/protocol/sentences";
import type { ProjectRecord } from "@treadle/store";
import { ApiFailure } from "@treadle/common";
import { toDomain } from "./app-hosts.ts";
import { isAppName, nameFor } from "./app-name.ts";
import type { StoredPublication } from "./stored-publication.ts";

/**
 * Returns the project's publication, a new one if needed, and the name for its next release: the
 * requested one, else the current one, else one derived from the project's. The caller must save it
 * without waiting for anything else, since the name is free until then.
 * @throws ApiFailure 400 `bad-name`, 409 `name-taken`
 */
export function named(
  all: StoredPublication[],
  record: ProjectRecord,
  asked: string | undefined,
): { publication: StoredPublication; name: string } {
  const known = all.find(({ project }) => project === record.id);
  const others = new Set(all.filter((one) => one !== known).flatMap(namesOf));
  if (asked !== undefined && !isAppName(asked))
    throw new ApiFailure(400, "bad-name", sentence("app-name-bad"));
  if (asked !== undefined && others.has(asked))
    throw new ApiFailure(409, "name-taken", sentence("app-name-taken", { name: asked }));
  const name = asked ?? known?.name ?? nameFor(record.name, (one) => !others.has(one));
  return { publication: known ?? { project: record.id, name, releases: [] }, name };
}

/** The publication's name, and the names of its unfinished releases. */
const namesOf = ({ name, releases }: StoredPublication): string[] => [
  name,
  ...releases.flatMap((one) =>
    one.name !== undefined && (one.state === "building" || one.state === "held") ? [one.name] : [],
  ),
];

/**
 * Parses a domain for a single app, in the form that browsers send.
 * @throws ApiFailure 400 `bad-domain`, 409 `domain-taken`
 */
export function toOwnDomain(
  text: string,
  others: StoredPublication[],
  appsDomain: string | undefined,
): string {
  const domain = toDomain(text);
  if (domain === undefined)
    throw new ApiFailure(400, "bad-domain", sentence("domain-bad", { text }));
  if (domain === appsDomain || domain.endsWith(`.${appsDomain}`))
    throw new ApiFailure(400, "bad-domain", sentence("domain-below", { domain: appsDomain ?? "" }));
  const other = others.find(({ domains }) => domains?.includes(domain));
  if (other)
    throw new ApiFailure(
      409,
      "domain-taken",
      sentence("domain-taken", { domain, name: other.name }),
    );
  return domain;
}
