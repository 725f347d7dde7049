/** Finished tasks as they are counted on paper: four strokes, and the fifth across them. */
export function Tally({ count }: { count: number }) {
  const shown = Math.min(count, 25);
  const groups = Array.from({ length: Math.ceil(shown / 5) }, (_, group) =>
    Math.min(5, shown - group * 5),
  );
  const words = count === 1 ? "1 task done" : `${count} tasks done`;
  return (
    <div className="tally">
      <span role="img" aria-label={words}>
        {groups.map((strokes, group) => (
          <svg key={group} viewBox={`0 0 ${strokes === 5 ? 40 : strokes * 8 + 3} 32`} aria-hidden="true">
            {["M6 3C5 12 7 20 5 29", "M14 4c1 8-1 16 0 25", "M22 3c-1 9 1 17-1 26", "M30 4c0 8 1 16 0 25"]
              .slice(0, strokes)
              .map((path) => (
                <path key={path} d={path} pathLength="1" />
              ))}
            {strokes === 5 && <path d="M1 23C12 18 24 12 38 7" pathLength="1" />}
          </svg>
        ))}
        {count > shown && <span className="more">+{count - shown}</span>}
      </span>
    </div>
  );
}
