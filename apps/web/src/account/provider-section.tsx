import { useQuery, useQueryClient } from "@tanstack/react-query";
import {
  connectIdentity,
  disconnectIdentity,
  IDENTITIES_KEY,
  readIdentities,
} from "../api/identity.ts";
import { readTeams, TEAMS_KEY } from "../api/people.ts";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { IdentityFacts } from "./identity-facts.tsx";
import { Row, Rows, Section } from "./section.tsx";

/** The person's account at the identity provider. Draws nothing if the server has no provider. */
export function ProviderSection() {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: IDENTITIES_KEY,
    queryFn: ({ signal }) => readIdentities(signal),
  });
  // A guest may not list teams, and sees their ids.
  const { data: teams } = useQuery({
    queryKey: TEAMS_KEY,
    queryFn: ({ signal }) => readTeams(signal),
    enabled: data?.identities.some(({ report }) => report.outcome.teams.length > 0) ?? false,
    retry: false,
  });
  const { act, busy, problem } = useAct();
  if (!error && data?.provider === undefined) return null;
  const connect = () => act(async () => location.assign((await connectIdentity()).address));
  const disconnect = (id: string) =>
    act(async () => {
      await disconnectIdentity(id);
      await client.invalidateQueries({ queryKey: ["me"] });
    });
  return (
    <Section
      title={data?.provider ?? words.identity.provider}
      about={words.identity.about}
      problem={error ?? problem}
    >
      <Rows name={data?.provider ?? words.identity.provider}>
        {data?.identities.map((identity) => (
          <li key={identity.id}>
            <ul>
              <Row name={identity.report.name ?? identity.subject}>
                <Button kind="quiet" disabled={busy} onClick={() => void disconnect(identity.id)}>
                  {words.identity.disconnect}
                </Button>
              </Row>
            </ul>
            <IdentityFacts
              identity={identity}
              teamName={(id) => teams?.teams.find((team) => team.id === id)?.name}
            />
          </li>
        ))}
      </Rows>
      {data?.identities.length === 0 && (
        <Button size="medium" disabled={busy} onClick={() => void connect()}>
          {words.identity.connect}
        </Button>
      )}
    </Section>
  );
}
