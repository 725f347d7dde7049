import {
  list,
  matching,
  maybe,
  oneOf,
  record,
  text,
  whole,
  yesOrNo,
  type Check,
} from "./checks.ts";
import { namedFolder, namedPath } from "./named-path.ts";

const MAX_ENTRIES = 1_000_000;
const digest = matching(/^[0-9a-f]{1,128}$/);
const handle = whole(0);
const written = record({ version: digest, size: whole(0), created: yesOrNo });
const nothing: Check<undefined> = () => undefined;

/** What a guest answers, by what it was asked. An answer that is none ends its sandbox; one to anything else is nothing. */
const RESULTS: Readonly<Record<string, Check<unknown>>> = {
  read: record({ version: digest }),
  write: written,
  "read-open": record({ handle, size: whole(0) }),
  "draft-open": record({ handle }),
  "draft-commit": written,
  list: record({
    files: list(
      record({ path: namedPath, kind: oneOf("file", "folder", "link", "other"), size: whole(0) }),
      MAX_ENTRIES,
    ),
    more: yesOrNo,
  }),
  search: record({
    matches: list(
      record({
        path: namedPath,
        line: whole(0),
        text: text(),
        beside: maybe(yesOrNo),
      }),
      MAX_ENTRIES,
    ),
    more: yesOrNo,
  }),
  // Names in one folder are paths of one part.
  "list-raw": list(namedPath, MAX_ENTRIES),
  manifest: list(
    record({
      path: namedPath,
      mode: oneOf("100644", "100755", "120000"),
      hash: matching(/^[0-9a-f]{40}$/),
      secret: maybe((value): true | undefined => (value === true ? true : undefined)),
    }),
    MAX_ENTRIES,
  ),
  activity: record({ cpuMs: whole(0), bytes: whole(0) }),
  "root-room": namedFolder,
  "set-repositories-aside": list(namedFolder, 1_000),
  "end-all": yesOrNo,
};

export const resultOf = (method: string): Check<unknown> =>
  Object.hasOwn(RESULTS, method) ? RESULTS[method]! : nothing;
