import { useQueryClient } from "@tanstack/react-query";
import type { Publication } from "@treadle/protocol";
import { useState } from "react";
import { publicationKey, setDomains } from "../api/publication.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { PublicAddress } from "./public-address.tsx";

/** The published address, and the app's own domains. */
export function Domains({
  publication: { domains, publicAddresses },
}: {
  publication: Publication;
}) {
  const project = useProjectId();
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const { act, busy, problem } = useAct();
  const put = (next: string[]) =>
    act(async () => {
      client.setQueryData(publicationKey(project), await setDomains(project, next));
      setTyped("");
    });
  const isOwn = (address: string) =>
    domains.find((domain) => address === `https://${domain}/`) ?? undefined;
  return (
    <section aria-labelledby="domains">
      <h3 id="domains" className="font-semibold">
        {words.publish.domains}
      </h3>
      <div className="mt-1 space-y-2">
        <p className="text-small text-quiet">{words.publish.domainNote}</p>
        {publicAddresses.length > 0 && (
          <ul className="space-y-1">
            {publicAddresses.map((address) => {
              const own = isOwn(address);
              return (
                <li key={address} className="flex items-center justify-between gap-2">
                  <PublicAddress address={address} />
                  {own !== undefined && (
                    <Button
                      kind="quiet"
                      disabled={busy}
                      aria-label={words.publish.removeDomain({ domain: own })}
                      onClick={() => void put(domains.filter((one) => one !== own))}
                    >
                      {words.publish.remove}
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
        )}
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim() !== "") void put([...domains, typed.trim()]);
          }}
        >
          <div className="min-w-0 flex-1">
            <Field
              label={words.publish.domain}
              value={typed}
              onText={setTyped}
              placeholder={words.publish.domainPlaceholder}
            />
          </div>
          <Button type="submit" disabled={busy || typed.trim() === ""}>
            {words.publish.addDomain}
          </Button>
        </form>
        {problem && (
          <p role="alert" className="text-small text-failed">
            {problem}
          </p>
        )}
      </div>
    </section>
  );
}
