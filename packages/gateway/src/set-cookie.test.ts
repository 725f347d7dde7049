import { expect, test } from "vitest";
import { previewCookie } from "./set-cookie.ts";

const HOST = "abc.localhost:4000";
const END = "SameSite=None; Secure; Partitioned";

test.each([
  ["sid=1", `sid=1; ${END}`],
  ["sid=1; Path=/; HttpOnly; SameSite=Strict", `sid=1; Path=/; HttpOnly; ${END}`],
  ["sid=a=b; Secure; Max-Age=5", `sid=a=b; Max-Age=5; ${END}`],
  ["sid=1; Domain=ABC.localhost", `sid=1; ${END}`],
  ["sid=1; domain=", `sid=1; ${END}`],
])("%s", (line, expected) => {
  expect(previewCookie(line, HOST)).toBe(expected);
});

test.each([
  "sid=1; Domain=localhost",
  "sid=1; DOMAIN = .localhost",
  "sid=1; Domain=evil.abc.localhost",
  "treadle-4000=x",
  "__Host-treadle-4000=x; Secure",
  "=treadle-4000=x",
  "treadle-4000",
])("A13 removes a cookie with effects beyond the preview: %s", (line) => {
  expect(previewCookie(line, HOST)).toBeUndefined();
});
