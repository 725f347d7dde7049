/** What of a long conversation is not drawn yet. */
export function EarlierTurns({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <button
      type="button"
      onClick={onShow}
      className="block w-full rounded-control py-1 text-center text-small text-accent hover:underline pointer-coarse:min-h-11"
    >
      Show earlier ({count === 1 ? "1 turn" : `${count.toLocaleString("en")} turns`})
    </button>
  );
}
