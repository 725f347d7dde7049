import { useQuery } from "@tanstack/react-query";
import { visible } from "@treadle/protocol/safe-text";
import { Check, X } from "../ui/icons.ts";
import { getJson, sentence } from "../api/request.ts";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import { PlainSection } from "./plain-section.tsx";
import type { Machine } from "@treadle/protocol";

const readMachine = (signal?: AbortSignal) => getJson<Machine>("/api/machine", signal);

/** Versions, and what Treadle's machine supports. */
export function AboutSection() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["machine"],
    queryFn: ({ signal }) => readMachine(signal),
    staleTime: 60_000,
  });
  return (
    <PlainSection
      id="about"
      title={words.settingsPage.sections.about}
      about={words.settingsPage.aboutAbout}
    >
      {error && (
        <p role="alert" className="text-small text-failed">
          {sentence(error)}
        </p>
      )}
      {!data && !error && <p className="text-small text-quiet">{words.settingsPage.looking}</p>}
      {data && (
        <>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5">
            <dt className="text-quiet">Treadle</dt>
            <dd className="numbers">{data.version}</dd>
            <dt className="text-quiet">Node</dt>
            <dd className="numbers">{data.node}</dd>
            <dt className="text-quiet">{words.settingsPage.system}</dt>
            <dd className="numbers">{data.system}</dd>
          </dl>
          <ul aria-label={words.settingsPage.machine} className="mt-3 rounded border border-line">
            {data.checks.map(({ name, ok, detail, mend }) => (
              <li key={name} className="flex gap-2 border-b border-line px-2 py-1.5 last:border-0">
                {ok ? (
                  <Check size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-verified" />
                ) : (
                  <X size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-failed" />
                )}
                <div className="min-w-0 break-words">
                  <span className="sr-only">
                    {ok ? words.settingsPage.there : words.settingsPage.missing}{" "}
                  </span>
                  <span className="font-medium">{visible(name)}</span>{" "}
                  <span className="text-small text-quiet">{visible(detail)}</span>
                  {mend !== undefined && (
                    <code className="block font-mono text-small">{visible(mend)}</code>
                  )}
                </div>
              </li>
            ))}
          </ul>
          <Button className="mt-2" disabled={isFetching} onClick={() => void refetch()}>
            {words.settingsPage.lookAgain}
          </Button>
        </>
      )}
    </PlainSection>
  );
}
