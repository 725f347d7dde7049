import type { ExternalIdentity } from "@treadle/protocol";
import type { ReactNode } from "react";
import { formatDateTime } from "../ui/format.ts";
import { words } from "../words/words.ts";

/**
 * What the identity provider's last token contained about an account, and which roles it led to. The page never has the
 * token.
 */
export function IdentityFacts({
  identity,
  teamName,
}: {
  identity: ExternalIdentity;
  /** A team's name by its id; undefined if it is not known. */
  teamName?: (id: string) => string | undefined;
}) {
  const { issuer, subject, report } = identity;
  const { outcome, groups, groupsClaim } = report;
  const teams = outcome.teams.map(
    ({ id, role }) => `${teamName?.(id) ?? id} (${words.account.projectRoles[role]})`,
  );
  const email =
    report.email === undefined
      ? undefined
      : `${report.email} · ${report.isEmailVerified ? words.identity.verified : words.identity.unverified}`;
  return (
    <dl className="space-y-1.5 px-3 py-2 text-small">
      <Fact name={words.identity.cameOf}>
        {words.identity.outcomes[outcome.code]}
        {outcome.role && ` ${words.identity.role({ role: words.account.roles[outcome.role] })}`}
        {outcome.matched.length > 0 &&
          ` ${words.identity.matched({ groups: outcome.matched.join(", ") })}`}
        {teams.length > 0 && ` ${words.identity.teams({ teams: teams.join(", ") })}`}
      </Fact>
      <Fact name={words.identity.groups({ claim: groupsClaim })}>
        {groups === undefined
          ? words.identity.noGroupsClaim
          : groups.join(", ") || words.identity.noGroups}
      </Fact>
      {email !== undefined && <Fact name={words.account.email}>{email}</Fact>}
      <Fact name={words.identity.claims}>{report.claims.join(", ")}</Fact>
      <Fact name={words.identity.at}>
        {report.from === "sign-in"
          ? words.identity.fromSignIn({ when: formatDateTime(report.at) })
          : words.identity.fromRefresh({ when: formatDateTime(report.at) })}
      </Fact>
      <Fact name={words.identity.subject}>
        {subject} · {issuer}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-quiet">{name}</dt>
      <dd dir="auto" className="break-words">
        {children}
      </dd>
    </div>
  );
}
