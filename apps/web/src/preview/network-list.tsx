import { visible } from "@treadle/protocol/safe-text";
import { formatBytes, formatDuration } from "../ui/format.ts";
import { isFailed, type Asked } from "./page-log.ts";
import { words } from "../words/words.ts";

const MAX_REQUESTS = 300;

/** The page's requests, as recorded by its browser. */
export function NetworkList({
  requests,
  isEmpty,
}: {
  requests: readonly Asked[];
  isEmpty: boolean;
}) {
  if (requests.length === 0)
    return (
      <p className="p-3 text-small text-quiet">
        {isEmpty ? words.preview.askedNothing : words.preview.nothingFits}
      </p>
    );
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={words.preview.asked}
      className="h-full overflow-auto -outline-offset-2"
    >
      <table className="w-full text-left text-small">
        <thead className="sticky top-0 bg-paper text-quiet">
          <tr className="[&>th]:px-2 [&>th]:py-1 [&>th]:font-normal">
            <th scope="col">{words.preview.answer}</th>
            <th scope="col" className="w-full">
              {words.preview.addressOf}
            </th>
            <th scope="col">{words.preview.kind}</th>
            <th scope="col" className="text-right">
              {words.preview.size}
            </th>
            <th scope="col" className="text-right">
              {words.preview.time}
            </th>
          </tr>
        </thead>
        <tbody className="numbers font-mono">
          {requests.slice(-MAX_REQUESTS).map((one) => (
            <tr
              key={one.id}
              className={`border-t border-line [&>td]:px-2 [&>td]:py-0.5 ${isFailed(one) ? "text-failed" : ""}`}
            >
              <td className="whitespace-nowrap">
                {one.status === 0 ? words.preview.noAnswer : one.status < 0 ? "?" : one.status}
              </td>
              <td className="max-w-0 truncate" title={visible(one.url)}>
                {one.method !== "GET" && `${visible(one.method)} `}
                {visible(one.url)}
              </td>
              <td className="text-quiet">{visible(one.kind)}</td>
              <td className="text-right whitespace-nowrap text-quiet">
                {one.size > 0 ? formatBytes(one.size) : ""}
              </td>
              <td className="text-right whitespace-nowrap text-quiet">{formatDuration(one.ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
