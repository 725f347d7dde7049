import { expect, it } from "vitest";
import type { WorkspaceNotice } from "../types.ts";
import { createMadeRepositories } from "./made-repositories.ts";

/** Creates the guard with a guest that renames the repositories it finds when asked. */
function guarded(isBusy = () => false) {
  const lying: string[] = [];
  const notices: WorkspaceNotice[] = [];
  const repositories = createMadeRepositories({
    look: async () => lying.splice(0),
    isBusy,
    notify: (notice) => void notices.push(notice),
  });
  /** Simulates that the guest's watcher sees a new repository. */
  const make = (path: string) => {
    lying.push(path);
    repositories.seen();
  };
  return { repositories, lying, notices, make };
}

it("renames a repository at the end of the command that made it, and not before (A23)", async () => {
  const { repositories, lying, notices, make } = guarded();
  repositories.started();
  make("cloned");
  make("cloned-too");
  expect(lying).toEqual(["cloned", "cloned-too"]);
  expect(await repositories.ended()).toContain('[set aside: "cloned", "cloned-too".');
  expect(lying).toEqual([]);
  expect(notices).toEqual([{ type: "repositories-set-aside", paths: ["cloned", "cloned-too"] }]);
});

it("does not rename one when another command ends first (A23)", async () => {
  const { repositories, lying, make } = guarded();
  repositories.started();
  repositories.started();
  make("cloning");
  expect(await repositories.ended()).toBe("");
  expect(lying).toEqual(["cloning"]);
  expect(await repositories.ended()).toContain('"cloning"');
  expect(lying).toEqual([]);
});

it("does not rename one while a terminal is open", async () => {
  let isOpen = true;
  const { repositories, lying, make } = guarded(() => isOpen);
  make("typed");
  expect(lying).toEqual(["typed"]);
  isOpen = false;
  repositories.seen();
  expect(lying).toEqual([]);
});

it("renames a repository made by a server as soon as it is seen, and the next command reports it (A23)", async () => {
  const { repositories, lying, make } = guarded();
  make("made");
  expect(lying).toEqual([]);
  repositories.started();
  expect(await repositories.ended()).toContain('"made"');
  repositories.started();
  expect(await repositories.ended()).toBe("");
});
