import { InvalidToolInputError } from "ai";
import { expect, it } from "vitest";
import { toolSchema } from "../tools/tool.ts";
import { startServer } from "../tools/start-server.ts";
import { describeInvalid } from "./describe-invalid-call.ts";

it("names what is missing of a call's arguments, and not the schema's error as JSON", async () => {
  const checked = await toolSchema(startServer.input).validate!({});
  if (checked.success) throw new Error("a call without arguments was taken");
  const error = new InvalidToolInputError({
    toolName: "start_server",
    toolInput: "{}",
    cause: checked.error,
  });
  const message = describeInvalid("start_server", error);
  expect(message).toContain("command");
  expect(message).not.toMatch(/[{}[\]]/);
});
