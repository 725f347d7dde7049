import { expect, it } from "vitest";
import type { WorkspaceNotice } from "../types.ts";
import { createMadeRepositories } from "./made-repositories.ts";

/** Repositories of a guest that sets aside what lies there whenever it is asked to. */
function guarded(isBusy = () => false) {
  const lying: string[] = [];
  const notices: WorkspaceNotice[] = [];
  const repositories = createMadeRepositories({
    look: async () => lying.splice(0),
    isBusy,
    notify: (notice) => void notices.push(notice),
  });
  /** The guest's watcher sees one that was just made. */
  const make = (path: string) => {
    lying.push(path);
    repositories.seen();
  };
  return { repositories, lying, notices, make };
}

it("a repository is not set aside in the middle of the command that made it, and is at its end (A23)", async () => {
  const { repositories, lying, notices, make } = guarded();
  repositories.started();
  make("cloned");
  make("cloned-too");
  expect(lying).toEqual(["cloned", "cloned-too"]);
  expect(await repositories.ended()).toContain('[set aside: "cloned", "cloned-too".');
  expect(lying).toEqual([]);
  expect(notices).toEqual([{ type: "repositories-set-aside", paths: ["cloned", "cloned-too"] }]);
});

it("nor when another command ends first (A23)", async () => {
  const { repositories, lying, make } = guarded();
  repositories.started();
  repositories.started();
  make("cloning");
  expect(await repositories.ended()).toBe("");
  expect(lying).toEqual(["cloning"]);
  expect(await repositories.ended()).toContain('"cloning"');
  expect(lying).toEqual([]);
});

it("nor while somebody works in a terminal", async () => {
  let isOpen = true;
  const { repositories, lying, make } = guarded(() => isOpen);
  make("typed");
  expect(lying).toEqual(["typed"]);
  isOpen = false;
  repositories.seen();
  expect(lying).toEqual([]);
});

it("one that a server made is set aside as soon as it is seen, and the next command says so (A23)", async () => {
  const { repositories, lying, make } = guarded();
  make("made");
  expect(lying).toEqual([]);
  repositories.started();
  expect(await repositories.ended()).toContain('"made"');
  repositories.started();
  expect(await repositories.ended()).toBe("");
});
