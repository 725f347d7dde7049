import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { BrowserSession } from "@treadle/protocol";
import { endSession, readSessions } from "../api/account.ts";
import { Button } from "../ui/button.tsx";
import { formatAgo } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";
import { useNow } from "../ui/use-now.ts";
import { words } from "../words/words.ts";
import { browserOf } from "./browser-of.ts";
import { SESSIONS_KEY } from "./identity-section.tsx";
import { Row, Rows, Section } from "./section.tsx";

/** The browsers in which the person is signed in. */
export function SessionsSection() {
  const { data, error } = useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: ({ signal }) => readSessions(signal),
  });
  return <SessionList sessions={data?.sessions ?? []} problem={error} />;
}

export function SessionList({
  sessions,
  problem: failure,
}: {
  sessions: readonly BrowserSession[];
  problem?: Error | null;
}) {
  const client = useQueryClient();
  const now = useNow(30_000);
  const { act, busy, problem } = useAct();
  return (
    <Section
      title={words.account.sessions}
      about={words.account.sessionsAbout}
      problem={failure ?? problem}
    >
      <Rows name={words.account.sessions}>
        {sessions.map(({ id, agent, seenAt, current }) => (
          <Row
            key={id}
            name={browserOf(agent) || words.account.unknownBrowser}
            about={
              current ? words.account.thisBrowser : words.account.seen({ when: formatAgo(seenAt, now) }) // prettier-ignore
            }
          >
            {!current && (
              <Button
                kind="quiet"
                disabled={busy}
                onClick={() =>
                  void act(async () => {
                    await endSession(id);
                    await client.invalidateQueries({ queryKey: SESSIONS_KEY });
                  })
                }
              >
                {words.account.end}
              </Button>
            )}
          </Row>
        ))}
      </Rows>
    </Section>
  );
}
