import { expect, it } from "vitest";
import {
  allAddresses,
  checkedAddresses,
  describedAddresses,
  prettyAnswer,
  readHeaders,
  typedAddress,
} from "./api-addresses.ts";

it("reads addresses from an OpenAPI description, with its server's path", () => {
  const description = {
    openapi: "3.1.0",
    servers: [{ url: "/v1/" }],
    paths: {
      "/tasks": { get: {}, post: {}, parameters: [] },
      "/tasks/{id}": { delete: {} },
      "x-of": {},
    },
  };
  expect(describedAddresses(JSON.stringify(description))).toEqual([
    { method: "GET", path: "/v1/tasks" },
    { method: "POST", path: "/v1/tasks" },
    { method: "DELETE", path: "/v1/tasks/{id}" },
  ]);
});

it.each(["", "[]", "null", '{"paths":[]}', '{"paths":{"/a":null}}', "<h1>404</h1>", undefined])(
  "reads none from %j",
  (answer) => expect(describedAddresses(answer)).toEqual([]),
);

it("lists each address once", () => {
  const [root, tasks] = [
    { method: "GET", path: "/" },
    { method: "GET", path: "/tasks" },
  ] as const;
  expect(allAddresses([root], [tasks, root])).toEqual([root, tasks]);
});

it("indents JSON, and leaves other text unchanged", () => {
  expect(prettyAnswer('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(prettyAnswer("{ not")).toBe("{ not");
});

it("reads headers line by line, and rejects invalid ones", () => {
  expect(readHeaders("Accept: text/plain\n\nx-time: 12:30\n")).toEqual([
    ["Accept", "text/plain"],
    ["x-time", "12:30"],
  ]);
  expect(readHeaders("")).toEqual([]);
  expect(readHeaders("no header")).toBeUndefined();
});

it("reads the addresses that checks request and open, with their request bodies", () => {
  const checks =
    '## Adds\n- request POST /api/votes {"a":1}\n- request GET /api/votes\n- expect "1"\n- open /api\n';
  const [post, get, root] = checkedAddresses(checks);
  expect(post).toMatchObject({ method: "POST", path: "/api/votes" });
  expect(JSON.parse(post!.body!)).toEqual({ a: 1 });
  expect(get).toMatchObject({ method: "GET", path: "/api/votes" });
  expect(root).toMatchObject({ method: "GET", path: "/api" });
});

it.each([
  ["books", "/books"],
  [" /books?q=1 ", "/books?q=1"],
  ["", "/"],
])("parses %j as the address %s", (typed, path) => expect(typedAddress(typed)).toBe(path));
