import { useInfiniteQuery } from "@tanstack/react-query";
import type { AuditEntry, AuditFilter } from "@treadle/protocol";
import { useState } from "react";
import { AccountFrame } from "../account/account-frame.tsx";
import { LabelledSelect } from "../account/labelled-select.tsx";
import { useMe } from "../api/account.ts";
import { auditExport, readAudit } from "../api/people.ts";
import { sentence } from "../api/request.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { formatDateTime } from "../ui/format.ts";
import { Download } from "../ui/icons.ts";
import { words } from "../words/words.ts";
import { daySpan } from "./day-span.ts";
import { ForwardingSection } from "./forwarding-section.tsx";
import { usePeople } from "./use-people.ts";

/** Number of entries per request. */
const PAGE = 100;

/** The audited actions by their names, `people.manage` as `people` and `manage`. */
const actionWords = (): { value: string; name: string }[] => [
  { value: "sign-in", name: words.audit.signIn },
  ...Object.entries(words.audit.actions).flatMap(([subject, verbs]) =>
    Object.entries(verbs).map(([verb, name]) => ({ value: `${subject}.${verb}`, name })),
  ),
];

/** The audit log: who did what and when, with filters and a download. */
export function AuditPage() {
  const people = usePeople().data?.people ?? [];
  const mayConfigure = useMe()?.actions.includes("server.configure") === true;
  const [person, setPerson] = useState("");
  const [action, setAction] = useState("");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const filter: AuditFilter = {
    person: person === "" ? undefined : person,
    action: action === "" ? undefined : action,
    ...daySpan(from, to),
  };
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["audit", filter],
    queryFn: ({ pageParam, signal }) =>
      readAudit({ ...filter, before: pageParam, limit: PAGE }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ entries }) => (entries.length < PAGE ? undefined : entries.at(-1)?.id),
  });
  const entries = data?.pages.flatMap((page) => page.entries);
  return (
    <AccountFrame at="/audit">
      <div className="flex flex-wrap items-end gap-2">
        <LabelledSelect
          label={words.audit.who}
          value={person}
          options={[
            { value: "", name: words.audit.everybody },
            ...people.map(({ id, name }) => ({ value: id, name })),
          ]}
          onChoose={setPerson}
        />
        <LabelledSelect
          label={words.audit.what}
          value={action}
          options={[{ value: "", name: words.audit.everything }, ...actionWords()]}
          onChoose={setAction}
        />
        <div className="flex w-38">
          <Field label={words.audit.from} type="date" value={from} onText={setFrom} />
        </div>
        <div className="flex w-38">
          <Field label={words.audit.to} type="date" value={to} onText={setTo} />
        </div>
        <a href={auditExport(filter)} download className={buttonClass("plain", "medium")}>
          <Download size={16} aria-hidden="true" /> {words.audit.export}
        </a>
      </div>
      {error && (
        <p role="alert" className="text-failed">
          {sentence(error)}
        </p>
      )}
      {entries?.length === 0 && <p className="text-quiet">{words.audit.none}</p>}
      {entries && entries.length > 0 && <EntryList entries={entries} />}
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.audit.more}
        </Button>
      )}
      {mayConfigure && <ForwardingSection />}
    </AccountFrame>
  );
}

export function EntryList({ entries }: { entries: readonly AuditEntry[] }) {
  const names = new Map(actionWords().map(({ value, name }) => [value, name]));
  return (
    <ol aria-label={words.account.audit} className="divide-y divide-line border-y border-line">
      {entries.map(({ id, at, name, action, what, values }) => (
        <li key={id} className="grid gap-x-3 py-1.5 wide:grid-cols-[9rem_1fr]">
          <time
            dateTime={new Date(at).toISOString()}
            className="numbers text-small text-quiet wide:pt-px"
          >
            {formatDateTime(at)}
          </time>
          <div className="min-w-0">
            <p>
              <span dir="auto" className="font-medium">
                {name}
              </span>{" "}
              {names.get(action) ?? action}
            </p>
            <p className="font-mono text-small break-all text-quiet">
              {[what, ...Object.entries(values).map((pair) => pair.join("="))].join(" · ")}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}
