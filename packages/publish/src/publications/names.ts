import { sentence } from "@treadle/protocol/sentences";
import type { ProjectRecord } from "@treadle/store";
import { ApiFailure } from "@treadle/common";
import { toDomain } from "./app-hosts.ts";
import { isAppName, nameFor } from "./app-name.ts";
import type { StoredPublication } from "./stored-publication.ts";

/**
 * The project's publication, a new one where it was never published, and the name that its next release is to be answered
 * at: the one that was asked for, else the one that it has, else one made of the project's. Whoever keeps it does so before
 * anything else is waited for: until then the name is anybody's.
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

/** The publication's name, and those that its unfinished releases bring. */
const namesOf = ({ name, releases }: StoredPublication): string[] => [
  name,
  ...releases.flatMap((one) =>
    one.name !== undefined && (one.state === "building" || one.state === "held") ? [one.name] : [],
  ),
];

/** A domain that one app alone is to answer at, as browsers send it. @throws ApiFailure 400 `bad-domain`, 409 `domain-taken` */
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
