import type { McpServerInfo, McpToolInfo } from "@treadle/protocol";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { visible } from "@treadle/protocol/safe-text";
import { logBeyond } from "./log-beyond.ts";
import { formatNumber } from "../ui/format.ts";
import { words } from "../words/words.ts";

/** What a server offers, and its description of itself. */
export function ServerDetails({
  server,
  disabled,
  onAllow,
}: {
  server: McpServerInfo;
  disabled: boolean;
  onAllow: (permission: { tool?: string; allowed: boolean }) => void;
}) {
  const { title, tools, left, later, resources, prompts } = server;
  const log = logBeyond(server);
  const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0);
  const asked = tools.some(({ allowed }) => !allowed);
  return (
    <div className="mt-1 space-y-2 text-small">
      {title !== undefined && (
        <p className="text-quiet">{words.mcp.callsItself({ name: visible(title) })}</p>
      )}
      {tools.length > 0 && (
        <div>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h4 className="font-medium">
              {words.mcp.tools}{" "}
              <span className="font-normal text-quiet">
                {words.mcp.tokens({ amount: formatNumber(tokens) })}
              </span>
            </h4>
            <Button disabled={disabled} onClick={() => onAllow({ allowed: asked })}>
              {asked ? words.mcp.allowAll : words.mcp.askAll}
            </Button>
          </div>
          <ul aria-label={words.mcp.toolsOf({ server: visible(server.name) })}>
            {tools.map((tool) => (
              <ToolLine key={tool.name} tool={tool} disabled={disabled} onAllow={onAllow} />
            ))}
          </ul>
        </div>
      )}
      {later !== undefined && <p className="break-words text-unsure">{visible(later)}</p>}
      {left !== undefined && <p className="break-words text-unsure">{visible(left)}</p>}
      {resources.length > 0 && (
        <Named
          title={words.mcp.resources}
          note={words.mcp.resourcesNote}
          items={resources.map(({ uri, name }) => ({ key: uri, name, about: uri }))}
        />
      )}
      {prompts.length > 0 && (
        <Named
          title={words.mcp.prompts}
          note={words.mcp.promptsNote}
          items={prompts.map(({ name, description }) => ({
            key: name,
            name,
            about: description ?? "",
          }))}
        />
      )}
      {log !== "" && (
        <details open={server.state === "failed"}>
          <summary className="cursor-pointer text-quiet">{words.mcp.said}</summary>
          <pre className="mt-1 max-h-40 overflow-auto font-mono break-all whitespace-pre-wrap">
            {visible(log)}
          </pre>
        </details>
      )}
    </div>
  );
}

function ToolLine({
  tool,
  disabled,
  onAllow,
}: {
  tool: McpToolInfo;
  disabled: boolean;
  onAllow: (permission: { tool: string; allowed: boolean }) => void;
}) {
  const name = visible(tool.name);
  return (
    <li className="flex items-start gap-2 py-0.5">
      <label className="flex shrink-0 items-center gap-1.5 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          checked={tool.allowed}
          disabled={disabled}
          onChange={() => onAllow({ tool: tool.name, allowed: !tool.allowed })}
          className="accent-accent"
        />
        <span className="sr-only">{words.mcp.withoutAsking} </span>
        <span className="font-mono">{name}</span>
      </label>
      <div className="min-w-0 flex-1 text-quiet">
        {visible(tool.description)}
        {tool.changed !== undefined && (
          <span className="block break-words text-failed">
            {words.mcp.changed({ what: visible(tool.changed) })}
          </span>
        )}
        <ToolInput input={tool.input} />
      </div>
    </li>
  );
}

function Named({
  title,
  note,
  items,
}: {
  title: string;
  note: string;
  items: { key: string; name: string; about: string }[];
}) {
  return (
    <div>
      <h4 className="font-medium">
        {title} <span className="font-normal text-quiet">{note}</span>
      </h4>
      <ul>
        {items.map(({ key, name, about }) => (
          <li key={key}>
            {visible(name)} <span className="break-all text-quiet">{visible(about)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A tool's parameters, as its server describes them to the model. Draws nothing if it has none. */
function ToolInput({ input }: { input: string }) {
  const [open, setOpen] = useState(false);
  if (input === '{"type":"object"}') return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer">{words.mcp.takes}</summary>
      {open && (
        <pre className="max-h-60 overflow-auto font-mono break-all whitespace-pre-wrap">
          {visible(JSON.stringify(JSON.parse(input), undefined, 2))}
        </pre>
      )}
    </details>
  );
}
