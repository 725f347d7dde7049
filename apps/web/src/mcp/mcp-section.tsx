import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { McpServerInfo } from "@treadle/protocol";
import { useState } from "react";
import { acceptMcp, readMcp, restartMcp, saveMcp } from "../api/mcp.ts";
import { sentence } from "../api/request.ts";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { visible } from "@treadle/protocol/safe-text";
import { AddServers } from "./add-servers.tsx";
import { ServerRow } from "./server-row.tsx";
import { Around, SLOT } from "../ui/around.tsx";
import { trustOrAsk } from "./trust-or-ask.ts";
import { words } from "../words/words.ts";

/** States that change by themselves: the server starts, or the person signs in on another page. */
const WATCHED = new Set<McpServerInfo["state"]>(["connecting", "sign-in"]);

/** Polling interval while a server starts, in milliseconds. */
const LOOK_MS = 1_000;

/** Scrolls the form into view when it opens, because it may be at the edge of the visible part of the dialog. */
const scrollIntoView = (element: HTMLElement | null) =>
  element?.scrollIntoView({ block: "nearest" });

/** Tool servers of one project, or of all. */
export function McpSection({ project }: { project?: string }) {
  const client = useQueryClient();
  const key = ["mcp", project ?? ""];
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readMcp(project, signal),
    // A turn starts servers, and an approval in the conversation allows their tools.
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.servers.some((server) => WATCHED.has(server.state)) ? LOOK_MS : false,
  });
  const { act, busy, problem } = useAct();
  const [editing, setEditing] = useState<McpServerInfo>();
  const shown = async (work: () => Promise<unknown>) => {
    const working = work();
    // Shows the starting state early.
    setTimeout(() => void client.invalidateQueries({ queryKey: key }), LOOK_MS / 4);
    try {
      await working;
    } finally {
      await client.invalidateQueries({ queryKey: ["mcp"] });
    }
  };
  const change = (work: () => Promise<unknown>) => act(() => shown(work));
  return (
    <section aria-labelledby="mcp-title">
      <h3 id="mcp-title" className="font-semibold">
        {words.mcp.title}
      </h3>
      <p className="mt-1 text-small text-quiet">{words.mcp.about}</p>
      {error && (
        <p role="alert" className="mt-2 text-small text-failed">
          {sentence(error)}
        </p>
      )}
      {data && data.servers.length > 0 && (
        <ul aria-label={words.mcp.servers} className="mt-2 rounded border border-line">
          {data.servers.map((server) => (
            <ServerRow
              key={`${server.scope} ${server.name}`}
              server={server}
              project={project}
              disabled={busy}
              onChange={(work) => void change(work)}
              onStart={() => shown(() => restartMcp(project, server))}
              onEdit={() => setEditing(server)}
            />
          ))}
        </ul>
      )}
      {project !== undefined && data && data.proposals.length > 0 && (
        <ul aria-label={words.mcp.askedFor} className="mt-2 rounded border border-accent">
          {data.proposals.map((proposal) => (
            <li
              key={proposal.digest}
              className="border-b border-line px-2 py-1.5 text-small last:border-0"
            >
              <p>
                <Around text={words.mcp.proposes({ path: SLOT, name: visible(proposal.name) })}>
                  <span className="font-mono">{visible(proposal.path)}</span>
                </Around>
              </p>
              <pre className="mt-1 max-h-40 overflow-auto font-mono text-small break-all whitespace-pre-wrap">
                {visible(proposal.config)}
              </pre>
              <Button
                className="mt-1"
                disabled={busy}
                onClick={() =>
                  void change(() =>
                    trustOrAsk(() => acceptMcp(project, proposal.digest), project, {
                      step: "accept",
                      server: proposal.name,
                      digest: proposal.digest,
                    }),
                  )
                }
              >
                {words.mcp.accept({ name: visible(proposal.name) })}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <AddServers
        key={editing ? `${editing.scope} ${editing.name}` : ""}
        editing={editing}
        disabled={busy}
        onCancel={() => setEditing(undefined)}
        onSave={(text) =>
          change(async () => {
            await saveMcp(editing?.scope === "global" ? undefined : project, text);
            setEditing(undefined);
          })
        }
      />
      {problem && (
        <p role="alert" ref={scrollIntoView} className="mt-1 text-small text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}
