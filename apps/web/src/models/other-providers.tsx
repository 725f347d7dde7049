import type { ProviderInfo } from "@treadle/protocol";
import { ChevronRight } from "../ui/icons.ts";
import { words } from "../words/words.ts";

/** Providers that are not set up; folded if a model is already available. */
export function OtherProviders({
  others,
  isFirst,
  closed,
  onEdit,
}: {
  others: readonly ProviderInfo[];
  /** Whether no provider is set up; the list is then open. */
  isFirst: boolean;
  /** The provider whose form was closed; its button takes the focus. */
  closed: string | undefined;
  onEdit: (id: string) => void;
}) {
  return (
    <details
      open={isFirst || others.some((one) => one.id === closed)}
      className="group border-t border-line pt-1 first:border-0"
    >
      <summary className="flex list-none items-center gap-1 px-3 pt-1 pb-0.5 text-small text-quiet -outline-offset-2 hover:text-ink pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        {words.models.addProvider}
        <ChevronRight size={14} aria-hidden="true" className="group-open:rotate-90" />
      </summary>
      {others.map((one) => (
        <button
          key={one.id}
          type="button"
          autoFocus={one.id === closed}
          onClick={() => onEdit(one.id)}
          className="flex w-full items-center justify-between px-3 py-1 text-left -outline-offset-2 hover:bg-hover pointer-coarse:min-h-11"
        >
          {one.name}
          <ChevronRight size={14} aria-hidden="true" className="text-quiet" />
        </button>
      ))}
    </details>
  );
}
