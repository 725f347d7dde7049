import { MCPClientError } from "@ai-sdk/mcp";
import { expect, it } from "vitest";
import { watchRefusal } from "./watch-refusal.ts";

const SERVER = "https://mcp.example.com/mcp";

/** A server that answers with these statuses, in turn; other addresses do not exist. */
function watch(...answers: number[]) {
  return watchRefusal(SERVER, async (input) => {
    const own = String(input) === SERVER;
    return new Response("no", { status: own ? answers.shift()! : 404 });
  });
}
const hiding = () => new Error("HTTP 404: Invalid OAuth error response: Unexpected token");

it("a 401 is reported instead of the error that it caused", async () => {
  const { fetch, named } = watch(401);
  await fetch(SERVER);
  await fetch("https://mcp.example.com/register");
  expect(named(hiding())).toMatchObject({ code: "refused", facts: { status: 401, body: "no" } });
});

it("one that is over is not", async () => {
  const { fetch, named } = watch(401, 200);
  await fetch(SERVER);
  await fetch(SERVER);
  expect(named(hiding()).code).toBe("malformed");
});

it("what was refused to who has signed in leads to signing in again", async () => {
  const { fetch, named } = watch(401);
  await fetch(SERVER);
  const error = new MCPClientError({ message: "no", statusCode: 401 });
  expect(named(error).code).toBe("unauthorized");
});
