import type { McpServerInfo } from "@treadle/protocol";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { allowMcp, changeMcp, removeMcp, restartMcp, signInMcp } from "../api/mcp.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { visible } from "@treadle/protocol/safe-text";
import { ServerProblem } from "./server-problem.tsx";
import { ServerDetails } from "./server-details.tsx";
import { logBeyond } from "./log-beyond.ts";

/** One server: whether it answers, what can be done about it, and under it what it offers. */
export function ServerRow({
  server,
  project,
  disabled,
  onChange,
  onEdit,
}: {
  server: McpServerInfo;
  project: string | undefined;
  disabled: boolean;
  onChange: (work: () => Promise<unknown>) => void;
  onEdit: () => void;
}) {
  const [open, setOpen] = useState(false);
  const [address, setAddress] = useState<string>();
  const elsewhere = project !== undefined && server.scope === "global";
  const name = visible(server.name);
  // What runs in sandboxes is started in a project's; what failed has its button beside the reason.
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
            {elsewhere && " · of all projects"}
            {server.trusted && " · trusted, outside the sandbox"}
          </span>
        </button>
        {server.state === "sign-in" && (
          <Button
            disabled={disabled}
            onClick={() =>
              onChange(async () => setAddress((await signInMcp(project, server)).address))
            }
          >
            Sign in
          </Button>
        )}
        {server.enabled && startable && (
          <Button disabled={disabled} onClick={() => onChange(() => restartMcp(project, server))}>
            {server.state === "connected" ? "Restart" : "Start"}
          </Button>
        )}
        <Button
          disabled={disabled}
          aria-pressed={server.enabled}
          onClick={() => onChange(() => changeMcp(project, server, { enabled: !server.enabled }))}
        >
          {server.enabled ? "Switch off" : "Switch on"}
        </Button>
      </div>
      {address !== undefined && server.state === "sign-in" && (
        <p className="mt-1 text-small">
          <a
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            className="text-accent underline"
          >
            Sign in at {visible(new URL(address).host)}
          </a>{" "}
          and come back.
        </p>
      )}
      {server.problem && (
        <ServerProblem
          problem={server.problem}
          disabled={disabled}
          onAgain={() => onChange(() => restartMcp(project, server))}
          onLog={open || logBeyond(server) === "" ? undefined : () => setOpen(true)}
        />
      )}
      {open && (
        <>
          <p className="mt-1 font-mono text-small break-all text-quiet">{visible(server.where)}</p>
          <ServerDetails
            server={server}
            disabled={disabled}
            onAllow={(given) => onChange(() => allowMcp(project, server, given))}
          />
          {!elsewhere && (
            <div className="mt-2 flex flex-wrap gap-2">
              <Button disabled={disabled} onClick={onEdit}>
                Edit
              </Button>
              {server.program && project === undefined && (
                <ConfirmButton
                  disabled={disabled}
                  sure={
                    server.trusted
                      ? undefined
                      : "It then runs on this machine as you, with your files and your network. Trust it?"
                  }
                  onConfirm={() =>
                    onChange(() => changeMcp(project, server, { trusted: !server.trusted }))
                  }
                >
                  {server.trusted ? "Trust no more" : "Trust"}
                </ConfirmButton>
              )}
              <ConfirmButton
                disabled={disabled}
                sure="Its keys and what was allowed of it are forgotten. Remove it?"
                onConfirm={() => onChange(() => removeMcp(project, server))}
              >
                Remove
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
      return "off";
    case "idle":
      return program && !trusted ? "starts with the next turn" : "not connected";
    case "connecting":
      return "starting…";
    case "connected":
      return tools.length === 1 ? "1 tool" : `${tools.length} tools`;
    case "failed":
      return "failed";
    case "sign-in":
      return "wants you to sign in";
  }
}
