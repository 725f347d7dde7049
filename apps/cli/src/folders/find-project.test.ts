import type { ProjectSummary } from "@treadle/protocol";
import { expect, it } from "vitest";
import { findProject } from "./find-project.ts";

const project = (id: string, name: string): ProjectSummary => ({
  id,
  name,
  createdAt: 0,
  updatedAt: 0,
  working: false,
});
const projects = [project("a1", "Todo"), project("a2", "Todo list"), project("b1", "Clock")];
const found = (meant: string) => findProject(projects, meant).id;

it("finds a project by id, name, or an unambiguous prefix", () => {
  expect(found("a2")).toBe("a2");
  expect(found("todo")).toBe("a1");
  expect(found("Todo l")).toBe("a2");
  expect(found("b")).toBe("b1");
});

it("lists the projects if none or several match", () => {
  expect(() => found("a")).toThrow("2 projects could be “a”: a1 (Todo), a2 (Todo list).");
  expect(() => found("x")).toThrow("no project “x”. There are a1 (Todo)");
  expect(() => findProject([], "x")).toThrow("There are no projects yet.");
});
