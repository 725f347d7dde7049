import type { Deployment } from "@treadle/protocol";
import { visibleProse } from "@treadle/protocol/safe-text";
import { formatAgo, formatClock } from "../ui/format.ts";
import { useNow } from "../ui/use-now.ts";
import { codedWords } from "../words/coded-words.ts";
import { words } from "../words/words.ts";
import { PublicAddress } from "./public-address.tsx";

/** The finished deployments, the newest first, with their results. Draws nothing if there are none. */
export function DeploymentList({ deployments }: { deployments: Deployment[] }) {
  const now = useNow(60_000);
  const finished = deployments.filter(({ state }) => state !== "sending");
  if (finished.length === 0) return null;
  return (
    <ol aria-label={words.elsewhere.deployments} className="divide-y divide-line">
      {finished.map(({ id, release, at, state, said: message, saidCode, address, ms }) => (
        <li key={id} className="py-2" data-deployment={state}>
          <p className="numbers text-small text-quiet">
            {words.publish.ofRelease({ number: release })} · {words.elsewhere.states[state]} ·{" "}
            {formatAgo(at, now)}
            {ms !== undefined && state === "ready" && ` · ${formatClock(ms)}`}
          </p>
          {address !== undefined && isShown(address) && <PublicAddress address={address} />}
          {state === "failed" && message && (
            <p className="text-small break-words text-failed">
              {visibleProse(codedWords(message, saidCode))}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Whether an address becomes a link. The host chooses the address, so only web addresses do. */
const isShown = (address: string) => /^https?:\/\//.test(address);
