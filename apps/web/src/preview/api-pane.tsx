import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { AppAnswer } from "@treadle/protocol";
import { askApp } from "../api/app-requests.ts";
import { useChecksText } from "../checks/use-checks-text.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { formatBytes, formatDuration } from "../ui/format.ts";
import { Select } from "../ui/select.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import {
  allAddresses,
  checkedAddresses,
  describedAddresses,
  prettyAnswer,
  readHeaders,
  typedAddress,
  type ApiAddress,
} from "./api-addresses.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
/** The path at which many servers serve their OpenAPI description. */
const DESCRIPTION = "/openapi.json";
const NONE: readonly ApiAddress[] = [];
const AREA = "mt-0.5 w-full rounded border border-edge bg-paper p-2 font-mono text-small";

const hasBody = (method: string) => method !== "GET" && method !== "HEAD";

/**
 * The preview of an API, which has no page: its addresses, and a form that sends requests to it. Addresses are those
 * that the server describes, those that its checks request, the one that answered the last look, and those that
 * answered here.
 */
export default function ApiPane({ port }: { port: number }) {
  const project = useProjectId();
  const answeredPath = useView(
    ({ evidence }) => evidence?.parts.serve.summaryCode?.values?.["path"],
  );
  const upSeq = useView((view) => view.upSeq);
  const { data: described = NONE } = useQuery({
    queryKey: ["described-addresses", project, port, upSeq],
    queryFn: async () => {
      const request = { port, method: "GET", path: DESCRIPTION, headers: [] };
      return describedAddresses((await askApp(project, request)).text);
    },
    retry: false,
  });
  const { data: checks } = useChecksText();
  const [asked, setAsked] = useState(NONE);
  const [method, setMethod] = useState<string>("GET");
  const [path, setPath] = useState("/");
  const [headers, setHeaders] = useState("");
  const [body, setBody] = useState("");
  const [answer, setAnswer] = useState<{ to: ApiAddress; answer: AppAnswer }>();
  const newest = useRef<ApiAddress>(undefined);
  const { act, busy, problem } = useAct();
  const start = typeof answeredPath === "string" ? answeredPath : "/";
  const addresses = allAddresses(
    [{ method: "GET", path: start }],
    described,
    checkedAddresses(checks?.text ?? ""),
    asked,
  );
  const lines = readHeaders(headers);

  const send = (address: ApiAddress) =>
    act(async () => {
      newest.current = address;
      setAnswer(undefined);
      const sent = {
        method: address.method,
        path: address.path,
        port,
        headers: lines ?? [],
        ...(hasBody(address.method) && { body }),
      };
      const next = await askApp(project, sent);
      // Something else may have been sent or chosen meanwhile.
      if (newest.current === address) setAnswer({ to: address, answer: next });
      // An address that the app does not have is not listed.
      if (next.status !== 404)
        setAsked((before) => allAddresses(before, [address], describedAddresses(next.text)));
    });
  const choose = (address: ApiAddress) => {
    setMethod(address.method);
    setPath(address.path);
    if (address.body !== undefined) setBody(address.body);
    newest.current = address;
    setAnswer(undefined);
    // Other methods may change data, and placeholders in the path have to be filled in first.
    if (address.method === "GET" && !address.path.includes("{")) void send(address);
  };

  return (
    <section aria-label={words.preview.api.title} className="h-full space-y-4 overflow-auto p-4">
      <div>
        <h2 className="font-semibold">{words.preview.api.title}</h2>
        <p className="text-small text-quiet">{words.preview.api.about}</p>
        {/* A long list scrolls, so that the form below stays visible. */}
        <ul className="mt-2 flex max-h-[40vh] flex-wrap gap-2 overflow-y-auto max-wide:max-h-[30vh]">
          {addresses.map((address) => (
            <li key={`${address.method} ${address.path}`} className="max-w-full">
              <Button className="max-w-full font-mono" onClick={() => choose(address)}>
                <span className="text-quiet">{address.method}</span>
                <span className="truncate">{address.path}</span>
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <form
        className="space-y-3 border-t border-line pt-4"
        onSubmit={(event) => {
          event.preventDefault();
          const address = { method, path: typedAddress(path) };
          setPath(address.path);
          void send(address);
        }}
      >
        <div className="flex flex-wrap items-end gap-2">
          <Select
            aria-label={words.preview.api.method}
            value={method}
            options={METHODS.map((value) => ({ value, name: value }))}
            onChoose={setMethod}
            className="h-8 w-28 rounded border border-edge bg-raised px-1.5 pointer-coarse:h-11"
          />
          <Field label={words.preview.address} value={path} onText={setPath} pattern="\s*\S*\s*" />
          <Button type="submit" size="medium" disabled={busy || !lines}>
            {words.preview.api.send}
          </Button>
        </div>
        <details>
          <summary className="text-small text-quiet">{words.preview.api.more}</summary>
          <label className="mt-2 block text-small text-quiet">
            {words.preview.api.headers}
            <textarea
              rows={2}
              value={headers}
              spellCheck={false}
              autoCapitalize="none"
              aria-invalid={!lines}
              onChange={({ target }) => setHeaders(target.value)}
              className={`${AREA} text-ink`}
            />
          </label>
        </details>
        {hasBody(method) && (
          <label className="block text-small text-quiet">
            {words.preview.api.body}
            <textarea
              rows={4}
              value={body}
              spellCheck={false}
              autoCapitalize="none"
              onChange={({ target }) => setBody(target.value)}
              className={`${AREA} text-ink`}
            />
          </label>
        )}
      </form>
      {problem && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
      {answer && <ApiAnswer {...answer} />}
    </section>
  );
}

/** An answer of the app: the request's method and path, the status, time and size, the headers and the body. */
export function ApiAnswer({ to, answer }: { to: ApiAddress; answer: AppAnswer }) {
  const { status, ms, size, text, headers, isCut } = answer;
  return (
    <section aria-label={words.preview.answer} className="space-y-2 border-t border-line pt-4">
      <p className="font-mono break-all">
        <span className="text-quiet">{to.method}</span> {to.path}
      </p>
      <p role="status" className={`numbers font-mono ${status >= 400 ? "text-failed" : ""}`}>
        {status} · {formatDuration(ms)} · {formatBytes(size)}
      </p>
      <details>
        <summary className="text-small text-quiet">
          {words.preview.api.answerHeaders({ count: headers.length })}
        </summary>
        <pre className="mt-1 overflow-x-auto font-mono text-small">
          {headers.map(([name, value]) => `${name}: ${value}`).join("\n")}
        </pre>
      </details>
      {text === undefined ? (
        <p className="text-quiet">{words.preview.api.noText}</p>
      ) : (
        text !== "" && (
          <pre
            dir="ltr"
            tabIndex={0}
            className="max-h-[60vh] overflow-auto rounded border border-line bg-raised p-2 font-mono text-small whitespace-pre-wrap"
          >
            {isCut ? text : prettyAnswer(text)}
          </pre>
        )
      )}
      {isCut && <p className="text-small text-quiet">{words.preview.api.cut}</p>}
    </section>
  );
}
