import type { McpServerInfo } from "@treadle/protocol";
import { useState } from "react";
import { allowMcp, changeMcp, removeMcp, signInMcp } from "../api/mcp.ts";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { ConfirmButton } from "./confirm-button.tsx";
import { visible } from "@treadle/protocol/safe-text";
import { ChevronRight } from "../ui/icons.ts";
import { ServerProblem } from "./server-problem.tsx";
import { ServerDetails } from "./server-details.tsx";
import { logBeyond } from "./log-beyond.ts";
import { Around, SLOT } from "../ui/around.tsx";
import { trustOrAsk } from "./trust-or-ask.ts";
import { words } from "../words/words.ts";

/** One server: its state, its actions, and what it offers. */
export function ServerRow({
  server,
  project,
  disabled,
  onChange,
  onStart,
  onEdit,
}: {
  server: McpServerInfo;
  project: string | undefined;
  disabled: boolean;
  onChange: (work: () => Promise<unknown>) => void;
  /** Starts the server. May take a minute, during which this row and all others stay usable. */
  onStart: () => Promise<unknown>;
  onEdit: () => void;
}) {
  const [open, setOpen] = useState(false);
  const [address, setAddress] = useState<string>();
  const start = useAct();
  const isStarting = start.busy || server.state === "connecting";
  const elsewhere = project !== undefined && server.scope === "global";
  const name = visible(server.name);
  // Servers in sandboxes start with a project's sandbox; a failed one has its button beside the reason.
  const startable =
    server.problem === undefined && !(project === undefined && server.program && !server.trusted);
  return (
    <li aria-label={name} className="border-b border-line px-2 py-1.5 last:border-0">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="min-w-0 flex-1 text-left pointer-coarse:min-h-11"
        >
          <ChevronRight
            size={14}
            aria-hidden="true"
            className={`mr-1 inline-block align-[-2px] text-quiet ${open ? "rotate-90" : ""}`}
          />
          <span className="font-medium">{name}</span>{" "}
          <span
            className={`text-small ${server.state === "failed" ? "text-failed" : "text-quiet"}`}
          >
            {stateWords(server)}
            {elsewhere && ` · ${words.mcp.ofAll}`}
            {server.trusted && ` · ${words.mcp.trusted}`}
          </span>
        </button>
        {server.state === "sign-in" && (
          <Button
            disabled={disabled}
            onClick={() =>
              onChange(async () => setAddress((await signInMcp(project, server)).address))
            }
          >
            {words.mcp.signIn}
          </Button>
        )}
        {server.enabled && startable && (
          <Button disabled={disabled || isStarting} onClick={() => void start.act(onStart)}>
            {server.state === "connected" ? words.mcp.restart : words.mcp.start}
          </Button>
        )}
        <Button
          disabled={disabled}
          aria-pressed={server.enabled}
          onClick={() =>
            onChange(() =>
              trustOrAsk(() => changeMcp(project, server, { enabled: !server.enabled }), project, {
                step: "enable",
                server: server.name,
              }),
            )
          }
        >
          {server.enabled ? words.mcp.switchOff : words.mcp.switchOn}
        </Button>
      </div>
      {address !== undefined && server.state === "sign-in" && (
        <p className="mt-1 text-small">
          <Around text={words.mcp.signInAndBack({ link: SLOT })}>
            <a
              href={address}
              target="_blank"
              rel="noopener noreferrer"
              className="text-accent underline"
            >
              {words.mcp.signInAt({ host: visible(new URL(address).host) })}
            </a>
          </Around>
        </p>
      )}
      {server.problem && (
        <ServerProblem
          problem={server.problem}
          disabled={disabled || isStarting}
          onAgain={() => void start.act(onStart)}
          onLog={open || logBeyond(server) === "" ? undefined : () => setOpen(true)}
        />
      )}
      {start.problem && (
        <p role="alert" className="mt-1 text-small text-failed">
          {start.problem}
        </p>
      )}
      {open && (
        <>
          <p className="mt-1 font-mono text-small break-all text-quiet">{visible(server.where)}</p>
          <ServerDetails
            server={server}
            disabled={disabled}
            onAllow={(permission) =>
              onChange(() =>
                trustOrAsk(() => allowMcp(project, server, permission), project, {
                  step: "allow",
                  server: server.name,
                  tool: permission.tool,
                }),
              )
            }
          />
          {!elsewhere && (
            <div className="mt-2 flex flex-wrap gap-2">
              <Button disabled={disabled} onClick={onEdit}>
                {words.mcp.edit}
              </Button>
              {server.program && project === undefined && (
                <ConfirmButton
                  disabled={disabled}
                  question={server.trusted ? undefined : words.mcp.trustSure}
                  onConfirm={() =>
                    onChange(() => changeMcp(project, server, { trusted: !server.trusted }))
                  }
                >
                  {server.trusted ? words.mcp.trustNoMore : words.mcp.trust}
                </ConfirmButton>
              )}
              <ConfirmButton
                disabled={disabled}
                question={words.mcp.removeSure}
                onConfirm={() => onChange(() => removeMcp(project, server))}
              >
                {words.mcp.remove}
              </ConfirmButton>
            </div>
          )}
        </>
      )}
    </li>
  );
}

function stateWords({ state, tools, program, trusted }: McpServerInfo): string {
  switch (state) {
    case "off":
      return words.mcp.states.off;
    case "idle":
      return program && !trusted ? words.mcp.states.later : words.mcp.states.idle;
    case "connecting":
      return words.mcp.states.starting;
    case "connected":
      return words.mcp.toolCount({ amount: tools.length });
    case "failed":
      return words.mcp.states.failed;
    case "sign-in":
      return words.mcp.states.signIn;
  }
}
