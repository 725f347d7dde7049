import { visible } from "@treadle/protocol/safe-text";

/** Tool servers that a turn goes without: whoever waits for one of their tools sees here why it is not called. */
export function ToolsMissingLine({
  servers,
}: {
  servers: readonly { name: string; why: string }[];
}) {
  return (
    <ul aria-label="Tool servers that are missing" className="text-small text-unsure">
      {servers.map(({ name, why }) => (
        <li key={name} className="break-words">
          This turn goes without the tools of {visible(name)}: {visible(why)} See Tools (MCP) in the
          project’s settings.
        </li>
      ))}
    </ul>
  );
}
