import { expect, it } from "vitest";
import { isForeignPage } from "./foreign-page.ts";

const host = "abc.localhost:4173";
const other = "http://xyz.localhost:4173";
const cross = { host, "sec-fetch-site": "cross-site" };

it.each([
  ["a page of its own", { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" }],
  ["its own form, of a page that tells nobody where it is", { host, origin: "null", "sec-fetch-site": "same-origin" }],
  ["another port of its project", { ...cross, origin: "http://abc--3001.localhost:4173" }],
  ["a picture for another port of its project", { ...cross, referer: "http://abc--3001.localhost:4173/a", "sec-fetch-mode": "no-cors" }],
  ["the frame of the workbench, or a link to it", { ...cross, "sec-fetch-mode": "navigate" }],
  ["an address that was typed", { host, "sec-fetch-site": "none" }],
  ["a sign-in page of another site, which leads back with a form", { ...cross, origin: "https://login.example.com", "sec-fetch-mode": "navigate" }],
  ["a program that is no browser", { host }],
  ["another port of its project, on a domain", { ...cross, host: "abc.apps.example.net", origin: "https://abc--3001.apps.example.net" }],
])("%s may send its cookies", (_, headers) => {
  expect(isForeignPage(headers)).toBe(false);
}); // prettier-ignore

it.each([
  [
    "another project's page on the same domain",
    { ...cross, host: "abc.apps.example.net", origin: "https://xyz.apps.example.net" },
  ],
  ["another project's page", { ...cross, origin: other, "sec-fetch-mode": "cors" }],
  ["its port", { ...cross, origin: "http://xyz--3001.localhost:4173" }],
  ["its form", { ...cross, origin: other, "sec-fetch-mode": "navigate" }],
  ["its script, in a browser that says less", { host, referer: `${other}/a` }],
  ["its frame, where it says so", { ...cross, referer: other, "sec-fetch-mode": "navigate" }],
  ["a page without a name", { ...cross, origin: "null", "sec-fetch-mode": "cors" }],
  ["a form without a name", { ...cross, origin: "null", "sec-fetch-mode": "navigate" }],
  ["a script of a page that tells nobody where it is", { ...cross, "sec-fetch-mode": "no-cors" }],
])("A76 %s may send none", (_, headers) => {
  expect(isForeignPage(headers)).toBe(true);
});
