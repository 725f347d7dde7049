import { codedWords } from "../words/coded-words.ts";
import { useQueryClient } from "@tanstack/react-query";
import type { Publication } from "@treadle/protocol";
import { publicationKey, setPort } from "../api/publication.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { PublicAddress } from "./public-address.tsx";

/** The app's own port, for browsers and phones that cannot resolve its host name. */
export function OwnPort({ publication: { port } }: { publication: Publication }) {
  const project = useProjectId();
  const client = useQueryClient();
  const { act, busy, problem } = useAct();
  const put = (choice: "free" | "none") =>
    act(async () => {
      client.setQueryData(publicationKey(project), await setPort(project, choice));
    });
  const shownProblem = problem ?? (port?.problem && codedWords(port.problem, port.problemCode));
  return (
    <section aria-labelledby="own-port">
      <h3 id="own-port" className="font-semibold">
        {port ? words.publish.port({ port: port.number }) : words.publish.noPort}
      </h3>
      <div className="mt-1 space-y-2">
        <p className="text-small text-quiet">{words.publish.portNote}</p>
        {port && (
          <ul className="space-y-1">
            {port.addresses.map((address) => (
              <li key={address}>
                <PublicAddress address={address} />
              </li>
            ))}
          </ul>
        )}
        <Button disabled={busy} onClick={() => void put(port ? "none" : "free")}>
          {port ? words.publish.dropPort : words.publish.givePort}
        </Button>
        {shownProblem && (
          <p role="alert" className="text-failed">
            {shownProblem}
          </p>
        )}
      </div>
    </section>
  );
}
