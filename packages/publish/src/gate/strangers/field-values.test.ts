import { expect, it } from "vitest";
import { fieldValues } from "./field-values.ts";

const read = (text: string, path = "src/app.ts") =>
  Object.fromEntries(fieldValues([{ path, text }]));

it("a field with few values gets one of them, however the sources declare them", () => {
  for (const text of [
    "const Task = z.object({ status: z.enum(['open', 'done']) })",
    "interface Task { title: string; status?: 'open' | 'done' }",
    "CREATE TABLE tasks (status TEXT NOT NULL CHECK (status IN ('open', 'done')))",
    "if (!['open', 'done'].includes(req.body.status)) throw bad()",
    'class Task(BaseModel):\n    status: Literal["open", "done"] = "open"',
    'if status not in ("open", "done"): abort(400)',
    '<select name="status"><option value="open">Open</option></select>',
  ])
    expect(read(text)).toMatchObject({ status: "open" });
});

it("a field that is always a number or a boolean gets one, and a text field never", () => {
  expect(read("z.object({ size: z.coerce.number(), ready: z.boolean(), name: z.string() })")).toEqual({ size: 1, ready: false }); // prettier-ignore
  expect(read("class A(BaseModel):\n    size: float\n    name: str\n", "a.py")).toEqual({
    size: 1,
  });
  expect(read("interface A { size: number } interface B { size: string }")).toEqual({});
  expect(read("const A = z.object({ size: z.number() })", "a.test.ts")).toEqual({});
});
