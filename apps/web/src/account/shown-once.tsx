import { CopyButton } from "../ui/copy-button.tsx";

/** A link or token that the server returns only once, with a button to copy it. */
export function ShownOnce({ label, value, note }: { label: string; value: string; note: string }) {
  return (
    <div role="status" className="rounded border border-line bg-raised px-3 py-2">
      <p className="text-small text-quiet">{label}</p>
      <div className="flex items-center gap-1">
        <code className="min-w-0 flex-1 font-mono text-small break-all select-all">{value}</code>
        <CopyButton name={label} text={() => value} />
      </div>
      <p className="mt-1 text-small text-quiet">{note}</p>
    </div>
  );
}
