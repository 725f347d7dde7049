import { CopyButton } from "../ui/copy-button.tsx";
import { words } from "../words/words.ts";

/** Recovery codes, which the server returns only once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <div role="status" className="rounded border border-line bg-raised px-3 py-2">
      <div className="flex items-center gap-1">
        <p className="flex-1 text-small text-quiet">{words.account.recovery}</p>
        <CopyButton name={words.account.copyCodes} text={() => codes.join("\n")} />
      </div>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-4 font-mono text-small select-all">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className="mt-1 text-small text-quiet">{words.account.recoveryOnce}</p>
    </div>
  );
}
