import { expect, it } from "vitest";
import { repositoryName } from "./repository-name.ts";

it.each([
  ["A todo app", "a-todo-app"],
  ["  Café: Münster! ", "cafe-munster"],
  ["..hidden/../x", "hidden-..-x"],
  ["買い物リスト", ""],
  ["x".repeat(200), "x".repeat(60)],
])("for %j suggests %j", (project, name) => {
  expect(repositoryName(project)).toBe(name);
});
