import { useQuery } from "@tanstack/react-query";
import type { ExternalIdentity, IdentityProvider } from "@treadle/protocol";
import { AccountFrame } from "../account/account-frame.tsx";
import { IdentityFacts } from "../account/identity-facts.tsx";
import { Section } from "../account/section.tsx";
import { PROVIDER_KEY, readProvider } from "../api/identity.ts";
import { words } from "../words/words.ts";
import { GroupRules } from "./group-rules.tsx";
import { usePeople, useTeams } from "./use-people.ts";

/**
 * The identity provider: the roles that its groups grant, and its last report about each account. For administrators.
 */
export function ProviderPage() {
  const { data, error } = useQuery({
    queryKey: PROVIDER_KEY,
    queryFn: ({ signal }) => readProvider(signal),
  });
  return (
    <AccountFrame at="/sign-in-provider">
      {error && (
        <Section title={words.identity.provider} problem={error}>
          {null}
        </Section>
      )}
      {data && !data.provider && (
        <p className="max-w-160">{words.identity.none({ variable: "TREADLE_OIDC_ISSUER" })}</p>
      )}
      {data?.provider && (
        <>
          <Settings provider={data.provider} />
          <GroupRules key={JSON.stringify(data.provider.rules)} provider={data.provider} />
          <Identities identities={data.identities} />
        </>
      )}
    </AccountFrame>
  );
}

function Settings({ provider }: { provider: IdentityProvider }) {
  const { name, issuer, domains, linksByEmail } = provider;
  return (
    <Section title={name}>
      <p className="break-words">{issuer}</p>
      <p>
        {domains.length > 0
          ? words.identity.domains({ domains: domains.join(", ") })
          : words.identity.noDomains}
      </p>
      <p>{linksByEmail ? words.identity.linksByEmail : words.identity.linksNot}</p>
    </Section>
  );
}

/** The accounts at the provider that have tried to sign in, whether or not they were admitted. */
export function Identities({ identities }: { identities: readonly ExternalIdentity[] }) {
  const people = usePeople().data?.people ?? [];
  const teams = useTeams().data?.teams ?? [];
  const nameOf = ({ person, report, subject }: ExternalIdentity) =>
    people.find(({ id }) => id === person)?.name ?? report.name ?? report.email ?? subject;
  return (
    <Section title={words.identity.accounts} about={words.identity.accountsAbout}>
      {identities.map((identity) => (
        <details key={identity.id} className="rounded border border-line">
          <summary className="px-3 py-1.5 break-words pointer-coarse:min-h-11">
            <span className="font-medium">{nameOf(identity)}</span>
            <span className="text-quiet">
              {" · "}
              {words.identity.outcomes[identity.report.outcome.code]}
            </span>
          </summary>
          <IdentityFacts
            identity={identity}
            teamName={(id) => teams.find((team) => team.id === id)?.name}
          />
        </details>
      ))}
    </Section>
  );
}
