import { ExternalLink } from "../ui/icons.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { words } from "../words/words.ts";

/** An address that opens in a new tab and can be copied. */
export function PublicAddress({ address }: { address: string }) {
  return (
    <div className="flex min-w-0 items-center gap-1">
      <a
        href={address}
        target="_blank"
        rel="noopener noreferrer"
        className="inline-flex min-w-0 items-center gap-1.5 font-medium text-accent hover:underline"
      >
        <span className="truncate">{address}</span>
        <ExternalLink size={14} aria-hidden="true" className="shrink-0" />
      </a>
      <CopyButton name={words.publish.copyAddress} text={() => address} />
    </div>
  );
}
